//! What a procedure does, as formulas over the values at its entry and the choices of its runs [Bas10, 4.2].
//!
//! Values at the entry and choices together determine one run: it returns, or it violates a property, or it is *cut*
//! (it needs more unrollings than were made), or it blocks. A summary is *universal* if `cut` is false: then nothing that
//! the procedure can do is missing, whatever the caller.

use super::formula::Formula;
use crate::boolean::cfg::{NodeId, ProcedureId, PropertyId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The values at the entry of a procedure.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The globals.
    pub globals: Vec<Formula>,
    /// The parameters.
    pub parameters: Vec<Formula>,
}

impl Entry {
    /// All of them.
    pub fn inputs(&self) -> impl Iterator<Item = Formula> + '_ {
        self.globals.iter().chain(&self.parameters).copied()
    }
}

/// How runs of a procedure end.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The run returns.
    pub returned: Formula,
    /// The run violates a property.
    pub failed: Formula,
    /// The globals when it returns.
    pub globals: Vec<Formula>,
    /// The returned values.
    pub values: Vec<Formula>,
}

/// The summary of a procedure.
pub struct Summary {
    /// The procedure.
    pub procedure: ProcedureId,
    /// The values at its entry.
    pub entry: Entry,
    /// How its runs end.
    pub outcome: Outcome,
    /// The run is given up: too few unrollings, here or in a callee.
    pub cut: Formula,
    /// How to read a run back.
    pub body: Body,
    /// The procedures that stand for anything in it: they may do what they never do.
    pub closed: BTreeSet<ProcedureId>,
}

/// Where a summary comes from.
pub enum Body {
    /// The procedure was unrolled: its symbolic states, the first one at the entry.
    Unrolled(Vec<State>),
    /// It is a choice among pieces: these bits, lowest first, are the number of the piece.
    Pieces(Vec<Formula>, Vec<Rc<Piece>>),
}

/// A symbolic state ⟨pc, γ, ω⟩ [Bas10, definition 3.3].
pub struct State {
    /// Where.
    pub node: NodeId,
    /// The guard: the run gets here.
    pub guard: Formula,
    /// The globals, then the locals of the procedure.
    pub values: Vec<Formula>,
    /// What may happen next; the guards exclude each other.
    pub edges: Vec<Edge>,
}

/// A step from a symbolic state.
pub struct Edge {
    /// The run takes it.
    pub guard: Formula,
    /// Where it leads.
    pub end: End,
    /// The call that it makes, if it makes one.
    pub call: Option<Rc<Application>>,
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// To the state with this number.
    State(usize),
    /// The procedure returns.
    Returned,
    /// This property is violated here.
    Violated(PropertyId),
    /// The callee violates a property.
    Inside,
    /// To a state that was not executed.
    Open,
}

/// A call, and what stands for it.
pub struct Application {
    /// The callee.
    pub callee: ProcedureId,
    /// Its summary; none where it may do anything.
    pub summary: Option<Rc<Summary>>,
    /// What inputs of the summary have become here.
    pub images: Vec<(Formula, Formula)>,
}

/// What a procedure does for fixed choices: an instance of a summary, without choices.
pub struct Piece {
    /// What it is an instance of.
    pub summary: Rc<Summary>,
    /// The choices that are true, by their nodes.
    pub choices: FxHashSet<usize>,
    /// How its runs end.
    pub outcome: Outcome,
}
