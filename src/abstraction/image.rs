//! The abstract transition of one step: new values of predicates, and what old and new values must satisfy.
//!
//! The new value of a predicate is the old value of its weakest precondition. If that is a fact by itself, or its
//! negation, or constant, there is nothing to ask. Otherwise all values that it can have together with a few relevant
//! facts are enumerated under the guard, so that the transition is exact with respect to these facts. What the facts
//! determine becomes an expression. What they do not is enumerated together with the other undetermined predicates that
//! share symbols with it (an input that both read, say), and becomes `*` with constraints; if that is too much,
//! `schoose` for each alone: correlations are lost, which contradictions of the precision mend.

use super::Options;
use super::oracle::Oracle;
use super::relevant::{conjuncts, connected, relevant};
use super::table::{Table, cover};
use super::variables::{Expression, Fact, Variable, disjunction, excluded};
use crate::ground::reason::Stop;
use crate::term::substitute::Substitution;
use crate::term::{Store, Symbol, Term};
use std::collections::BTreeSet;

/// So many facts are tried before all of them.
const FEW: [usize; 2] = [1, 3];

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
        let mut image = Image { constraints: self.guard(step.guard, step.facts)?, ..Image::default() };
        let mut substitution = Substitution::new(step.updates.iter().copied());
        let mut open = Vec::new();
        for wanted in step.wanted {
            let before = substitution.apply(self.store, wanted.term);
            match self.value(step.guard, step.facts, before)? {
                Value::Determined(value) if value == wanted.variable.now() => {}
                Value::Determined(value) => image.assignments.push((wanted.variable, value)),
                Value::Open(alone, facts) => {
                    open.push(Open { variable: wanted.variable, before, facts, alone });
                }
            }
        }
        image.undetermined = open.iter().map(|open| open.variable).collect();
        for group in self.groups(step.guard, open) {
            self.group(step.guard, group, &mut image)?;
        }
        image.assignments.sort_by_key(|&(variable, _)| variable);
        Ok(image)
    }

    /// What facts must satisfy for the guard to hold. If there are too many for one table, each part of the guard gets
    /// its own.
    fn guard(&mut self, guard: Term, facts: &[Fact]) -> Result<Vec<Expression>, Stop> {
        let most = self.options.literals;
        let parts = conjuncts(self.store, guard);
        let (chosen, direct) = relevant(self.oracle, self.store, facts, (guard, guard), most);
        let mut constraints = self.necessary(guard, &chosen)?;
        if direct > most && parts.len() > 1 {
            for part in parts {
                let (chosen, _) = relevant(self.oracle, self.store, facts, (part, guard), most);
                constraints.extend(self.necessary(guard, &chosen)?);
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
        if self.store.truth(condition) == Some(true) {
            return Ok(Vec::new());
        }
        let atoms: Vec<Term> = facts.iter().map(|fact| fact.term).collect();
        let table = self.oracle.valuations(self.store, condition, &atoms)?;
        let cubes = cover(&table.complement(), &Table::empty(atoms.len()));
        Ok(excluded(&cubes, &now(facts)))
    }

    /// The value of a term where a guard holds.
    pub fn value(&mut self, guard: Term, facts: &[Fact], term: Term) -> Result<Value, Stop> {
        if let Some(expression) = self.at_hand(facts, term) {
            return Ok(Value::Determined(expression));
        }
        let most = self.options.literals;
        let (chosen, _) = relevant(self.oracle, self.store, facts, (term, guard), most);
        // Often the best facts are enough: a write elsewhere in memory leaves a predicate as it is.
        for few in FEW.into_iter().filter(|&few| few < chosen.len()) {
            let value = self.value_by(guard, chosen[..few].to_vec(), term)?;
            if matches!(value, Value::Determined(_)) {
                return Ok(value);
            }
        }
        self.value_by(guard, chosen, term)
    }

    /// The value of a term by just these facts.
    fn value_by(&mut self, guard: Term, chosen: Vec<Fact>, term: Term) -> Result<Value, Stop> {
        let mut atoms: Vec<Term> = chosen.iter().map(|fact| fact.term).collect();
        let count = atoms.len();
        atoms.push(term);
        let table = self.oracle.valuations(self.store, guard, &atoms)?;
        let can = |assignment: usize, value: bool| table.contains(assignment | usize::from(value) << count);
        let always = Table::of(count, |it| can(it, true) && !can(it, false));
        let never = Table::of(count, |it| !can(it, true) && can(it, false));
        let impossible = Table::of(count, |it| !can(it, true) && !can(it, false));
        let expressions = now(&chosen);
        let yes = cover(&always, &impossible);
        if (0..1 << count).all(|it| !can(it, true) || !can(it, false)) {
            return Ok(Value::Determined(disjunction(&yes, &expressions)));
        }
        let no = cover(&never, &impossible);
        let alone = match yes.is_empty() && no.is_empty() {
            true => Expression::choice(),
            false => Expression::schoose(disjunction(&yes, &expressions), disjunction(&no, &expressions)),
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
        let mut groups: Vec<(BTreeSet<Symbol>, Vec<Open>)> = Vec::new();
        for value in open {
            let own = self.oracle.symbols(self.store, value.before);
            let mut symbols = connected(self.oracle, self.store, &own, guard);
            for fact in &value.facts {
                symbols.extend(self.oracle.symbols(self.store, fact.term).iter().copied());
            }
            let (joined, apart): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|(other, _)| !other.is_disjoint(&symbols));
            let mut members = Vec::new();
            for (other, group) in joined {
                symbols.extend(other);
                members.extend(group);
            }
            members.push(value);
            groups = apart;
            groups.push((symbols, members));
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
        let table = self.oracle.valuations(self.store, guard, &atoms)?;
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
