//! Terms as text: C and SMT-LIB.

use crate::term::c::{Names, print};
use crate::term::smtlib::script;
use crate::term::{Node, Operator, Signedness, Sort, Store, Symbol, Term};

/// The names of a small program: `u…` is unsigned, address 4096 is `&g`, and memory at `p + 4` is `p->lock`.
struct Program<'a>(&'a Store);

impl Names for Program<'_> {
    fn symbol(&self, symbol: Symbol) -> String {
        self.0.name(symbol).to_owned()
    }
    fn constant(&self, _width: u32, value: u128) -> Option<String> {
        (value == 4096).then(|| "&g".to_owned())
    }
    fn memory(&self, _array: Symbol, index: Term, store: &Store) -> Option<String> {
        let (base, offset) = store.offset(index);
        match (store.node(base), offset) {
            (Node::Symbol(symbol), 4) if store.name(symbol) == "p" => Some("p->lock".to_owned()),
            _ => None,
        }
    }
    fn signed(&self, term: Term) -> Option<bool> {
        self.0.as_symbol(term).map(|symbol| !self.0.name(symbol).starts_with('u'))
    }
}

struct Words {
    store: Store,
}

impl Words {
    fn new() -> Self {
        Self { store: Store::new() }
    }
    fn named(&mut self, name: &str, width: u32) -> Term {
        let symbol = self.store.fresh(name, Sort::Bits(width));
        self.store.symbol(symbol)
    }
    fn number(&mut self, value: i128) -> Term {
        self.store.bits(32, value.cast_unsigned())
    }
    fn shown(&self, term: Term) -> String {
        print(&self.store, term, &Program(&self.store), 1000)
    }
}

#[test]
fn comparisons() {
    let mut words = Words::new();
    let (i, u, four, minus) = (words.named("i", 32), words.named("u", 32), words.number(4), words.number(-1));
    let less = words.store.signed_less(i, four);
    assert_eq!(words.shown(less), "i < 4");
    let not_less = words.store.not(less);
    assert_eq!(words.shown(not_less), "i >= 4");
    let unsigned = words.store.unsigned_less(u, four);
    assert_eq!(words.shown(unsigned), "u < 4");
    let cast = words.store.unsigned_less(i, four);
    assert_eq!(words.shown(cast), "(unsigned)i < 4");
    let other_cast = words.store.signed_less(u, four);
    assert_eq!(words.shown(other_cast), "(int)u < 4");
    let mixed = words.store.unsigned_less(i, u);
    assert_eq!(words.shown(mixed), "i < u");
    let equal = words.store.equal(i, minus);
    assert_eq!(words.shown(equal), "i == -1");
    let equal = words.store.not_equal(u, minus);
    assert_eq!(words.shown(equal), "u != 0xffffffff");
    let above = words.store.greater(Signedness::Signed, i, minus);
    assert_eq!(words.shown(above), "i >= 0");
}

#[test]
fn precedences() {
    let mut words = Words::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| words.named(name, 32));
    let store = &mut words.store;
    let sum = store.add(x, y);
    let product = store.binary(Operator::Multiply, sum, z);
    let rest = store.subtract(z, sum);
    let masked = store.binary(Operator::And, x, y);
    let test = store.equal(masked, z);
    let (is_product, is_rest) = (store.equal(product, x), store.signed_less(rest, y));
    let either = store.or(is_product, test);
    let all = store.and(either, is_rest);
    let none = store.not(all);
    let negated = store.negate(sum);
    let complement = store.complement(masked);
    assert_eq!(words.shown(product), "z * (x + y)");
    assert_eq!(words.shown(rest), "z - (x + y)");
    assert_eq!(words.shown(test), "z == (x & y)");
    assert_eq!(words.shown(all), "z - (x + y) < y && (z == (x & y) || x == z * (x + y))");
    assert_eq!(words.shown(none), "!(z - (x + y) < y && (z == (x & y) || x == z * (x + y)))");
    assert_eq!(words.shown(negated), "-(x + y)");
    assert_eq!(words.shown(complement), "~(x & y)");
}

#[test]
fn numbers_and_casts() {
    let mut words = Words::new();
    let (x, c, uc) = (words.named("x", 32), words.named("c", 8), words.named("uc", 8));
    let (minus, address) = (words.number(-3), words.number(4096));
    let store = &mut words.store;
    let less = store.add(x, minus);
    let (signed, zeros, unsigned) =
        (store.sign_extend(32, c), store.zero_extend(32, c), store.zero_extend(32, uc));
    let (first, second, third) = (store.add(x, signed), store.add(x, zeros), store.add(x, unsigned));
    let byte = store.extract(0, 8, x);
    let high = store.extract(8, 8, x);
    let is_address = store.equal(x, address);
    let shifted = store.binary(Operator::ShiftRight, x, minus);
    let shifted_twice = store.binary(Operator::ShiftRight, x, signed);
    let truth = store.bool_to_bits(32, is_address);
    let sum = store.add(x, truth);
    let either = store.choose(is_address, x, less);
    assert_eq!(words.shown(less), "x - 3");
    assert_eq!(words.shown(first), "x + c");
    assert_eq!(words.shown(second), "x + (unsigned char)c");
    assert_eq!(words.shown(third), "x + uc");
    assert_eq!(words.shown(byte), "(unsigned char)x");
    assert_eq!(words.shown(high), "(unsigned char)((unsigned)x >> 8)");
    assert_eq!(words.shown(is_address), "x == &g");
    assert_eq!(words.shown(shifted), "0");
    assert_eq!(words.shown(shifted_twice), "(unsigned)x >> c");
    assert_eq!(words.shown(sum), "x + (x == &g)");
    assert_eq!(words.shown(either), "x == &g ? x : x - 3");
}

/// C computes what is narrower than `int` as `int`, and extends by the type of the operand.
#[test]
fn narrow_operands_are_cast_where_it_matters() {
    let mut words = Words::new();
    let (j, c, uc) = (words.named("j", 32), words.named("c", 8), words.named("uc", 8));
    let store = &mut words.store;
    let (signed, unsigned) = (store.sign_extend(32, c), store.zero_extend(32, uc));
    let below = store.unsigned_less(signed, j);
    let other = store.unsigned_less(unsigned, j);
    let narrow = store.binary(Operator::Multiply, uc, uc);
    let wide = store.zero_extend(32, narrow);
    let sign = store.extract(7, 1, uc);
    let signs = store.sign_extend(32, sign);
    assert_eq!(words.shown(below), "(unsigned)c < j");
    assert_eq!(words.shown(other), "uc < (unsigned)j");
    assert_eq!(words.shown(wide), "(unsigned char)(uc * uc)");
    assert_eq!(words.shown(signs), "-(uc >> 7 & 1)");
}

#[test]
fn memory_has_names() {
    let mut words = Words::new();
    let (p, x) = (words.named("p", 32), words.named("x", 32));
    let store = &mut words.store;
    let memory = store.fresh("m", Sort::Array { index: 32, element: 32 });
    let memory = store.symbol(memory);
    let field = store.add_constant(p, 4);
    let (lock, other) = (store.select(memory, field), store.select(memory, x));
    let written = store.store(memory, x, p);
    let free = store.bits_to_bool(lock);
    let read = store.select(written, p);
    assert_eq!(words.shown(free), "p->lock != 0");
    assert_eq!(words.shown(other), "m[x]");
    assert_eq!(words.shown(read), "m[x := p][p]");
}

#[test]
fn long_terms_are_cut() {
    let mut words = Words::new();
    let [x, y] = ["x", "y"].map(|name| words.named(name, 32));
    let (mut left, mut right) = (x, x);
    for _ in 0..200_000 {
        left = words.store.binary(Operator::Multiply, left, y);
        left = words.store.binary(Operator::Xor, left, x);
        right = words.store.binary(Operator::SignedDivide, y, right);
    }
    for term in [left, right] {
        let text = print(&words.store, term, &Program(&words.store), 50);
        assert!(text.contains('…') && text.len() < 250, "{text}");
    }
}

#[test]
fn scripts_are_linear_and_names_unique() {
    let mut store = Store::new();
    let symbols = ["x", "x", "a|b", "t!3"].map(|name| store.fresh(name, Sort::Bits(8)));
    let [a, b, c, d] = symbols.map(|symbol| store.symbol(symbol));
    let mut term = a;
    for other in [b, c, d].into_iter().cycle().take(3_000) {
        let product = store.binary(Operator::Multiply, term, term);
        term = store.add(product, other);
    }
    let truth = store.bits_to_bool(term);
    let text = script(&store, &[truth]);
    assert!(text.len() < 3_000 * 120, "{}", text.len());
    for name in ["|x|", "|x#1|", "|a_b|"] {
        assert_eq!(text.matches(&format!("(declare-const {name} (_ BitVec 8))\n")).count(), 1, "{name}");
    }
    assert_eq!(text.matches("(declare-const ").count(), 4);
    assert_eq!(text.matches("(assert ").count(), 1);
}

#[test]
fn a_script_in_full() {
    let mut store = Store::new();
    let x = store.fresh("x", Sort::Bits(8));
    let m = store.fresh("m", Sort::Array { index: 8, element: 3 });
    let (x, m) = (store.symbol(x), store.symbol(m));
    let (element, five) = (store.select(m, x), store.bits(3, 5));
    let less = store.unsigned_less(element, five);
    let expected = "(set-logic QF_ABV)\n(declare-const |x| (_ BitVec 8))\n\
        (declare-const |m| (Array (_ BitVec 8) (_ BitVec 3)))\n\
        (assert (bvult (select |m| |x|) #b101))\n(check-sat)\n";
    assert_eq!(script(&store, &[less]), expected);
}

#[test]
fn floating_point_numbers() {
    use crate::term::float::{FloatFunction, FloatOperator, FloatRelation, Rounding};
    let mut words = Words::new();
    let (x, y, i) = (words.named("x", 64), words.named("y", 64), words.named("i", 32));
    let [ten, half, minus] =
        [10.0, 0.5, -1.5].map(|number: f64| words.store.bits(64, number.to_bits().into()));
    let less = words.store.float_compare(FloatRelation::Less, x, ten);
    assert_eq!(words.shown(less), "x < 10.0");
    let not_less = words.store.not(less);
    assert_eq!(words.shown(not_less), "!(x < 10.0)");
    let nan = words.store.is_nan(x);
    assert_eq!(words.shown(nan), "isnan(x)");
    let number = words.store.not(nan);
    assert_eq!(words.shown(number), "!isnan(x)");
    let sum = words.store.float_binary(FloatOperator::Add, x, y);
    let product = words.store.float_binary(FloatOperator::Multiply, sum, half);
    let difference = words.store.float_binary(FloatOperator::Subtract, x, sum);
    let below = words.store.float_compare(FloatRelation::LessEqual, product, minus);
    assert_eq!(words.shown(below), "(x + y) * 0.5 <= -1.5");
    let equal = words.store.float_compare(FloatRelation::Equal, difference, minus);
    let unequal = words.store.not(equal);
    assert_eq!(words.shown(unequal), "x - (x + y) != -1.5");
    let single = words.store.float_unary(FloatFunction::Resize(32), x);
    let tenth = words.store.bits(32, 0.1f32.to_bits().into());
    let less = words.store.float_compare(FloatRelation::Less, tenth, single);
    assert_eq!(words.shown(less), "0.1f < (float)x");
    let integer = words.store.float_unary(FloatFunction::ToInteger(Signedness::Signed, 32), x);
    let same = words.store.equal(integer, i);
    assert_eq!(words.shown(same), "i == (int)x");
    let floor = words.store.float_unary(FloatFunction::Integral(Rounding::Down), x);
    let sign = words.store.bits(64, 1 << 63);
    let negated = words.store.binary(Operator::Xor, y, sign);
    let less = words.store.float_compare(FloatRelation::Less, floor, negated);
    assert_eq!(words.shown(less), "floor(x) < -y");
}
