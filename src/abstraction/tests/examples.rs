//! Programs in C with the predicates that they need, in front of the engine.

use super::follow::{Follower, visible};
use super::simulation::{Seeded, precision as random_precision};
use super::{abstracted, abstractor, add};
use crate::abstraction::Goal;
use crate::bdd::BackEnd;
use crate::boolean::print::print;
use crate::engine::Answer;
use crate::engine::summary::Summary;
use crate::engine::{Engine, Query};
use crate::ground::event::Silent;
use crate::ground::index::Index as _;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::llvm::read::clang::CompileOptions;
use crate::llvm::read::program::{Folder, Library, ReadOptions, read_here};
use crate::lower::{Settings, Undefined, lower};
use crate::predicate::{Exclusion, PathStep, Precision, PredicateId, Transition};
use crate::program::generate::Random;
use crate::program::names::ProgramNames;
use crate::program::overlay::Frozen;
use crate::program::run::Compiled;
use crate::program::{Action, Program};
use crate::term::{Symbol, Term};
use std::path::Path;

const NONDET: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";

fn lowered(path: &Path) -> Program {
    let options = ReadOptions { compile: CompileOptions::default(), library: Library::Models };
    let module = read_here(&[path.to_path_buf()], &options).unwrap_or_else(|error| panic!("{error}"));
    let settings = Settings { undefined: Undefined::Pure, ..Settings::default() };
    lower(&module, &settings).expect("lowered")
}

fn program(source: &str) -> Program {
    let folder = Folder::new().expect("a folder");
    let path = folder.0.join("test.c");
    std::fs::write(&path, format!("{NONDET}{source}")).expect("written");
    lowered(&path)
}

/// A variable by its name: `g`, or `main:x`.
fn variable(program: &mut Program, name: &str) -> Term {
    let names = ProgramNames::new(program);
    let (procedure, name) = name.split_once(':').map_or((None, name), |(left, right)| (Some(left), right));
    let matches = |symbol: &Symbol| match (program.variables[*symbol].scope, procedure) {
        (crate::program::Scope::Global, None) => names.name(*symbol) == name,
        (crate::program::Scope::Local(owner), Some(procedure)) => {
            program.procedures[owner].name == procedure && names.name(*symbol) == name
        }
        _ => false,
    };
    let found = program.variables.ids().find(matches);
    let all: Vec<&str> = program.variables.ids().map(|symbol| names.name(symbol)).collect();
    let symbol = found.unwrap_or_else(|| panic!("no variable {name} in {all:?}"));
    program.store.symbol(symbol)
}

/// `a == b`, where `b` is a number or a variable.
fn equal(program: &mut Program, left: &str, right: &str) -> Term {
    let left = variable(program, left);
    let right = match right.parse::<u128>() {
        Ok(number) => program.store.bits(program.store.width(left), number),
        Err(_) => variable(program, right),
    };
    program.store.equal(left, right)
}

fn precision(program: &mut Program, equalities: &[(&str, &str)]) -> Precision {
    let mut precision = Precision::default();
    for (left, right) in equalities {
        let term = equal(program, left, right);
        add(&mut precision, program, term);
    }
    precision
}

/// The paths to what can be reached, and the text of the Boolean program.
fn reachable(program: &mut Program, precision: &Precision) -> (Vec<(Goal, Vec<PathStep>)>, String) {
    let (abstraction, cfg) = abstracted(&mut abstractor(), program, precision);
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let threads = crate::boolean::interpret::Threads::AtMost(1);
    let query = Query { properties: cfg.properties.ids().collect(), threads };
    let answers = Summary::new(BackEnd::Oxidd).check(&cfg, &query, run).expect("no limit");
    let mut found = Vec::new();
    for (&property, answer) in query.properties.iter().zip(&answers.answers) {
        match answer {
            Answer::Unreachable => {}
            Answer::Reachable(trace) => {
                found.push((abstraction.property(property), abstraction.path(&cfg, trace)));
            }
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }
    (found, print(&abstraction.program))
}

/// Whether the predicates prove all that is asserted.
fn proves(source: &str, equalities: &[(&str, &str)]) -> bool {
    let mut program = program(source);
    let precision = precision(&mut program, equalities);
    let (found, _) = reachable(&mut program, &precision);
    found.iter().for_each(|(_, path)| assert_path(&program, path));
    found.is_empty()
}

/// The path is one: edges follow each other, calls lead into callees and back.
fn assert_path(program: &Program, path: &[PathStep]) {
    let mut calls = Vec::new();
    let mut at = (program.entry, program.procedures[program.entry].entry);
    for step in path {
        let edge = &program.procedures[step.procedure].edges[step.edge];
        if step.returns {
            assert_eq!(at.1, program.procedures[at.0].exit);
            assert_eq!(calls.pop(), Some((step.procedure, step.edge)));
            at = (step.procedure, edge.to);
            continue;
        }
        assert_eq!(at, (step.procedure, edge.from));
        at = (step.procedure, edge.to);
        if let Action::Call { procedure, .. } = edge.action {
            calls.push((step.procedure, step.edge));
            at = (procedure, program.procedures[procedure].entry);
        }
    }
    assert!(!path.is_empty());
}

fn example(name: &str) -> Program {
    lowered(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name))
}

#[test]
fn lock_discipline_is_proved_by_two_predicates() {
    let mut program = example("c-lock/lock.c");
    let precision = precision(&mut program, &[("locked", "0"), ("main:packets", "main:old")]);
    let (found, text) = reachable(&mut program, &precision);
    assert_eq!(found, [], "{text}");
    assert!(text.contains("// locked == 0"), "{text}");
    assert!(text.contains("// lock.c:"), "{text}");
}

#[test]
fn values_that_exclude_each_other_are_said_to_where_many_are_read() {
    let mut program = program(
        "int state, next; int main(void) { while (nondet_int()) { state = next; next = nondet_int(); } return state == 3; }",
    );
    let values: Vec<String> = (0..12).map(|value| value.to_string()).collect();
    let equalities: Vec<(&str, &str)> = ["state", "next"]
        .iter()
        .flat_map(|name| values.iter().map(move |value| (*name, value.as_str())))
        .collect();
    let precision = precision(&mut program, &equalities);
    let (_, text) = reachable(&mut program, &precision);
    // b12 and b13 are next == 0 and next == 1.
    let copies = |line: &&str| line.contains("b0") && line.contains(":=") && line.contains("!(b12 & b13)");
    assert!(text.lines().any(|line| copies(&line)), "{text}");
}

#[test]
fn lock_discipline_needs_both_predicates() {
    for predicates in [&[][..], &[("locked", "0")], &[("main:packets", "main:old")]] {
        let mut program = example("c-lock/lock.c");
        let precision = precision(&mut program, predicates);
        let (found, text) = reachable(&mut program, &precision);
        assert!(!found.is_empty(), "{predicates:?}\n{text}");
        found.iter().for_each(|(_, path)| assert_path(&program, path));
    }
}

#[test]
fn callee_that_writes_a_global_variable_spoils_what_the_caller_knew() {
    let write = "int g; void f(void) { g = __VERIFIER_nondet_int(); }
        int main(void) { int x = g; f(); assert(x == g); return 0; }";
    assert!(!proves(write, &[("main:x", "g")]));
    let other = "int g, h; void f(void) { h = __VERIFIER_nondet_int(); }
        int main(void) { g = __VERIFIER_nondet_int(); int x = g; f(); assert(x == g); return 0; }";
    assert!(proves(other, &[("main:x", "g")]));
    let indirect = "int g; void e(void) { g++; } void f(void) { e(); }
        int main(void) { int x = g; f(); assert(x == g); return 0; }";
    assert!(!proves(indirect, &[("main:x", "g")]));
}

#[test]
fn formal_predicates_tell_the_callee_what_it_is_given() {
    let text = "void f(int p) { assert(p == 1); } int main(void) { int x = 1; f(x); return 0; }";
    assert!(proves(text, &[("f:p", "1"), ("main:x", "1")]));
    assert!(!proves(text, &[("main:x", "1")]));
    let wrong = "void f(int p) { assert(p == 1); } int main(void) { int x = 2; f(x); return 0; }";
    assert!(!proves(wrong, &[("f:p", "1"), ("main:x", "1")]));
}

#[test]
fn returned_predicates_tell_the_caller_what_it_gets() {
    let text = "int f(int p) { if (p == 3) return 1; return 1; }
        int main(void) { int x = f(__VERIFIER_nondet_int()); assert(x == 1); return 0; }";
    let mut program = program(text);
    let id = program.procedures.enumerate().find(|(_, it)| it.name == "f").expect("f").0;
    let result = program.procedures[id].result.expect("a result");
    let mut precision = precision(&mut program, &[("main:x", "1")]);
    // Every local variable of f and of main may carry the value on its way.
    let carriers = program.procedures.iter().flat_map(|it| it.locals.clone()).chain([result]);
    for symbol in carriers.collect::<Vec<_>>() {
        let crate::term::Sort::Bits(32) = program.store.sort_of_symbol(symbol) else { continue };
        let (term, one) = (program.store.symbol(symbol), program.store.bits(32, 1));
        let term = program.store.equal(term, one);
        add(&mut precision, &program, term);
    }
    let (found, text) = reachable(&mut program, &precision);
    assert_eq!(found, [], "{text}");
}

#[test]
fn recursion_keeps_activations_apart() {
    let text = "void f(int p) { int l = p; if (p != 1) f(1); assert(l == p); }
        int main(void) { f(__VERIFIER_nondet_int()); return 0; }";
    assert!(proves(text, &[("f:l", "f:p")]));
    let global = "int g; void f(int p) { int l = g; if (p != 1) { f(1); g++; f(1); } assert(l == g); }
        int main(void) { f(__VERIFIER_nondet_int()); return 0; }";
    assert!(!proves(global, &[("f:l", "g")]));
}

#[test]
fn object_whose_address_is_passed_down_may_change() {
    let text = "void set(int *p) { *p = 1; }
        int main(void) { int x = 0; set(&x); assert(x == 0); return 0; }";
    let mut program = program(text);
    let mut precision = Precision::default();
    let mut random = Random::new(1);
    let mut more = random_precision(&mut program, &mut random, 6);
    for predicate in std::mem::take(&mut more.predicates).into_vec() {
        precision.add(predicate);
    }
    let (found, text) = reachable(&mut program, &precision);
    assert!(!found.is_empty(), "{text}");
}

#[test]
fn steps_of_examples_have_their_abstract_steps() {
    let mut followed = 0;
    for name in ["c-lock/lock.c", "c-recursion/walk.c", "c-state-machine/machine.c"] {
        let original = example(name);
        for seed in 0..2 {
            let mut program = original.clone();
            let precision = random_precision(&mut program, &mut Random::new(seed), 5);
            let (abstraction, cfg) = abstracted(&mut abstractor(), &mut program, &precision);
            let code = Compiled::new(&program);
            let mut follower = Follower::new(&program, &precision, &abstraction, &cfg);
            follower.run(&code, &mut Seeded(Random::new(seed)), 60);
            followed += follower.followed;
        }
    }
    assert!(followed > 100, "{followed}");
}

/// A precision of comparisons of one of these variables of a procedure with another, or with a number.
fn adding(program: &mut Program, precision: &mut Precision, left: Term, right: Term) {
    let term = program.store.equal(left, right);
    add(precision, program, term);
}

#[test]
fn callee_tells_how_a_global_variable_changed() {
    // The callee keeps the old value in a parameter, and its caller knows what that was.
    let text = "int g; void f(int old) { g = old + 1; }
        int main(void) { int x = g; f(g); assert(g == x + 1); return 0; }";
    let mut program = program(text);
    let mut precision = Precision::default();
    let (g, x) = (variable(&mut program, "g"), variable(&mut program, "main:x"));
    let old = procedure_parameter(&mut program, "f");
    let one = program.store.bits(32, 1);
    let more = program.store.binary(crate::term::Operator::Add, old, one);
    adding(&mut program, &mut precision, g, more);
    let more = program.store.binary(crate::term::Operator::Add, x, one);
    adding(&mut program, &mut precision, g, more);
    let without = precision.clone();
    adding(&mut program, &mut precision, x, g);
    let (found, text) = reachable(&mut program, &precision);
    assert_eq!(found, [], "{text}");
    assert!(!reachable(&mut program, &without).0.is_empty(), "x was g once");
}

#[test]
fn a_ghost_tells_how_a_global_variable_changed() {
    // Nobody passes the old value; the callee has a word for it.
    let text = "int g; void f(void) { g = g + 1; }
        int main(void) { int x = g; f(); assert(g == x + 1); return 0; }";
    let mut program = program(text);
    let edges = format!("{:?}", program.procedures);
    let mut precision = Precision::default();
    let (g, x) = (variable(&mut program, "g"), variable(&mut program, "main:x"));
    let f = program.procedures.enumerate().find(|(_, it)| it.name == "f").expect("f").0;
    let of = program.store.as_symbol(g).expect("a variable");
    let old = Frozen::new(&mut program).ghost(f, of);
    let (old, one) = (program.store.symbol(old), program.store.bits(32, 1));
    for before in [old, x] {
        adding(&mut program, &mut precision, g, before);
        let more = program.store.add(before, one);
        adding(&mut program, &mut precision, g, more);
    }
    let (found, text) = reachable(&mut program, &precision);
    assert_eq!(found, [], "{text}");
    assert_eq!(format!("{:?}", program.procedures), edges, "the program is not edited");
}

fn procedure_parameter(program: &mut Program, name: &str) -> Term {
    let procedure = program.procedures.iter().find(|procedure| procedure.name == name).expect("it is there");
    let parameter = procedure.parameters[0];
    program.store.symbol(parameter)
}

#[test]
fn global_predicates_are_saved_where_the_old_value_matters() {
    // What the caller gets back speaks of the old value of g, which only a global predicate knew.
    let text = "int g; int f(int p) { g = 7; return p; }
        int main(void) {
            g = __VERIFIER_nondet_int();
            if (g == 3) { int y = f(g); assert(y == 3); }
            return 0;
        }";
    let mut program = program(text);
    let mut precision = precision(&mut program, &[("g", "3")]);
    let id = program.procedures.enumerate().find(|(_, it)| it.name == "f").expect("f").0;
    let parameter = procedure_parameter(&mut program, "f");
    for symbol in program.procedures[id].locals.clone() {
        let crate::term::Sort::Bits(32) = program.store.sort_of_symbol(symbol) else { continue };
        let term = program.store.symbol(symbol);
        if term != parameter {
            adding(&mut program, &mut precision, term, parameter);
        }
    }
    let main = program.procedures.enumerate().find(|(_, it)| it.name == "main").expect("main").0;
    for symbol in program.procedures[main].locals.clone() {
        let crate::term::Sort::Bits(32) = program.store.sort_of_symbol(symbol) else { continue };
        let (term, three) = (program.store.symbol(symbol), program.store.bits(32, 3));
        adding(&mut program, &mut precision, term, three);
    }
    let (_, text) = reachable(&mut program, &precision);
    assert!(text.contains("o0 := b0;"), "{text}");
    assert!(text.contains("schoose[r0 & o0, "), "{text}");
}

#[test]
fn values_at_an_entry_that_hang_together_are_computed_before_the_call() {
    let text = "void f(int p, int q) { assert(p != 1 || q != 2); }
        int main(void) { int x = __VERIFIER_nondet_int(); f(x, x); return 0; }";
    let mut program = program(text);
    let mut precision = precision(&mut program, &[("f:p", "1"), ("f:q", "2")]);
    let main = program.procedures.enumerate().find(|(_, it)| it.name == "main").expect("main").0;
    let passed = program.procedures[main].edges.iter().find_map(|edge| match &edge.action {
        Action::Call { arguments, .. } => Some(arguments.clone()),
        _ => None,
    });
    let passed = passed.expect("a call");
    adding(&mut program, &mut precision, passed[0], passed[1]);
    let (found, text) = reachable(&mut program, &precision);
    assert_eq!(found, [], "{text}");
    assert!(text.contains("a0, a1 :="), "{text}");
}

#[test]
fn contradictions_of_calls_and_returns_exclude_steps() {
    let text = "int g; int f(int p) { g = p; return p; }
        int main(void) { int x = f(__VERIFIER_nondet_int()); assert(x != 1); return 0; }";
    let mut program = program(text);
    let precision = precision(&mut program, &[("f:p", "1"), ("main:x", "1"), ("g", "1")]);
    let (found, _) = reachable(&mut program, &precision);
    let (_, path) = &found[0];
    let call = path.iter().find(|step| step.behind.contains(&(PredicateId::new(0), true)));
    let call = call.unwrap_or_else(|| path.iter().find(|step| step.returns).expect("a call"));
    let place = path.iter().find(|step| step.returns && step.procedure == call.procedure).unwrap_or(call);
    let place = (place.procedure, place.edge);
    let mut tighter = precision.clone();
    for value in [false, true] {
        let never = Exclusion::new(Transition::Edge, vec![], vec![(PredicateId::new(0), value)]);
        tighter.exclude(place, never);
    }
    assert_eq!(reachable(&mut program, &tighter).0, [], "no way into f");
    let mut tighter = precision.clone();
    for value in [false, true] {
        let never = Exclusion::new(Transition::Return, vec![], vec![(PredicateId::new(2), value)]);
        tighter.exclude(place, never);
    }
    assert_eq!(reachable(&mut program, &tighter).0, [], "no way back");
}

/// All equalities of two variables of 32 bits that can be seen in one procedure, and of each with zero.
fn equalities(program: &mut Program, most: usize) -> Precision {
    let mut precision = Precision::default();
    for procedure in program.procedures.ids() {
        let mut symbols = visible(program, procedure);
        symbols.retain(|&symbol| program.store.sort_of_symbol(symbol) == crate::term::Sort::Bits(32));
        let mut terms: Vec<Term> = symbols.iter().map(|&symbol| program.store.symbol(symbol)).collect();
        terms.truncate(most);
        terms.push(program.store.bits(32, 0));
        for left in 0..terms.len() {
            for right in left + 1..terms.len() {
                adding(program, &mut precision, terms[left], terms[right]);
            }
        }
    }
    precision
}

#[test]
fn steps_of_calls_have_their_abstract_steps() {
    let sources = [
        "int g; int f(int p) { g = p; return g + 1; }
            int main(void) { int x = __VERIFIER_nondet_int(); g = x; int y = f(g); y = f(g + y); return y == g; }",
        "int g, h; void set(int *p, int v) { *p = v; h = g; }
            int main(void) { int x = 0; g = __VERIFIER_nondet_int(); set(&x, g); set(&g, x); return x == h; }",
        "int g; int f(int p) { int l = g; if (p != 0) { g = p; l = f(p - 1); } return l; }
            int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 3) x = 2; return f(x) == g; }",
    ];
    let (mut followed, mut prepared) = (0, 0);
    for source in sources {
        let mut program = program(source);
        let precision = equalities(&mut program, 4);
        let (abstraction, cfg) = abstracted(&mut abstractor(), &mut program, &precision);
        let code = Compiled::new(&program);
        for seed in 0..4 {
            let mut follower = Follower::new(&program, &precision, &abstraction, &cfg);
            follower.run(&code, &mut Seeded(Random::new(seed)), 60);
            followed += follower.followed;
            prepared += follower.prepared;
        }
    }
    assert!(followed > 100, "{followed}");
    assert!(prepared > 5, "{prepared}");
}
