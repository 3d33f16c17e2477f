//! Universal summaries of recursive procedures [Bas10, 4.4].
//!
//! A summary of recursive procedures is a list of *pieces*: instances of a summary for fixed choices, which are functions
//! of the values at the entry. In every round each procedure is unrolled with the pieces found so far in place of
//! recursive calls, and a solver is asked for a run that no piece covers; its choices give the next piece. When a round
//! finds nothing, the pieces are all that the procedures can do, whatever the caller: the least fixed point.
//!
//! This is the check of equation 4.3 for a round and the one before it, with its instances kept. The thesis copies the
//! summary of nesting depth n at each recursive call to get that of depth n + 1, and bounds the depth by theorem 4.5;
//! such copies grow exponentially. Pieces do not, as long as there are few of them, and rounds end at that bound at
//! the latest, because from there on nothing is new. If there are more pieces or rounds than the stage allows, the rest
//! is cut.

use super::copy::Copy;
use super::encode::Encoder;
use super::formula::{Formula, Input, Store};
use super::meaning::Meaning;
use super::stage::{Claim, Stage, copied};
use super::summary::{Body, Outcome, Piece, Summary};
use super::unroll::Unroll;
use crate::boolean::cfg::ProcedureId;
use crate::ground::index::Index;
use crate::ground::reason::Stop;
use crate::sat::{Answer, Effort};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Sets the summaries of procedures that call each other.
///
/// # Errors
/// A limit was reached.
pub fn summarise(stage: &mut Stage<'_>, members: &[ProcedureId]) -> Result<(), Stop> {
    let mut rounds = Rounds { pieces: vec![Vec::new(); members.len()], closed: BTreeSet::new() };
    // In the rounds a recursive call does what the pieces tell, and nothing else: that it is cut is told at the end.
    rounds.set_all(stage, members, Formula::FALSE);
    let before = stage.claims.len();
    for _ in 0..stage.mode.nesting {
        // The proof needs the last round alone: that the pieces are closed under one more call.
        stage.claims.truncate(before);
        match rounds.next(stage, members)? {
            Round::Grown => {}
            Round::Same => return Ok(()),
            Round::Cut => break,
        }
    }
    stage.claims.truncate(before);
    rounds.set_all(stage, members, Formula::TRUE);
    Ok(())
}

/// What was found so far, for each of the procedures.
struct Rounds {
    pieces: Vec<Vec<Rc<Piece>>>,
    closed: BTreeSet<ProcedureId>,
}

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// There are new pieces.
    Grown,
    /// There are none.
    Same,
    /// Runs are missing that more rounds would not find.
    Cut,
}

impl Rounds {
    /// One round: every procedure is unrolled once.
    fn next(&mut self, stage: &mut Stage<'_>, members: &[ProcedureId]) -> Result<Round, Stop> {
        let mut round = Round::Same;
        for (place, &member) in members.iter().enumerate() {
            let summary = Rc::new(Unroll::run(stage, member)?);
            self.closed.extend(&summary.closed);
            let before = self.pieces[place].len();
            let complete = extend(stage, &summary, &mut self.pieces[place])?;
            self.set(stage, member, place, Formula::FALSE);
            if !complete || may_be_cut(stage, &summary)? {
                round = Round::Cut;
            } else if self.pieces[place].len() > before && round == Round::Same {
                round = Round::Grown;
            }
        }
        Ok(round)
    }

    fn set(&self, stage: &mut Stage<'_>, member: ProcedureId, place: usize, cut: Formula) {
        let summary = joined(stage, member, &self.pieces[place], cut, &self.closed);
        stage.set(summary);
    }

    fn set_all(&self, stage: &mut Stage<'_>, members: &[ProcedureId], cut: Formula) {
        for (place, &member) in members.iter().enumerate() {
            self.set(stage, member, place, cut);
        }
    }
}

/// Whether a run is given up in a loop, or in a callee that is not one of the recursive procedures.
fn may_be_cut(stage: &mut Stage<'_>, summary: &Summary) -> Result<bool, Stop> {
    if summary.cut == Formula::FALSE {
        return Ok(false);
    }
    let mut question = stage.switches();
    question.push(summary.cut);
    stage.covering.questions += 1;
    let answer = Encoder::default().ask(&stage.store, &question, Effort::Unbounded, stage.limits())?;
    if answer != Answer::Unsatisfiable {
        return Ok(true);
    }
    stage.claim(Claim::Uncut(summary.procedure), question);
    Ok(false)
}

/// Adds pieces until they cover a summary. False: there are too many.
fn extend(stage: &mut Stage<'_>, summary: &Rc<Summary>, pieces: &mut Vec<Rc<Piece>>) -> Result<bool, Stop> {
    let mut search = Search::new(stage, summary);
    for piece in pieces.iter() {
        search.exclude(stage, &piece.outcome);
    }
    loop {
        stage.check()?;
        stage.covering.questions += 1;
        if search.encoder.ask(&stage.store, &[], Effort::Unbounded, stage.limits())? == Answer::Unsatisfiable
        {
            stage.claim(Claim::Pieces(summary.procedure), search.asserted);
            return Ok(true);
        }
        if pieces.len() >= stage.mode.instances {
            return Ok(false);
        }
        stage.covering.instances += 1;
        let piece = search.piece(stage, summary);
        search.exclude(stage, &piece.outcome);
        pieces.push(Rc::new(piece));
    }
}

/// The search for runs that no piece covers.
struct Search {
    encoder: Encoder,
    /// What the solver was told.
    asserted: Vec<Formula>,
    failed: Formula,
    /// Positions of the globals that are compared, and the inputs that stand for them.
    globals: Vec<(usize, Formula)>,
    /// Inputs that stand for the returned values.
    values: Vec<Formula>,
}

impl Search {
    /// Runs of a summary that return or fail.
    fn new(stage: &mut Stage<'_>, summary: &Summary) -> Self {
        let procedure = summary.procedure;
        let live = stage.facts.liveness.live_at_return(procedure);
        let written = stage.facts.touched.may_write(procedure);
        let compared: Vec<usize> =
            written.iter().filter(|&global| live.contains(global)).map(Index::index).collect();
        let store = &mut stage.store;
        let globals = compared
            .into_iter()
            .map(|global| (global, store.input(Input::Entry, Meaning::Compared(procedure, global))))
            .collect();
        let values = summary
            .outcome
            .values
            .iter()
            .map(|_| store.input(Input::Entry, Meaning::End(procedure)))
            .collect();
        let failed = store.input(Input::Entry, Meaning::End(procedure));
        let (encoder, asserted) = (Encoder::default(), Vec::new());
        let mut search = Self { encoder, asserted, failed, globals, values };
        for switch in stage.switches() {
            search.require(&stage.store, switch);
        }
        let ends = search.is(&mut stage.store, &summary.outcome);
        search.require(&stage.store, ends);
        search
    }

    fn require(&mut self, store: &Store, formula: Formula) {
        self.encoder.assert(store, formula);
        self.asserted.push(formula);
    }

    /// The run ends as the inputs tell. Where it fails, nothing else matters.
    fn is(&self, store: &mut Store, outcome: &Outcome) -> Formula {
        let fails = store.and(self.failed, outcome.failed);
        let mut returns = store.and(!self.failed, outcome.returned);
        let globals = self.globals.iter().map(|&(global, input)| (input, outcome.globals[global]));
        for (input, value) in globals.chain(self.values.iter().copied().zip(outcome.values.iter().copied())) {
            let same = store.equal(input, value);
            returns = store.and(returns, same);
        }
        store.or(fails, returns)
    }

    fn exclude(&mut self, stage: &mut Stage<'_>, covered: &Outcome) {
        let covered = self.is(&mut stage.store, covered);
        self.require(&stage.store, !covered);
    }

    /// The piece with the choices of the run that was found.
    fn piece(&self, stage: &mut Stage<'_>, summary: &Rc<Summary>) -> Piece {
        let mut copy = Copy::new([], |_: &mut Store, choice| Formula::constant(self.encoder.value(choice)));
        let outcome = copied(&mut copy, &mut stage.store, &summary.outcome);
        Piece { summary: Rc::clone(summary), choices: self.encoder.true_inputs(&stage.store), outcome }
    }
}

/// One summary of many pieces: choices are the bits of the number of the piece. A number that is none means that the run
/// is none, or is cut.
fn joined(
    stage: &mut Stage<'_>,
    procedure: ProcedureId,
    pieces: &[Rc<Piece>],
    cut: Formula,
    closed: &BTreeSet<ProcedureId>,
) -> Summary {
    let entry = stage.entry(procedure);
    let bits: Vec<Formula> = (0..usize::BITS - pieces.len().leading_zeros())
        .map(|_| stage.store.input(Input::Choice, Meaning::Piece(procedure)))
        .collect();
    let store = &mut stage.store;
    let column = |store: &mut Store, of: &dyn Fn(&Outcome) -> Formula| {
        let column: Vec<Formula> = pieces.iter().map(|piece| of(&piece.outcome)).collect();
        selected(store, &bits, &column, Formula::FALSE)
    };
    let returned = column(store, &|outcome| outcome.returned);
    let failed = column(store, &|outcome| outcome.failed);
    let returns = stage.facts.program.procedures[procedure].returns;
    let globals =
        (0..entry.globals.len()).map(|place| column(store, &|outcome| outcome.globals[place])).collect();
    let values = (0..returns).map(|place| column(store, &|outcome| outcome.values[place])).collect();
    let none = selected(store, &bits, &vec![Formula::FALSE; pieces.len()], Formula::TRUE);
    let cut = store.and(none, cut);
    let outcome = Outcome { returned, failed, globals, values };
    let body = Body::Pieces(bits, pieces.to_vec());
    Summary { procedure, entry, outcome, cut, body, closed: closed.clone() }
}

/// The item of a list whose number the bits tell; something else where there is none.
fn selected(store: &mut Store, bits: &[Formula], list: &[Formula], otherwise: Formula) -> Formula {
    let mut items = list.to_vec();
    items.resize(1 << bits.len(), otherwise);
    for &bit in bits {
        items = items.chunks(2).map(|pair| store.choose(bit, pair[1], pair[0])).collect();
    }
    items[0]
}
