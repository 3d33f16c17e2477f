//! The abstract transition of one step: new values of predicates, and what old and new values must satisfy.
//!
//! The new value of a predicate is the old value of its weakest precondition. If that is a fact by itself, or its
//! negation, or constant, there is nothing to ask. Otherwise the solver looks for cubes of a few relevant facts that
//! decide it under the guard, so that the transition is exact with respect to these facts. What the facts determine
//! becomes an expression. What they do not is enumerated together with the other undetermined predicates that share
//! variables with it (an input that both read, say), and becomes `*` with constraints; if that is too much, `schoose` for
//! each alone: correlations are lost, which contradictions of the precision mend.

use super::Options;
use super::oracle::Oracle;
use super::relevant::{conjuncts, connected, relevant, slice};
use super::table::{Table, cover};
use super::variables::{Expression, Fact, Variable, disjunction, excluded};
use crate::ground::reason::Stop;
use crate::term::resolve::resolve_where;
use crate::term::substitute::Substitution;
use crate::term::{Node, Store, Symbol, Term};
use std::collections::BTreeSet;

/// A step: where the guard holds, all updates at once.
pub(super) struct Step<'a> {
    /// When it can be taken.
    pub guard: Term,
    /// New values.
    pub updates: &'a [(Symbol, Term)],
    /// What is known before.
    pub facts: &'a [Fact],
    /// What is wanted behind: predicates over the state there.
    pub wanted: &'a [Fact],
}

/// What becomes of a step.
#[derive(Default)]
pub(super) struct Image {
    /// New values; others keep their own.
    pub assignments: Vec<(Variable, Expression)>,
    /// What must hold of old and new values.
    pub constraints: Vec<Expression>,
    /// Variables whose new values the old ones do not determine.
    pub undetermined: Vec<Variable>,
}

/// A value that facts do not determine.
struct Open {
    variable: Variable,
    before: Term,
    facts: Vec<Fact>,
    alone: Expression,
}

/// The value of a term by facts.
pub(super) enum Value {
    /// It is this.
    Determined(Expression),
    /// It is not determined; the best that can be said of it alone, and the facts that were looked at.
    Open(Expression, Vec<Fact>),
}

/// Computes images.
pub(super) struct Imager<'a> {
    pub oracle: &'a mut Oracle,
    pub store: &'a mut Store,
    pub options: &'a Options,
}

impl Imager<'_> {
    /// The image of a step.
    pub fn image(&mut self, step: &Step<'_>) -> Result<Image, Stop> {
        let (guard, before) = self.before(step);
        let mut image = Image { constraints: self.guard(guard, step.facts)?, ..Image::default() };
        let mut open = Vec::new();
        for (wanted, before) in step.wanted.iter().zip(before) {
            match self.value(guard, step.facts, (before, wanted.term))? {
                Value::Determined(value) if value == wanted.variable.now() => {}
                Value::Determined(value) => image.assignments.push((wanted.variable, value)),
                Value::Open(alone, facts) => {
                    open.push(Open { variable: wanted.variable, before, facts, alone });
                }
            }
        }
        image.undetermined = open.iter().map(|open| open.variable).collect();
        for group in self.groups(guard, open) {
            self.group(guard, group, &mut image)?;
        }
        image.assignments.sort_by_key(|&(variable, _)| variable);
        Ok(image)
    }

    /// The guard of a step, and what is wanted behind it as terms over the state before. Reads of memory that the step itself writes are
    /// resolved by what the guard says of addresses: to Z3 a write is a new array, and each read of it a case for its theory of arrays.
    fn before(&mut self, step: &Step<'_>) -> (Term, Vec<Term>) {
        let mut substitution = Substitution::new(step.updates.iter().copied());
        let before: Vec<Term> =
            step.wanted.iter().map(|wanted| substitution.apply(self.store, wanted.term)).collect();
        if !self.options.resolves {
            return (step.guard, before);
        }
        let guard = conjuncts(self.store, step.guard);
        match resolve_where(self.store, &guard, &before) {
            Some((guard, before)) => (self.store.and_all(guard), before),
            None => (step.guard, before),
        }
    }

    /// What facts must satisfy for the guard to hold: each part of it, and what is connected with the part.
    fn guard(&mut self, guard: Term, facts: &[Fact]) -> Result<Vec<Expression>, Stop> {
        if self.store.truth(guard) == Some(true) {
            return Ok(Vec::new());
        }
        let mut constraints = self.necessary(guard, &[])?;
        let mut asked: Vec<Vec<Fact>> = Vec::new();
        for part in conjuncts(self.store, guard) {
            if let Some(value) = self.at_hand(facts, part) {
                constraints.push(value);
                continue;
            }
            let own = self.oracle.about(self.store, part);
            let chosen = relevant(self.oracle, self.store, facts, (&own, guard), self.options.guard);
            if !chosen.is_empty() && !asked.contains(&chosen) {
                constraints.extend(self.necessary(guard, &chosen)?);
                asked.push(chosen);
            }
        }
        let mut unique: Vec<Expression> = Vec::new();
        for constraint in constraints {
            if !unique.contains(&constraint) {
                unique.push(constraint);
            }
        }
        Ok(unique)
    }

    /// Clauses over facts that follow from a condition.
    fn necessary(&mut self, condition: Term, facts: &[Fact]) -> Result<Vec<Expression>, Stop> {
        let atoms: Vec<Term> = facts.iter().map(|fact| fact.term).collect();
        let condition = match facts.is_empty() {
            true => condition,
            false => slice(self.oracle, self.store, condition, &atoms),
        };
        let table = self.oracle.valuations(self.store, condition, &atoms)?;
        let cubes = cover(&table.complement(), &Table::empty(atoms.len()));
        Ok(excluded(&cubes, &now(facts)))
    }

    /// The value of a term where a guard holds, before a step behind which it is that of `wanted`.
    pub fn value(
        &mut self,
        guard: Term,
        facts: &[Fact],
        (term, wanted): (Term, Term),
    ) -> Result<Value, Stop> {
        if let Some(expression) = self.at_hand(facts, term) {
            return Ok(Value::Determined(expression));
        }
        let mut own = (*self.oracle.about(self.store, term)).clone();
        // A cell that is written may be another: then it is as it was.
        let is_cell = |handle: &&Term| matches!(self.store.node(**handle), Node::Select(..));
        own.extend(self.oracle.about(self.store, wanted).iter().filter(is_cell));
        let chosen = relevant(self.oracle, self.store, facts, (&own, guard), self.options.literals);
        let mut atoms: Vec<Term> = chosen.iter().map(|fact| fact.term).collect();
        atoms.push(term);
        let condition = slice(self.oracle, self.store, guard, &atoms);
        atoms.pop();
        let judgement = self.oracle.judge(self.store, condition, &atoms, term)?;
        let (yes, no) = (&judgement.yes, &judgement.no);
        let expressions = now(&chosen);
        if judgement.complete {
            return Ok(Value::Determined(match yes.len() <= no.len() {
                true => disjunction(yes, &expressions),
                false => disjunction(no, &expressions).negate(),
            }));
        }
        let alone = match yes.is_empty() && no.is_empty() {
            true => Expression::choice(),
            false => Expression::schoose(disjunction(yes, &expressions), disjunction(no, &expressions)),
        };
        Ok(Value::Open(alone, chosen))
    }

    /// A value that needs no solver.
    fn at_hand(&mut self, facts: &[Fact], term: Term) -> Option<Expression> {
        if let Some(value) = self.store.truth(term) {
            return Some(Expression::constant(value));
        }
        let negation = self.store.not(term);
        facts.iter().find_map(|fact| match fact.term {
            known if known == term => Some(fact.variable.now()),
            known if known == negation => Some(fact.variable.now().negate()),
            _ => None,
        })
    }

    /// Undetermined values that the guard or facts may relate, together.
    fn groups(&mut self, guard: Term, open: Vec<Open>) -> Vec<Vec<Open>> {
        let mut groups: Vec<(BTreeSet<Term>, Vec<Open>)> = Vec::new();
        for value in open {
            let own = self.oracle.about(self.store, value.before);
            let (_, mut handles) = connected(self.oracle, self.store, &own, guard);
            for fact in &value.facts {
                handles.extend(self.oracle.about(self.store, fact.term).iter().copied());
            }
            let (joined, apart): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|(other, _)| !other.is_disjoint(&handles));
            let mut members = Vec::new();
            for (other, group) in joined {
                handles.extend(other);
                members.extend(group);
            }
            members.push(value);
            groups = apart;
            groups.push((handles, members));
        }
        groups.into_iter().map(|(_, members)| members).collect()
    }

    /// Undetermined values together, if they are few.
    fn group(&mut self, guard: Term, group: Vec<Open>, image: &mut Image) -> Result<(), Stop> {
        if group.len() == 1 || group.len() >= self.options.joint {
            image.assignments.extend(group.into_iter().map(|open| (open.variable, open.alone)));
            return Ok(());
        }
        let mut facts: Vec<Fact> = Vec::new();
        for fact in group.iter().flat_map(|open| &open.facts) {
            if !facts.contains(fact) {
                facts.push(*fact);
            }
        }
        let complete = facts.len() + group.len() <= self.options.joint;
        facts.truncate(self.options.joint - group.len());
        let mut atoms: Vec<Term> = facts.iter().map(|fact| fact.term).collect();
        atoms.extend(group.iter().map(|open| open.before));
        let condition = slice(self.oracle, self.store, guard, &atoms);
        let table = self.oracle.valuations(self.store, condition, &atoms)?;
        let mut expressions = now(&facts);
        expressions.extend(group.iter().map(|open| open.variable.next()));
        let cubes = cover(&table.complement(), &Table::empty(atoms.len()));
        image.constraints.extend(excluded(&cubes, &expressions));
        for open in group {
            // Alone it may depend on facts that the common table has no room for.
            let value = if complete { Expression::choice() } else { open.alone };
            image.assignments.push((open.variable, value));
        }
        Ok(())
    }
}

/// The facts before the step, as expressions.
fn now(facts: &[Fact]) -> Vec<Expression> {
    facts.iter().map(|fact| fact.variable.now()).collect()
}
