//! What a proof rests on: formulas that have no solution, handed out so that others can check it.
//!
//! `Unreachable` is said when the solver has shown that no run violates a property and that no run was given up. Loops and
//! recursion are summarised within that only because the solver has shown that there is nothing more to them. Each
//! of these answers is a *claim*: a list of formulas that contradict each other. A claim that was needed becomes a
//! [`Lemma`], with the formulas as clauses of their own, all assumptions included; `sat::refute` proves it again.
//!
//! What no lemma says: that the formulas are what the program does, and that a list of instances is part of what it was
//! made from. Both are so by construction. Where formulas were simplified to false while they were built, the lemma is
//! trivial; where an unrolling was seen to be an old one as it is written, there is none.

use super::encode::Encoder;
use super::formula::Formula;
pub use super::meaning::Name;
use super::meaning::name;
use super::stage::Stage;
use super::summary::{Body, Summary};
use crate::boolean::cfg::{NodeId, ProcedureId, Program};
use crate::ground::reason::Stop;
use crate::sat::{Cnf, Literal};
use std::collections::BTreeMap;

/// What formulas that contradict each other show.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Claim {
    /// No run violates a property.
    Unviolated,
    /// No run was given up.
    Complete,
    /// The next unrolling of the loop at this node reaches nothing new.
    Covered(NodeId),
    /// A run that goes on in the loop at this node was somewhere twice.
    Recurs(NodeId),
    /// The pieces of this procedure are all that it does.
    Pieces(ProcedureId),
    /// No run of this recursive procedure was given up in a loop or in another procedure.
    Uncut(ProcedureId),
}

/// A formula without a solution, and what it shows.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// A short name, different for each lemma of a proof: `violation`, `loop-2`.
    pub name: String,
    /// What it shows.
    pub shows: Name,
    /// The formula.
    pub formula: Cnf,
    /// What literals of the formula stand for, as far as that is known, by their variables.
    pub meanings: Vec<(Literal, Name)>,
}

/// A proof that is handed out lemma by lemma.
pub type Keep<'k> = dyn FnMut(Lemma) -> Result<(), Stop> + 'k;

/// Hands out what a stage has shown.
///
/// # Errors
/// A limit was reached, or the receiver wants no more.
pub fn hand_out(stage: &Stage<'_>, summary: &Summary, keep: &mut Keep<'_>) -> Result<(), Stop> {
    let with = |formula: Formula| {
        let mut all = stage.switches();
        all.push(formula);
        all
    };
    let last = [(Claim::Unviolated, with(summary.outcome.failed)), (Claim::Complete, with(summary.cut))];
    let mut numbers = BTreeMap::new();
    for (claim, formulas) in last.iter().chain(&stage.claims).filter(|(_, formulas)| !formulas.is_empty()) {
        stage.limits().check()?;
        let number: &mut usize = numbers.entry(stem(*claim)).or_default();
        *number += 1;
        keep(lemma(stage, summary, *claim, *number, formulas))?;
    }
    Ok(())
}

fn stem(claim: Claim) -> &'static str {
    match claim {
        Claim::Unviolated => "violation",
        Claim::Complete => "complete",
        Claim::Covered(_) => "loop",
        Claim::Recurs(_) => "diameter",
        Claim::Pieces(_) => "recursion",
        Claim::Uncut(_) => "uncut",
    }
}

fn lemma(stage: &Stage<'_>, summary: &Summary, claim: Claim, number: usize, formulas: &[Formula]) -> Lemma {
    let mut encoder = Encoder::default();
    formulas.iter().for_each(|&formula| encoder.assert(&stage.store, formula));
    let is_last = matches!(claim, Claim::Unviolated | Claim::Complete);
    let name = if is_last { stem(claim).to_owned() } else { format!("{}-{number}", stem(claim)) };
    let shows = shows(stage.facts.program, claim);
    let mut meanings = inputs(stage, &encoder);
    if is_last {
        meanings.extend(states(stage.facts.program, summary, &encoder));
    }
    meanings.sort_by_key(|(literal, _)| literal.variable());
    Lemma { name, shows, formula: encoder.clauses().clone(), meanings }
}

fn shows(program: &Program, claim: Claim) -> Name {
    let of = |procedure: ProcedureId| &program.procedures[procedure].name;
    match claim {
        Claim::Unviolated => Name::plain("no run violates a property"),
        Claim::Complete => Name::plain("no run needs more unrollings or deeper calls"),
        Claim::Covered(node) => Name::at(
            program,
            node,
            "one more unrolling of the loop reaches only what instances of earlier ones reach",
        ),
        Claim::Recurs(node) => {
            Name::at(program, node, "every run that goes on in the loop was in one of its states twice")
        }
        Claim::Pieces(procedure) => {
            Name::plain(format!("{} does only what is in the list of its pieces", of(procedure)))
        }
        Claim::Uncut(procedure) => Name::plain(format!("no run of {} needs more unrollings", of(procedure))),
    }
}

/// The inputs that a formula has.
fn inputs(stage: &Stage<'_>, encoder: &Encoder) -> Vec<(Literal, Name)> {
    let named = |(node, literal)| {
        let meaning = stage.store.meaning(node)?;
        Some((literal, name(&stage.store, stage.facts.program, meaning)))
    };
    encoder.literals().filter_map(named).collect()
}

/// Which nodes of the first procedure are reached.
fn states(program: &Program, summary: &Summary, encoder: &Encoder) -> Vec<(Literal, Name)> {
    let Body::Unrolled(states) = &summary.body else { return Vec::new() };
    let reached = |state: &super::summary::State| {
        if [Formula::FALSE, Formula::TRUE].contains(&state.guard) {
            return None;
        }
        let literal = encoder.looked_up(state.guard)?;
        Some((literal, Name::at(program, state.node, "the run gets here")))
    };
    states.iter().filter_map(reached).collect()
}
