//! The abstraction against runs of programs, against exact images, and in front of the engines.

mod exactness;
mod examples;
mod follow;
mod lifetime;
mod simulation;

use super::{Abstraction, Abstractor, Options};
use crate::boolean::cfg;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::parse::parse;
use crate::boolean::print::print;
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;
use crate::predicate::{Precision, Predicate, PredicateId, scope_of};
use crate::program::Program;
use crate::term::Term;

/// Adds a predicate to a precision.
fn add(precision: &mut Precision, program: &Program, term: Term) -> PredicateId {
    let scope = scope_of(program, term).expect("variables of one scope");
    precision.add(Predicate { term, scope, iteration: 0, reason: "test".into() }).0
}

/// Abstracts a program, and builds the control-flow graph; the text must mean the same.
fn abstracted(
    abstractor: &mut Abstractor,
    program: &mut Program,
    precision: &Precision,
) -> (Abstraction, cfg::Program) {
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let abstraction = abstractor.abstract_program(program, precision, run).expect("no limit");
    let text = print(&abstraction.program);
    let parsed = parse(&SourceFile::new("test.bp", text.clone()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert_eq!(parsed, abstraction.program, "{text}");
    let cfg = check(&abstraction.program, &CheckOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
        .0;
    assert_eq!(cfg.properties.len(), abstraction.goals().len());
    (abstraction, cfg)
}

/// One that tracks predicates wherever the precision says.
fn abstractor() -> Abstractor {
    Abstractor::new(Options { live_only: false, ..Options::default() }, &Limits::none())
}
