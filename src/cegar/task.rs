//! What to verify, how, and who watches.

use super::{Certificates, Engine, Hunt, Iteration, Outcome, Violation};
use crate::abstraction::{self, Abstraction, Goal};
use crate::certify::proof::Invariant;
use crate::checker;
use crate::ground::reason::Reason;
use crate::ground::verdict::Verdict;
use crate::ir::Module;
use crate::predicate::{PathStep, Precision};
use crate::program::{Program, PropertyId, PropertyKind};
use crate::refine::{Refinement, Sources};
use crate::simulate::Infeasible;
use crate::vm;
use std::collections::BTreeSet;

/// How to verify.
#[derive(Clone, Debug)]
pub struct Options {
    /// How precise abstractions are.
    pub abstraction: abstraction::Options,
    /// How Boolean programs are checked.
    pub checker: checker::Options,
    /// Where predicates may come from.
    pub sources: Sources,
    /// So many iterations at most.
    pub iterations: usize,
    /// So many iterations may refine for one property at first, as long as others are open.
    pub patience: usize,
    /// Whether proofs are checked again.
    pub certificate: Certificates,
    /// How long to hunt with random runs first.
    pub hunt: Hunt,
    /// Whether one violation is enough.
    pub stop_at_first: bool,
    /// What decides.
    pub engine: Engine,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            abstraction: abstraction::Options::default(),
            checker: checker::Options::default(),
            sources: Sources::Auto,
            iterations: 1000,
            patience: 12,
            certificate: Certificates::All,
            hunt: Hunt::of(2000),
            stop_at_first: false,
            engine: Engine::default(),
        }
    }
}

/// What to verify.
pub struct Task<'a> {
    /// The program as the machine runs it.
    pub module: &'a Module,
    /// How the machine runs it: as the model was made.
    pub machine: vm::Settings,
    /// The model, with large blocks.
    pub program: &'a mut Program,
    /// Why the model cannot be abstracted, if it cannot.
    pub unready: Option<String>,
    /// What to decide.
    pub properties: Vec<PropertyId>,
    /// A run that ends in a violation of one of these kinds counts even where the model claims nothing.
    pub anywhere: BTreeSet<PropertyKind>,
    /// Makes other models of the same program. Without it the model is that of the whole program, and the only one.
    pub models: Option<&'a dyn Models>,
}

/// A model of a program, ready for the loop.
#[derive(Clone, Debug)]
pub struct Model {
    /// The model, with large blocks.
    pub program: Program,
    /// Why it cannot be abstracted, if it cannot.
    pub unready: Option<String>,
    /// Predicates to start with.
    pub precision: Precision,
    /// Of a slice: how many edges it has, and how many the program has.
    pub edges: Option<(usize, usize)>,
}

/// What a model is for.
#[derive(Clone, Copy, Debug)]
pub enum Scope<'a> {
    /// The whole program.
    Whole,
    /// A slice for these properties: it can do whatever the program can, as far as they are concerned, and more.
    Slice(&'a BTreeSet<PropertyId>),
}

/// Makes models of one program. Properties have the same ids in all of them.
pub trait Models {
    /// The model of this much of the program.
    fn model(&self, scope: Scope<'_>) -> Model;
}

/// The Boolean program of an iteration, and what it was made of.
#[derive(Clone, Copy, Debug)]
pub struct Abstracted<'a> {
    /// The model.
    pub program: &'a Program,
    /// What is tracked.
    pub precision: &'a Precision,
    /// The Boolean program.
    pub abstraction: &'a Abstraction,
}

/// A counterexample of an iteration, and what was made of it.
#[derive(Clone, Copy, Debug)]
pub struct Study<'a> {
    /// The model.
    pub program: &'a Program,
    /// What was tracked.
    pub precision: &'a Precision,
    /// What it violates.
    pub goal: Goal,
    /// Its way through the program.
    pub path: &'a [PathStep],
    /// What was found.
    pub finding: Finding<'a>,
}

/// What was found out about a counterexample.
#[derive(Clone, Copy, Debug)]
pub enum Finding<'a> {
    /// It is looked at no more; with the verdict that it led to, if it led to one.
    Decided(Option<&'a Verdict<Violation>>),
    /// It has no run; why, and what refinement made of it.
    NoRun(&'a Infeasible, &'a Refinement),
}

/// A proof that was checked again and stands.
#[derive(Clone, Copy, Debug)]
pub struct Proven<'a> {
    /// The model that it is about.
    pub program: &'a Program,
    /// What the predicates of the invariant say.
    pub precision: &'a Precision,
    /// The invariant.
    pub invariant: &'a Invariant,
    /// What it proves.
    pub properties: &'a BTreeSet<PropertyId>,
}

/// Watches the loop at work.
pub trait Watcher {
    /// The Boolean program of an iteration.
    fn abstraction(&mut self, iteration: usize, made: &Abstracted<'_>);
    /// What was made of a counterexample.
    fn studied(&mut self, iteration: usize, study: &Study<'_>) {
        let _ = (iteration, study);
    }
    /// A proof stands.
    fn proven(&mut self, proven: &Proven<'_>) {
        let _ = proven;
    }
    /// A property was found to be violated. The result is that of a run that is broken off right now, for this reason.
    fn violated(&mut self, program: &Program, so_far: &dyn Fn(Reason) -> Outcome);
    /// An iteration is done.
    fn iteration(&mut self, number: usize, iteration: &Iteration);
}
