//! Proofs by hand, and what is left of them when a part is taken away: the check must notice.

mod calls;
mod loops;

use super::{Atom, Certificate, Claim, DecisionId, Invariant, check_proof};
use crate::ground::limits::Limits;
use crate::predicate::{Precision, Predicate, PredicateId, PredicateScope};
use crate::program::generate::Builder;
use crate::program::{LocationId, ProcedureId, Program, PropertyId, well_formed};
use crate::term::{Operator, Symbol, Term};

/// A disjunction of conjunctions of literals.
type Cubes = Vec<Vec<(Atom, bool)>>;

/// A program, what is known of it, and what is claimed.
struct Case {
    builder: Builder,
    precision: Precision,
    claimed: Vec<PropertyId>,
    /// What holds at each location; where there is nothing, no run gets.
    sets: Vec<(ProcedureId, LocationId, Cubes)>,
}

impl Case {
    fn new(builder: Builder) -> Self {
        Self { builder, precision: Precision::default(), claimed: Vec::new(), sets: Vec::new() }
    }

    fn predicate(&mut self, term: Term) -> PredicateId {
        let scope = PredicateScope::Global;
        self.precision.predicates.push(Predicate { term, scope, iteration: 0, reason: "test".into() })
    }

    fn set(&mut self, procedure: ProcedureId, location: LocationId, cubes: &[&[(Atom, bool)]]) {
        let cubes = cubes.iter().map(|cube| cube.to_vec()).collect();
        self.sets.retain(|&(other, at, _)| (other, at) != (procedure, location));
        self.sets.push((procedure, location, cubes));
    }

    fn invariant(&self) -> Invariant {
        let mut invariant = Invariant::nowhere(&self.builder.program);
        for (procedure, location, cubes) in &self.sets {
            let set = union(&mut invariant, cubes);
            invariant.set(*procedure, *location, set);
        }
        invariant
    }

    fn check(&self) -> Certificate {
        let invariant = self.invariant();
        assert_eq!(well_formed::check(&self.builder.program), []);
        let properties = self.claimed.iter().copied().collect();
        let claim = Claim {
            program: &self.builder.program,
            precision: &self.precision,
            invariant: &invariant,
            properties: &properties,
        };
        check_proof(claim, &Limits::none())
    }

    fn is_certified(&self) -> bool {
        matches!(self.check(), Certificate::Certified { .. })
    }

    /// Why the proof is rejected.
    fn rejected(&self) -> String {
        match self.check() {
            Certificate::Rejected(why) => why,
            other => panic!("{other:?}"),
        }
    }

    fn program(&mut self) -> &mut Program {
        &mut self.builder.program
    }

    fn is(&mut self, symbol: Symbol, value: u128) -> Term {
        let (left, right) = (self.builder.read(symbol), self.builder.bits(value));
        self.program().store.equal(left, right)
    }

    fn sum(&mut self, left: Term, right: Term) -> Term {
        self.program().store.binary(Operator::Add, left, right)
    }
}

/// A disjunction of conjunctions as a diagram.
fn union(invariant: &mut Invariant, cubes: &[Vec<(Atom, bool)>]) -> DecisionId {
    let mut otherwise = invariant.constant(false);
    for cube in cubes {
        let mut set = invariant.constant(true);
        for &(atom, value) in cube {
            let (no, yes) = if value { (otherwise, set) } else { (set, otherwise) };
            set = invariant.choice(atom, no, yes);
        }
        otherwise = set;
    }
    otherwise
}

fn now(predicate: PredicateId) -> (Atom, bool) {
    (Atom::Now(predicate), true)
}

fn not_now(predicate: PredicateId) -> (Atom, bool) {
    (Atom::Now(predicate), false)
}
