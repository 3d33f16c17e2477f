//! What Z3 takes a term to mean is what evaluation does.

use crate::ground::limits::Limits;
use crate::smt::Kind;
use crate::smt::{Answer, Solver};
use crate::term::arithmetic::mask;
use crate::term::evaluate::Value;
use crate::term::reference::{OPERATORS, Shape, Tree};
use crate::term::tests::generate::{Random, Vocabulary};
use crate::term::{Signedness, Sort, Store, Term};

fn answer(solver: &mut Solver, store: &Store, assumptions: &[Term]) -> Answer {
    solver.check_assuming(store, assumptions).expect("there are no limits")
}

/// All operators on all values of this width: one query each, in which Z3 looks for operands whose result differs from the
/// table that arithmetic on bits gives.
fn operators_agree(width: u32) {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Bits(width)));
    let (a, b) = (store.symbol(x), store.symbol(y));
    let mut solver = Solver::new(Kind::Trial, &Limits::none());
    let leaf = |value| Tree::leaf(Shape::Bits(width, value));
    let mut shapes: Vec<Shape> = OPERATORS.into_iter().map(Shape::Binary).collect();
    shapes.extend([
        Shape::Less(Signedness::Signed),
        Shape::Less(Signedness::Unsigned),
        Shape::Equal,
        Shape::Concatenate,
    ]);
    for shape in shapes {
        let symbols = [0, 1].map(|number| Tree::leaf(Shape::Symbol(number, Sort::Bits(width))));
        let result = Tree::new(shape, symbols.to_vec()).build(&mut store, &[x, y]);
        let mut right = store.boolean(true);
        for (p, q) in (0..1u128 << width).flat_map(|p| (0..1u128 << width).map(move |q| (p, q))) {
            let value = Tree::new(shape, vec![leaf(p), leaf(q)]).evaluate(&[]);
            let expected = match (value, store.sort(result)) {
                (Value::Bool(value), _) => store.boolean(value),
                (value, Sort::Bits(width)) => store.bits(width, value.as_bits()),
                (value, _) => panic!("{value:?}"),
            };
            let (p, q) = (store.bits(width, p), store.bits(width, q));
            let (left, right_operand) = (store.equal(a, p), store.equal(b, q));
            let (here, equal) = (store.and(left, right_operand), store.equal(result, expected));
            let holds = store.implies(here, equal);
            right = store.and(right, holds);
        }
        let wrong = store.not(right);
        let found = answer(&mut solver, &store, &[wrong]);
        assert!(found.is_unsat(), "{shape:?} of {width} bits: {found:?}");
        assert!(answer(&mut solver, &store, &[right]).is_sat());
    }
}

#[test]
fn operators_on_narrow_values() {
    (1..=3).for_each(operators_agree);
}

/// Extensions and extractions have their parameters in the node: each value in turn.
#[test]
fn resized_values() {
    let mut store = Store::new();
    let x = store.fresh("x", Sort::Bits(3));
    let mut solver = Solver::new(Kind::Trial, &Limits::none());
    let mut shapes = vec![Shape::ZeroExtend(5), Shape::SignExtend(5), Shape::SignExtend(128)];
    shapes.extend((0..3).flat_map(|low| (1..=3 - low).map(move |width| Shape::Extract(low, width))));
    for shape in shapes {
        let result =
            Tree::new(shape, vec![Tree::leaf(Shape::Symbol(0, Sort::Bits(3)))]).build(&mut store, &[x]);
        for value in 0..8 {
            let expected = Tree::new(shape, vec![Tree::leaf(Shape::Bits(3, value))]).evaluate(&[]).as_bits();
            let (term, value) = (store.symbol(x), store.bits(3, value));
            let (expected, here) = (store.bits(store.width(result), expected), store.equal(term, value));
            let differs = store.not_equal(result, expected);
            assert!(answer(&mut solver, &store, &[here, differs]).is_unsat(), "{shape:?} {value:?}");
            assert!(answer(&mut solver, &store, &[here]).is_sat());
        }
    }
}

/// Models satisfy what they are models of, and a term without a model is false wherever it is tried.
#[test]
fn models_of_random_terms() {
    let mut random = Random::new(30);
    let (mut sat, mut unsat) = (0, 0);
    for number in 0..700 {
        let vocabulary = Vocabulary::new(if number % 2 == 0 { &[1, 3] } else { &[16, 128] });
        let mut store = Store::new();
        let symbols = vocabulary.symbols(&mut store);
        let kind = if number % 4 < 2 { Kind::Trial } else { Kind::Path };
        let mut solver = Solver::new(kind, &Limits::none());
        solver.set_budget(crate::smt::Budget { resources: Some(3_000_000) });
        let tree = vocabulary.tree(&mut random, Sort::Boolean, 3);
        let term = tree.build(&mut store, &symbols);
        match answer(&mut solver, &store, &[term]) {
            Answer::Sat(model) => {
                let values: Vec<_> = symbols.iter().map(|&symbol| model.value(&store, symbol)).collect();
                assert!(tree.evaluate(&values).as_bool(), "{tree:?} {values:?}");
                assert!(model.evaluate(&store, term).as_bool());
                sat += 1;
            }
            Answer::Unsat { .. } => {
                for _ in 0..8 {
                    let values = vocabulary.values(&mut random);
                    assert!(!tree.evaluate(&values).as_bool(), "{tree:?} {values:?}");
                }
                unsat += 1;
            }
            Answer::Unknown(reason) => {
                assert!(reason.contains("resource") || reason.contains("few indices"), "{reason}");
            }
        }
    }
    assert!(sat > 300 && unsat > 50, "{sat} {unsat}");
}

/// A random term built with its symbols in place is equal to the one into which they are substituted for others.
#[test]
fn simplified_terms_are_equal_to_plain_ones() {
    let mut random = Random::new(31);
    for _ in 0..300 {
        let vocabulary = Vocabulary::new(&[3]);
        let mut store = Store::new();
        let symbols = vocabulary.symbols(&mut store);
        let tree = vocabulary.tree(&mut random, Sort::Boolean, 3);
        let simplified = tree.build(&mut store, &symbols);
        let mut definitions = Vec::new();
        let plain = name_every_operand(&tree, &mut store, &symbols, &mut definitions);
        let mut solver = Solver::new(Kind::Trial, &Limits::none());
        solver.set_budget(crate::smt::Budget { resources: Some(3_000_000) });
        definitions.iter().for_each(|&definition| solver.assert(&store, definition));
        let differs = store.not_equal(simplified, plain);
        let found = answer(&mut solver, &store, &[differs]);
        assert!(!found.is_sat(), "{tree:?} {found:?}");
    }
}

/// The term, with a symbol for each operand, so that no rule sees below the top.
fn name_every_operand(
    tree: &Tree,
    store: &mut Store,
    symbols: &[crate::term::Symbol],
    definitions: &mut Vec<Term>,
) -> Term {
    let mut names = Vec::new();
    let mut operands = Vec::new();
    for (number, operand) in tree.operands.iter().enumerate() {
        let value = name_every_operand(operand, store, symbols, definitions);
        let name = store.fresh("operand", store.sort(value));
        let term = store.symbol(name);
        definitions.push(store.equal(term, value));
        names.push(name);
        operands.push(Tree::leaf(Shape::Symbol(number, store.sort(value))));
    }
    match tree.shape {
        Shape::Symbol(..) => tree.build(store, symbols),
        shape => Tree::new(shape, operands).build(store, &names),
    }
}

/// Reads of arrays that many writes have made, which are told by comparisons: they are as evaluation says.
#[test]
fn reads_through_many_writes() {
    for (seed, width) in [(1, 4), (2, 8), (3, 9), (4, 12), (5, 32)] {
        let mut random = Random::new(seed);
        let mut store = Store::new();
        let [index, other] = ["index", "other"].map(|name| store.fresh(name, Sort::Bits(width)));
        let array = store.fresh("array", Sort::Array { index: width, element: 8 });
        let symbol = store.fresh("byte", Sort::Bits(8));
        let [at, elsewhere, byte] = [index, other, symbol].map(|symbol| store.symbol(symbol));
        let mut memory = store.symbol(array);
        if seed % 2 == 0 {
            let zero = store.bits(8, 0);
            memory = store.constant_array(width, zero);
        }
        for number in 0..60u128 {
            let place = store.bits(width, random.below(700) as u128);
            let place = if number % 20 == 7 { elsewhere } else { place };
            let value = store.bits(8, number + 1);
            let value = if number % 10 == 3 { byte } else { value };
            memory = store.store(memory, place, value);
        }
        let element = store.select(memory, at);
        let mut solver = Solver::new(Kind::Trial, &Limits::none());
        for value in 0..64 {
            let value = store.bits(8, value);
            let wanted = store.equal(element, value);
            match answer(&mut solver, &store, &[wanted]) {
                Answer::Sat(model) => assert!(model.evaluate(&store, wanted).as_bool()),
                Answer::Unsat { .. } => {
                    let somewhere = store.not_equal(element, value);
                    assert!(answer(&mut solver, &store, &[somewhere]).is_sat());
                }
                Answer::Unknown(reason) => panic!("{reason}"),
            }
        }
        // Where everything is known, it is what evaluation finds.
        for number in (0..700).filter(|_| seed % 2 == 0) {
            let elsewhere = random.below(700) as u128;
            let known = [(index, width, number), (other, width, elsewhere), (symbol, 8, 255)];
            let known = known.map(|(symbol, width, value)| (symbol, width, value & mask(width)));
            let equation = |(symbol, width, value)| {
                let (term, value) = (store.symbol(symbol), store.bits(width, value));
                store.equal(term, value)
            };
            let here = known.map(equation);
            let values = known.into_iter().map(|(symbol, _, value)| (symbol, Value::Bits(value))).collect();
            let found = store.evaluate(element, &values).expect("every symbol has a value").as_bits();
            let found = store.bits(8, found);
            let differs = store.not_equal(element, found);
            let all: Vec<Term> = here.into_iter().chain([differs]).collect();
            assert!(answer(&mut solver, &store, &all).is_unsat(), "{number}");
        }
    }
}
