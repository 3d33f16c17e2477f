//! Generated programs: what the engine reaches is an invariant of the program, and what is taken away from it is missed.
//!
//! The oracle is runs of the program: a set that some run leaves must be rejected, whatever was done to it.

use super::{Certified, Proof, certificates, rejected, told};
use crate::abstraction::{Abstractor, Options};
use crate::boolean::check::{CheckOptions, check};
use crate::cegar::{Initial, initial};
use crate::certify::proof::{Atom, Certificate, Claim, Decision, DecisionId, Invariant, check_proof};
use crate::ground::event::Silent;
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::predicate::{Precision, PredicateId, scope_of};
use crate::program::generate::{Random, Shape, program};
use crate::program::run::{self, Chooser, Compiled, Execution, Outcome, Recording, ThreadId};
use crate::program::{Action, EdgeId, LocationId, ProcedureId, Program, PropertyId, Role, Scope};
use crate::term::evaluate::{ArrayValue, Assignment, Value};
use crate::term::{Sort, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many predicates are tracked at most.
const MOST: usize = 9;

/// Values of atoms at a location, in a run.
type Seen = (ProcedureId, LocationId, BTreeMap<Atom, bool>);

/// A generated program, and what the engine says of it.
struct Generated {
    program: Program,
    precision: Precision,
    invariant: Invariant,
    proven: BTreeSet<PropertyId>,
}

/// The latest proof is asked first; what no proof proves is rejected.
#[test]
fn claims_that_the_engine_does_not_confirm_are_rejected() {
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let mut seeds = (0..).map(|seed| {
        let (program, proof) = proof_of(seed);
        let all: BTreeSet<PropertyId> = program.properties.ids().collect();
        let (proven, _) = proof.invariant(&program, &all, run).expect("no limit");
        (program, proof, all, proven)
    });
    let some = |(.., all, proven): &(_, _, BTreeSet<_>, BTreeSet<_>)| !proven.is_empty() && proven != all;
    let (program, proof, all, proven) = seeds.find(some).expect("a program that is partly proven");
    let found = certificates(&program, &[proof], all.clone(), run, &mut |_| {});
    let [(some, Certificate::Certified { .. }), (others, Certificate::Rejected(why))] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!((some, others), (&proven, &all.difference(&proven).copied().collect()));
    assert_eq!(rejected(&found).collect::<Vec<_>>(), [(others, &**why)]);
    assert!(matches!(told(&found, "checked"), Certified::Rejected(_)));
    let stopped = Limits::none();
    stopped.interrupt();
    let found = certificates(&program, &[], all, Run { limits: &stopped, observer: &Silent }, &mut |_| {});
    assert_eq!(told(&found, "checked"), Certified::No("interrupted".to_owned()));
}

/// A program without what is not modelled, over the atoms of its conditions; some are tracked in some places only.
fn proof_of(seed: u64) -> (Program, Proof) {
    let mut program = program(seed, Shape::Choices);
    for procedure in program.procedures.iter_mut() {
        for edge in procedure.edges.iter_mut().filter(|edge| matches!(edge.action, Action::Unsupported(_))) {
            edge.action = Action::End;
        }
    }
    let mut precision = Precision::default();
    initial(&mut program, &mut precision, Initial::Guards);
    let mut random = Random::new(seed ^ 0xcafe);
    let mut all = std::mem::take(&mut precision.predicates).into_vec();
    while all.len() > MOST {
        all.swap_remove(random.below(all.len()));
    }
    all.into_iter().for_each(|predicate| _ = precision.add(predicate));
    for (id, predicate) in precision.predicates.enumerate() {
        if let Some(crate::predicate::PredicateScope::Local(procedure)) = scope_of(&program, predicate.term)
            && random.below(4) == 0
        {
            let locations = program.procedures[procedure].locations.ids();
            precision.places.insert(id, locations.filter(|_| random.below(3) > 0).collect());
        }
    }
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let abstraction = Abstractor::new(Options::default(), &limits)
        .abstract_program(&mut program, &precision, run)
        .expect("no limit");
    let graph = check(&abstraction.program, &CheckOptions::default()).expect("a program").0;
    (program, Proof { precision, abstraction, graph })
}

fn generated(seed: u64) -> Generated {
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let (program, proof) = proof_of(seed);
    let all = program.properties.ids().collect();
    let (proven, invariant) = proof.invariant(&program, &all, run).expect("no limit");
    Generated { program, precision: proof.precision, invariant, proven }
}

impl Generated {
    fn check(&self, invariant: &Invariant, properties: &BTreeSet<PropertyId>) -> Certificate {
        let claim = Claim { program: &self.program, precision: &self.precision, invariant, properties };
        check_proof(claim, &Limits::none())
    }

    /// What some runs come by, and the properties that they violate.
    fn runs(&self, seed: u64) -> (Vec<Seen>, BTreeSet<PropertyId>) {
        let code = Compiled::new(&self.program);
        let (mut seen, mut violated) = (Vec::new(), BTreeSet::new());
        for number in 0..5 {
            let mut chooser = Seeded(Random::new(seed * 100 + number));
            let mut execution = Execution::new(&code, Recording::Nothing);
            let mut entries: Vec<BTreeMap<PredicateId, bool>> = Vec::new();
            for _ in 0..40 {
                let (procedure, location) = execution.location(ThreadId::new(0)).expect("one thread");
                let values = self.values(&execution, procedure);
                let depth = execution.depth(ThreadId::new(0));
                entries.truncate(depth);
                if entries.len() < depth {
                    entries.push(values.clone());
                }
                let entry = entries[depth - 1].iter().map(|(&id, &value)| (Atom::Entry(id), value));
                let now = values.iter().map(|(&id, &value)| (Atom::Now(id), value));
                seen.push((procedure, location, entry.chain(now).collect()));
                match execution.step(&mut chooser) {
                    Some(Outcome::Violated(property)) => _ = violated.insert(property),
                    None => continue,
                    Some(_) => {}
                }
                break;
            }
        }
        (seen, violated)
    }

    /// The predicates of the last activation.
    fn values(&self, execution: &Execution<'_>, procedure: ProcedureId) -> BTreeMap<PredicateId, bool> {
        let mut state = Assignment::new();
        for (symbol, variable) in self.program.variables.enumerate() {
            if variable.scope == Scope::Global || variable.scope == Scope::Local(procedure) {
                let value = execution.value(ThreadId::new(0), symbol);
                state.insert(symbol, converted(self.program.store.sort_of_symbol(symbol), value));
            }
        }
        let visible = self.precision.predicates.enumerate().filter(|(_, predicate)| {
            let symbols = self.program.store.free_symbols(predicate.term);
            symbols.into_iter().all(|symbol| state.contains_key(&symbol))
        });
        let truth = |term| self.program.store.evaluate(term, &state).expect("all are known").as_bool();
        visible.map(|(id, predicate)| (id, truth(predicate.term))).collect()
    }
}

fn converted(sort: Sort, value: Option<run::Value>) -> Value {
    match (sort, value) {
        (Sort::Boolean, Some(run::Value::Scalar(value))) => Value::Bool(value == 1),
        (_, Some(run::Value::Scalar(value))) => Value::Bits(value),
        (_, Some(run::Value::Array(contents))) => {
            let mut array = ArrayValue::constant(contents.rest.unwrap_or(0));
            contents.cells.iter().for_each(|(&index, &element)| array.set(index, element));
            Value::Array(Rc::new(array))
        }
        (sort, None) => Value::zero(sort),
    }
}

/// Mostly small values, so that predicates change.
struct Seeded(Random);

impl Chooser for Seeded {
    fn input(&mut self, _: Symbol, _: &Role, _: u32) -> u128 {
        match self.0.below(4) {
            0 => u128::from(self.0.next()),
            _ => self.0.below(5) as u128,
        }
    }

    fn edge(&mut self, _: ProcedureId, enabled: &[EdgeId]) -> usize {
        self.0.below(enabled.len())
    }
}

/// Whether a valuation is in a set.
fn contains(invariant: &Invariant, mut set: DecisionId, values: &BTreeMap<Atom, bool>) -> bool {
    loop {
        match invariant.decision(set) {
            Decision::Constant(value) => return value,
            Decision::Choice { atom, no, yes } => set = if values[&atom] { yes } else { no },
        }
    }
}

/// A set with another one in place of all valuations: the intersection.
fn intersection(invariant: &mut Invariant, set: DecisionId, other: DecisionId) -> DecisionId {
    let mut sets = BTreeMap::new();
    for id in invariant.reachable(&[set]) {
        let new = match invariant.decision(id) {
            Decision::Constant(true) => other,
            Decision::Constant(false) => id,
            Decision::Choice { atom, no, yes } => invariant.choice(atom, sets[&no], sets[&yes]),
        };
        sets.insert(id, new);
    }
    sets[&set]
}

/// All valuations but these.
fn all_but(invariant: &mut Invariant, values: &BTreeMap<Atom, bool>) -> DecisionId {
    let everything = invariant.constant(true);
    let mut set = invariant.constant(false);
    for (&atom, &value) in values {
        let (no, yes) = if value { (everything, set) } else { (set, everything) };
        set = invariant.choice(atom, no, yes);
    }
    set
}

fn goes_on(program: &Program, (procedure, location, _): &Seen) -> bool {
    program.procedures[*procedure].edges.iter().any(|edge| edge.from == *location)
}

/// How often something was tried.
#[derive(Default, Debug)]
struct Tally {
    proven: usize,
    taken_away: usize,
    rejected: usize,
    kept: usize,
    violated: usize,
}

impl Generated {
    /// What the engine reaches is an invariant.
    fn stands(&self, seen: &[Seen], violated: &BTreeSet<PropertyId>) {
        assert!(self.proven.is_disjoint(violated));
        for (procedure, location, values) in seen {
            let set = self.invariant.at(*procedure, *location);
            assert!(contains(&self.invariant, set, values), "{procedure:?} {location:?}");
        }
        let found = self.check(&self.invariant, &self.proven);
        assert!(matches!(found, Certificate::Certified { .. }), "{found:?}");
    }

    /// The invariant with less at a location.
    fn stronger(
        &self,
        procedure: ProcedureId,
        location: LocationId,
        forbidden: &BTreeMap<Atom, bool>,
    ) -> Invariant {
        let mut invariant = self.invariant.clone();
        let rest = all_but(&mut invariant, forbidden);
        let set = invariant.at(procedure, location);
        let set = intersection(&mut invariant, set, rest);
        invariant.set(procedure, location, set);
        invariant
    }

    /// A state that is taken away is missed.
    fn taken_away(&self, seen: &[Seen], random: &mut Random, tally: &mut Tally) {
        let left: Vec<&Seen> = seen.iter().filter(|state| goes_on(&self.program, state)).collect();
        let (procedure, location, values) = left[random.below(left.len())];
        let found = self.check(&self.stronger(*procedure, *location, values), &BTreeSet::new());
        assert!(matches!(found, Certificate::Rejected(_)), "{found:?}");
        tally.taken_away += 1;
    }

    /// A set that is made stronger is rejected if a run leaves it.
    fn made_stronger(&self, seen: &[Seen], random: &mut Random, tally: &mut Tally) {
        let (procedure, location, values) = &seen[random.below(seen.len())];
        let Some((&atom, _)) = values.iter().nth(random.below(values.len().max(1))) else { return };
        let invariant = self.stronger(*procedure, *location, &BTreeMap::from([(atom, random.below(2) == 0)]));
        let set = invariant.at(*procedure, *location);
        let leaves = |state: &Seen| {
            (state.0, state.1) == (*procedure, *location)
                && goes_on(&self.program, state)
                && !contains(&invariant, set, &state.2)
        };
        match self.check(&invariant, &BTreeSet::new()) {
            Certificate::Rejected(_) => tally.rejected += 1,
            Certificate::Certified { .. } if !seen.iter().any(leaves) => tally.kept += 1,
            other => panic!("{other:?}"),
        }
    }

    /// What a run violates cannot be claimed.
    fn claimed(&self, violated: &BTreeSet<PropertyId>, tally: &mut Tally) {
        for &property in violated {
            let found = self.check(&self.invariant, &BTreeSet::from([property]));
            assert!(matches!(found, Certificate::Rejected(_)), "{found:?}");
            tally.violated += 1;
        }
    }
}

fn try_seed(seed: u64, tally: &mut Tally) {
    let it = generated(seed);
    let (seen, violated) = it.runs(seed);
    it.stands(&seen, &violated);
    tally.proven += it.proven.len();
    let mut random = Random::new(seed);
    for _ in 0..2 {
        it.taken_away(&seen, &mut random, tally);
        it.made_stronger(&seen, &mut random, tally);
    }
    it.claimed(&violated, tally);
}

#[test]
fn invariants_of_generated_programs_stand_and_mutations_are_rejected() {
    let mut tally = Tally::default();
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse().ok());
    let first: u64 = number("BOOLERO_SEED").unwrap_or(0);
    let count = number("BOOLERO_COUNT").unwrap_or(8);
    (first..first + count).for_each(|seed| try_seed(seed, &mut tally));
    assert!(tally.proven > 3 && tally.rejected > 8 && tally.violated > 0, "{tally:?}");
    assert!(tally.taken_away == 2 * usize::try_from(count).expect("not so many"), "{tally:?}");
}
