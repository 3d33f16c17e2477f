//! The check for a fixed point: is everything new covered by what is old [Bas10, equation 4.3]?
//!
//! A pair is a value at the entry of a procedure and a state that the procedure reaches from there. The question is
//! whether for all pairs of the new state there are choices with which an old state is the same pair: a quantified
//! formula ∀∃, whose negation is decided by two solvers in turn. The first proposes a new pair. The second looks for an
//! old state that covers it. If there is none, the answer is no. If there is one, its choices are kept as constants: with
//! them the old state covers a whole set of pairs, which the first solver must avoid from then on. When the first
//! solver has no proposal left, everything is covered. (The thesis calls a solver for quantified formulas instead, and
//! finds that this is the bottleneck.)
//!
//! An instance stays one in later unrollings, which have all the old states: each check of a loop begins with those of the
//! checks before it.
//!
//! Only variables that may still be read are compared.

use super::copy::Copy;
use super::encode::Encoder;
use super::evaluate::Valuation;
use super::formula::{Formula, Input, Node, Store};
use super::meaning::Meaning;
use super::stage::Stage;
use crate::boolean::cfg::ProcedureId;
use crate::ground::reason::Stop;
use crate::sat::{Answer, Effort};

/// A symbolic state, as far as it matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Whether a run gets there.
    pub guard: Formula,
    /// The values that matter.
    pub values: Vec<Formula>,
}

impl Pair {
    /// A state with these values, of which those at the positions matter.
    pub fn new(guard: Formula, values: &[Formula], positions: &[usize]) -> Self {
        Self { guard, values: positions.iter().map(|&position| values[position]).collect() }
    }
}

/// Where states are compared.
pub struct Frame<'f> {
    /// In which procedure.
    pub procedure: ProcedureId,
    /// The values at its entry.
    pub entry: &'f [Formula],
    /// The positions of the variables that matter.
    pub positions: &'f [usize],
}

impl Frame<'_> {
    fn meaning(&self, place: usize) -> Meaning {
        Meaning::Compared(self.procedure, self.positions[place])
    }
}

/// Figures of all checks of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Covering {
    /// How many questions were asked of solvers.
    pub questions: u64,
    /// How many instances were needed.
    pub instances: u64,
}

/// The answer of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cover {
    /// Every pair is an old one, because these formulas contradict each other; none of them if the state is an old one
    /// as it is written.
    Covered(Vec<Formula>),
    /// There is a new pair.
    New,
    /// That takes more instances than the stage allows.
    OutOfEffort,
}

/// Whether every pair of a state is one of an old state. Instances of old states that were found before are avoided; those that
/// are found now are added.
///
/// # Errors
/// A limit was reached.
pub fn cover(
    stage: &mut Stage<'_>,
    frame: &Frame<'_>,
    new: &Pair,
    old: &[Pair],
    instances: &mut Vec<Pair>,
) -> Result<Cover, Stop> {
    if old.contains(new) {
        return Ok(Cover::Covered(Vec::new()));
    }
    let differs = |&place: &usize| {
        // The same formula may still have two values: choices of the two states have nothing to do with each other.
        let value = new.values[place];
        is_chosen(&stage.store, value) || old.iter().any(|pair| pair.values[place] != value)
    };
    let places: Vec<usize> = (0..new.values.len()).filter(differs).collect();
    let mut check = Check::new(stage, frame, places);
    check.propose(stage, new);
    check.accept(stage, old);
    instances.iter().for_each(|instance| check.avoid(stage, instance));
    let found = check.run(stage, old, instances);
    stage.covering.questions += check.first.questions + check.second.questions;
    found
}

/// Whether a formula may depend on choices.
fn is_chosen(store: &Store, formula: Formula) -> bool {
    !matches!(store.node(formula), Node::Constant | Node::Input(Input::Entry))
}

/// A check in the making.
struct Check {
    /// Proposes new pairs.
    first: Encoder,
    /// Looks for old states.
    second: Encoder,
    /// The values at the entry, and of the state that is compared.
    shared: Vec<Formula>,
    /// Which values are compared, and the inputs that stand for them.
    compared: Vec<(usize, Formula)>,
    /// Old states that are the compared pair.
    candidates: Vec<Formula>,
    /// What the first solver was told.
    asserted: Vec<Formula>,
}

impl Check {
    fn new(stage: &mut Stage<'_>, frame: &Frame<'_>, places: Vec<usize>) -> Self {
        let compared: Vec<(usize, Formula)> = places
            .into_iter()
            .map(|place| (place, stage.store.input(Input::Entry, frame.meaning(place))))
            .collect();
        let shared = frame.entry.iter().copied().chain(compared.iter().map(|pair| pair.1)).collect();
        let (first, second) = (Encoder::default(), Encoder::default());
        let (candidates, asserted) = (Vec::new(), Vec::new());
        let mut check = Self { first, second, shared, compared, candidates, asserted };
        for switch in stage.switches() {
            check.require(&stage.store, switch);
            check.second.assert(&stage.store, switch);
        }
        check
    }

    /// The first solver proposes only what makes this true.
    fn require(&mut self, store: &Store, formula: Formula) {
        self.first.assert(store, formula);
        self.asserted.push(formula);
    }

    /// The state is the compared pair.
    fn is(&self, store: &mut Store, pair: &Pair) -> Formula {
        let compared = self.compared.iter();
        compared.fold(pair.guard, |all, &(place, input)| {
            let same = store.equal(input, pair.values[place]);
            store.and(all, same)
        })
    }

    fn propose(&mut self, stage: &mut Stage<'_>, new: &Pair) {
        let is_new = self.is(&mut stage.store, new);
        self.require(&stage.store, is_new);
    }

    fn accept(&mut self, stage: &mut Stage<'_>, old: &[Pair]) {
        self.candidates = old.iter().map(|pair| self.is(&mut stage.store, pair)).collect();
        let any = stage.store.any(self.candidates.iter().copied());
        self.second.assert(&stage.store, any);
    }

    fn run(&mut self, stage: &mut Stage<'_>, old: &[Pair], instances: &mut Vec<Pair>) -> Result<Cover, Stop> {
        for _ in 0..stage.mode.instances {
            stage.check()?;
            let limits = stage.limits();
            if self.first.ask(&stage.store, &[], Effort::Unbounded, limits)? == Answer::Unsatisfiable {
                return Ok(Cover::Covered(std::mem::take(&mut self.asserted)));
            }
            let first = &self.first;
            let pair: Vec<Formula> =
                self.shared.iter().map(|&input| input.negated_if(!first.value(input))).collect();
            if self.second.ask(&stage.store, &pair, Effort::Unbounded, limits)? == Answer::Unsatisfiable {
                return Ok(Cover::New);
            }
            stage.covering.instances += 1;
            let instance = self.instance(stage, old);
            self.avoid(stage, &instance);
            instances.push(instance);
        }
        Ok(Cover::OutOfEffort)
    }

    /// The old state that the second solver found, with its choices as constants.
    fn instance(&self, stage: &mut Stage<'_>, old: &[Pair]) -> Pair {
        let second = &self.second;
        let mut valuation = Valuation::new(|input| second.value(input));
        let covers = |&candidate: &Formula| valuation.value(&stage.store, candidate);
        let covering = self.candidates.iter().position(covers);
        let covering = &old[covering.expect("one of them is true")];
        let mut copy = Copy::new([], |_: &mut Store, choice| Formula::constant(second.value(choice)));
        let mut of = |formula| copy.of(&mut stage.store, formula);
        Pair { guard: of(covering.guard), values: covering.values.iter().map(|&value| of(value)).collect() }
    }

    /// The first solver avoids all pairs that an instance covers.
    fn avoid(&mut self, stage: &mut Stage<'_>, instance: &Pair) {
        let covered = self.is(&mut stage.store, instance);
        self.require(&stage.store, !covered);
    }
}
