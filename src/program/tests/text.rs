//! The text forms, on one program that has a bit of everything.

use crate::ground::index::Index;
use crate::ir::{DebugType, DebugTypeId, Field, FileId, Place};
use crate::program::dot::dot;
use crate::program::generate::{Builder, Shape, program as generated};
use crate::program::names::ProgramNames;
use crate::program::smt::smt;
use crate::program::text::text;
use crate::program::well_formed::check;
use crate::program::{Action, Object, Program, Role};
use crate::term::{Operator, Sort, Symbol, Term};

const WORD: Sort = Sort::Bits(32);
const MEMORY: Sort = Sort::Array { index: 32, element: 32 };

/// Types: int, unsigned, struct device { int lock; struct device *next; int data[4]; }, pointer to it, int[10], int *,
/// struct device ** .
struct Types {
    int: DebugTypeId,
    unsigned: DebugTypeId,
    device: DebugTypeId,
    to_device: DebugTypeId,
    table: DebugTypeId,
    to_int: DebugTypeId,
    to_pointer: DebugTypeId,
}

fn types(program: &mut Program) -> Types {
    let basic = |name: &str, signed| DebugType::Basic { name: name.into(), bits: 32, signed };
    let types = &mut program.types;
    let int = types.push(basic("int", true));
    let unsigned = types.push(basic("unsigned int", false));
    let device = DebugTypeId::new(types.len());
    let to_device = DebugTypeId::new(types.len() + 1);
    let data = DebugTypeId::new(types.len() + 2);
    let field = |name: &str, offset, bits, ty| Field { name: name.into(), offset, bits, ty: Some(ty) };
    types.push(DebugType::Record {
        name: "struct device".into(),
        size: 24,
        fields: vec![
            field("lock", 0, 32, int),
            field("next", 32, 32, to_device),
            field("data", 64, 128, data),
        ],
    });
    types.push(DebugType::Pointer(Some(device)));
    types.push(DebugType::Array { element: Some(int), lengths: vec![4] });
    let table = types.push(DebugType::Array { element: Some(int), lengths: vec![10] });
    let to_int = types.push(DebugType::Pointer(Some(int)));
    let to_pointer = types.push(DebugType::Pointer(Some(to_device)));
    Types { int, unsigned, device, to_device, table, to_int, to_pointer }
}

struct Sample {
    b: Builder,
    memory: Symbol,
    p: Symbol,
    q: Symbol,
    pp: Symbol,
    i: Symbol,
}

fn sample() -> Sample {
    let mut b = Builder::new();
    let types = types(&mut b.program);
    let memory = b.global("M", MEMORY);
    let main = b.procedure("main");
    let mut local = |name: &str, ty| {
        let symbol = b.local(main, name, WORD, Role::Plain);
        b.program.variables[symbol].ty = Some(ty);
        symbol
    };
    let (p, q) = (local("p", types.to_device), local("q", types.to_int));
    let (pp, i) = (local("pp", types.to_pointer), local("i", types.int));
    local("i", types.unsigned);
    let object = |name: &str, base, size, ty| Object { name: name.into(), base, size, ty: Some(ty) };
    b.program.objects.push(object("table", 0x1000, 40, types.table));
    b.program.objects.push(object("dev", 0x2000, 24, types.device));
    b.program.objects.push(object("count", 0x3000, 4, types.int));
    Sample { b, memory, p, q, pp, i }
}

impl Sample {
    fn word(&mut self, value: u128) -> Term {
        self.b.program.store.bits(32, value)
    }

    fn sum(&mut self, a: Term, b: Term) -> Term {
        self.b.program.store.binary(Operator::Add, a, b)
    }

    fn at(&mut self, address: Term) -> Term {
        let memory = self.b.read(self.memory);
        self.b.program.store.select(memory, address)
    }

    /// `base + factor · i + offset` in memory, as C.
    fn shown(&mut self, base: Term, factor: u128, offset: u128) -> String {
        let (i, factor, offset) = (self.b.read(self.i), self.word(factor), self.word(offset));
        let product = self.b.program.store.binary(Operator::Multiply, i, factor);
        let address = self.sum(base, product);
        let address = self.sum(address, offset);
        let cell = self.at(address);
        self.c(cell)
    }

    fn c(&self, term: Term) -> String {
        ProgramNames::new(&self.b.program).term(term)
    }
}

#[test]
fn cells_of_memory_have_the_names_of_c() {
    let mut s = sample();
    let minus_four = (1 << 32) - 4;
    let (p, q, pp) = (s.b.read(s.p), s.b.read(s.q), s.b.read(s.pp));
    assert_eq!(s.shown(p, 0, 0), "p->lock");
    assert_eq!(s.shown(p, 0, 4), "p->next");
    assert_eq!(s.shown(p, 0, 12), "p->data[1]");
    assert_eq!(s.shown(p, 4, 12), "p->data[i + 1]");
    assert_eq!(s.shown(p, 24, 4), "p[i].next");
    assert_eq!(s.shown(q, 0, 0), "*q");
    assert_eq!(s.shown(q, 0, 8), "q[2]");
    assert_eq!(s.shown(q, 4, minus_four), "q[i - 1]");
    let (table, dev, count) = (s.word(0x1000), s.word(0x2000), s.word(0x3000));
    assert_eq!(s.shown(table, 0, 12), "table[3]");
    assert_eq!(s.shown(table, 4, 0), "table[i]");
    assert_eq!(s.shown(dev, 0, 0), "dev.lock");
    assert_eq!(s.shown(dev, 4, 8), "dev.data[i]");
    assert_eq!(s.shown(count, 0, 0), "count");
    let four = s.word(4);
    let next = s.sum(p, four);
    let next = s.at(next);
    assert_eq!(s.shown(next, 0, 4), "p->next->next");
    let behind = s.at(pp);
    assert_eq!(s.shown(behind, 0, 0), "(*pp)->lock");
}

#[test]
fn addresses_that_fit_no_type_are_shown_as_they_are() {
    let mut s = sample();
    let (p, i) = (s.b.read(s.p), s.b.read(s.i));
    assert_eq!(s.shown(p, 7, 0), "M[p + i * 7]");
    let cell = s.at(i);
    assert_eq!(s.c(cell), "M[i]");
}

#[test]
fn constants_that_are_addresses_have_the_names_of_c() {
    let mut s = sample();
    for (value, name) in [
        (0x1000, "table"),
        (0x1004, "&table[1]"),
        (0x2000, "&dev"),
        (0x2004, "&dev.next"),
        (0x3000, "&count"),
        (12, "12"),
    ] {
        let term = s.word(value);
        assert_eq!(s.c(term), name);
    }
}

/// `while (i < 10) { table[i] = p->lock; i++; }`, with a call, an input and an assertion.
fn program() -> Program {
    let mut s = sample();
    let main = s.b.program.entry;
    let f = s.b.procedure("f");
    let n = s.b.parameter(f, "n", WORD);
    let result = s.b.result(f, WORD);
    let (entry, exit) = s.b.ends(f);
    let always = s.b.program.store.boolean(true);
    let n = s.b.read(n);
    s.b.block(f, (entry, exit), always, vec![(result, n)], vec![]);
    let (entry, exit) = s.b.ends(main);
    let (head, body, last) = (s.b.location(main), s.b.location(main), s.b.location(main));
    let input = s.b.input("nondet_int()", WORD);
    let (drawn, i, p, memory) = (s.b.read(input), s.b.read(s.i), s.b.read(s.p), s.b.read(s.memory));
    let (one, four, ten, table) = (s.word(1), s.word(4), s.word(10), s.word(0x1000));
    let store = &mut s.b.program.store;
    let more = store.signed_less(i, ten);
    let done = store.not(more);
    let lock = store.select(memory, p);
    let offset = store.binary(Operator::Multiply, i, four);
    let address = store.binary(Operator::Add, table, offset);
    let written = store.store(memory, address, lock);
    let next = store.binary(Operator::Add, i, one);
    let wrong = store.equal(lock, one);
    let index = s.i;
    s.b.block(main, (entry, head), always, vec![(index, drawn)], vec![input]);
    let edge = s.b.block(main, (head, body), more, vec![(s.memory, written), (index, next)], vec![]);
    s.b.edge(main, body, head, Action::Call { procedure: f, arguments: vec![next], result: Some(index) });
    s.b.block(main, (head, last), done, vec![], vec![]);
    s.b.violation(main, last, wrong);
    s.b.edge(main, last, exit, Action::Unsupported("a\nfloat".into()));
    let place = |line| Place { file: FileId::new(0), line, column: 1, number: 0 };
    s.b.program.procedures[main].edges[edge].places = vec![place(5), place(5), place(6)];
    s.b.program.procedures[main].locations[head].label = "loop".into();
    s.b.program.procedures[main].locations[head].place = Some(place(4));
    s.b.program
}

#[test]
fn the_text_is_readable() {
    let program = program();
    assert_eq!(check(&program), []);
    let expected = "\
// An edge is taken if its [guard] holds; then all its updates happen at once.
// Inputs (after \"with\") are arbitrary each time.
entry main
global M: 32 bits at each address of 32
object 0x1000 int [10] table: 40 bytes
object 0x2000 struct device dev: 24 bytes
object 0x3000 int count: 4 bytes

procedure main()
  struct device * p: 32 bits
  int * q: 32 bits
  struct device ** pp: 32 bits
  int i: 32 bits
  unsigned int i#2: 32 bits
  entry:
    i := nondet_int() with nondet_int() → L2
  exit:
  L2 loop:  // test.c:4
    [i < 10] table[i] := p->lock, i := i + 1 → L3  // test.c:5, 6
    [i >= 10] → L4
  L3:
    i := call f(i + 1) → L2
  L4:
    [p->lock == 1] → L5  violates main.assert.1
    unsupported: a float → exit
  L5:

procedure f(n) returns result
  n: 32 bits
  result: 32 bits, bookkeeping
  entry:
    result := n → exit
  exit:

property main.assert.1 (assertion): …
";
    assert_eq!(text(&program), expected);
}

#[test]
fn forms_are_complete_and_the_same_every_time() {
    for seed in 0..100 {
        let program = generated(seed, Shape::Threads);
        let (graph, clauses, words) = (dot(&program), smt(&program), text(&program));
        assert_eq!(
            (dot(&program.clone()), smt(&program.clone()), text(&program.clone())),
            (graph.clone(), clauses.clone(), words.clone())
        );
        let edges: usize = program.procedures.iter().map(|procedure| procedure.edges.len()).sum();
        assert_eq!(words.matches("→").count(), edges, "{words}");
        let calls = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let calls =
            calls.filter(|edge| matches!(edge.action, Action::Call { .. } | Action::Start { .. })).count();
        assert_eq!(graph.matches(" -> ").count(), edges + calls + 1);
        assert_balanced(&clauses);
    }
}

/// Parentheses outside of names and comments match.
fn assert_balanced(script: &str) {
    let mut depth = 0_i64;
    for line in script.lines().filter(|line| !line.starts_with(';')) {
        for (number, part) in line.split('|').enumerate() {
            assert_eq!(line.matches('|').count() % 2, 0, "{line}");
            if number % 2 == 0 {
                depth += part.matches('(').count() as i64 - part.matches(')').count() as i64;
            }
        }
        assert_eq!(depth, 0, "{line}");
    }
}

#[test]
fn clauses_say_what_each_edge_does() {
    let script = smt(&program());
    let (declared, asserted) = (script.rfind("(declare-fun"), script.find("(assert"));
    assert!(declared < asserted, "predicates are declared before any clause uses them");
    for part in [
        "; unsupported: a float\n(assert (forall",
        "(declare-fun |violated main.assert.1| () Bool)",
        "(bvslt |i| #x0000000a)",
        "(|f exit| |M| (bvadd |i| #x00000001) |M@after| |n@called| |result@called|)",
        "(=> unknown false)",
    ] {
        assert!(script.contains(part), "{part} is not in\n{script}");
    }
}
