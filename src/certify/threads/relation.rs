//! Statements with their names resolved: what an edge does to the values of predicates.

use super::meaning::Meanings;
use super::{Claim, Failure};
use crate::boolean::ast::{self, Reference, StatementKind};
use crate::boolean::expression::{self, Binary, Item};
use crate::predicate::PredicateId;
use crate::program::{Action, EdgeId, ProcedureId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A variable of the Boolean program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Variable {
    /// The truth value of a predicate.
    Predicate(PredicateId),
    /// A flag, by number.
    Flag(usize),
}

/// A variable that is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Read {
    pub variable: Variable,
    /// Behind the step.
    pub next: bool,
    /// Another thread's.
    pub passive: bool,
}

/// An expression.
pub(super) type Formula = expression::Expression<Read>;

/// New values.
pub(super) type Values = Vec<(Variable, Formula)>;

/// What a step does to values. What is not mentioned stays as it is.
#[derive(Clone, Default, Debug)]
pub(super) struct Relation {
    /// New values in the thread that makes the step, and of shared variables.
    pub own: Values,
    /// New values in each other thread.
    pub others: Values,
    /// What must hold of the thread that makes the step, and of shared variables.
    pub constraints: Vec<Formula>,
    /// What must hold with each other thread.
    pub about_others: Vec<Formula>,
}

/// The statement of an edge.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// Values change.
    Step(Relation),
    /// A thread starts, with these values.
    Start(Values),
    /// Values stay as they are.
    Nothing,
}

/// The statements of edges.
pub(super) type Relations = BTreeMap<(ProcedureId, EdgeId), Statement>;

/// Resolves the statements of a proof. Edges where the run ends need none.
pub(super) fn relations(claim: Claim<'_>, meanings: &Meanings<'_>) -> Result<Relations, Failure> {
    let names = Names::new(claim, meanings);
    let mut relations = Relations::new();
    for (id, procedure) in claim.program.procedures.enumerate() {
        for (edge, contents) in procedure.edges.enumerate() {
            let place = (id, edge);
            let kind = claim.statements.get(&place).copied();
            let missing = || Failure::rejected(format!("{}: an edge has no statement", procedure.name));
            let statement = match (&contents.action, kind) {
                (Action::End | Action::Unsupported(_) | Action::AtomicBegin | Action::AtomicEnd, _) => {
                    Statement::Nothing
                }
                (Action::Call { .. }, _) => return Err(Failure::bound("calls in a program with threads")),
                (Action::Block(_), Some(kind)) => Statement::Step(names.relation(kind)?.ok_or_else(missing)?),
                (Action::Start { .. }, Some(StatementKind::StartThread { arguments, .. })) => {
                    Statement::Start(names.arguments(claim.given, arguments)?)
                }
                _ => return Err(missing()),
            };
            relations.insert(place, statement);
        }
    }
    Ok(relations)
}

/// Variables by name.
struct Names<'m, 'a> {
    variables: BTreeMap<Arc<str>, Variable>,
    meanings: &'m Meanings<'a>,
}

impl<'m, 'a> Names<'m, 'a> {
    fn new(claim: Claim<'a>, meanings: &'m Meanings<'a>) -> Self {
        let predicates = claim.variables.iter().map(|(name, &id)| (name.clone(), Variable::Predicate(id)));
        let flags = claim.flags.iter().enumerate();
        let flags = flags.map(|(number, flag)| (flag.name.clone(), Variable::Flag(number)));
        Self { variables: predicates.chain(flags).collect(), meanings }
    }

    /// The variable of a name, and whether it is another thread's.
    fn variable(&self, name: &str) -> Result<(Variable, bool), Failure> {
        let (plain, passive) = name.strip_suffix('$').map_or((name, false), |plain| (plain, true));
        let found = self.variables.get(plain).map(|&variable| (variable, passive));
        let found = found.filter(|&(variable, passive)| !passive || !self.meanings.is_shared(variable));
        found.ok_or_else(|| Failure::rejected(format!("{name} stands for nothing")))
    }

    fn formula(&self, expression: &ast::Expression) -> Result<Formula, Failure> {
        expression.body.try_map(|reference: &Reference| {
            let (variable, passive) = self.variable(&reference.name.text)?;
            Ok(Read { variable, next: reference.next, passive })
        })
    }

    /// None if the statement is of no kind that a block has.
    fn relation(&self, kind: &StatementKind) -> Result<Option<Relation>, Failure> {
        let mut relation = Relation::default();
        match kind {
            StatementKind::Skip => {}
            StatementKind::Assume(condition) => self.constrain(&mut relation, condition)?,
            StatementKind::Assign { targets, values, constrain } => {
                for (target, value) in targets.iter().zip(values) {
                    let (variable, passive) = self.variable(&target.text)?;
                    let formula = self.formula(value)?;
                    if formula.variables().any(|read| read.next || read.passive && !passive) {
                        return Err(Failure::rejected(format!("{} depends on other threads", target.text)));
                    }
                    let values = if passive { &mut relation.others } else { &mut relation.own };
                    if values.iter().any(|(other, _)| *other == variable) {
                        return Err(Failure::rejected(format!("{} gets two values", target.text)));
                    }
                    values.push((variable, formula));
                }
                constrain.iter().try_for_each(|constrain| self.constrain(&mut relation, constrain))?;
            }
            _ => return Ok(None),
        }
        Ok(Some(relation))
    }

    fn constrain(&self, relation: &mut Relation, condition: &ast::Expression) -> Result<(), Failure> {
        for part in conjuncts(self.formula(condition)?) {
            let about_others = part.variables().any(|read| read.passive);
            if about_others { &mut relation.about_others } else { &mut relation.constraints }.push(part);
        }
        Ok(())
    }

    fn arguments(&self, given: &[ast::Name], arguments: &[ast::Expression]) -> Result<Values, Failure> {
        if given.len() != arguments.len() {
            return Err(Failure::rejected("a thread is given too much or too little"));
        }
        let mut values = Values::new();
        for (name, argument) in given.iter().zip(arguments) {
            let formula = self.formula(argument)?;
            if formula.variables().any(|read| read.next || read.passive) {
                return Err(Failure::rejected(format!("{} depends on other threads", name.text)));
            }
            values.push((self.variable(&name.text)?.0, formula));
        }
        Ok(values)
    }
}

/// The parts of a conjunction. Choices are independent, so it can be true if each part can.
fn conjuncts(formula: Formula) -> Vec<Formula> {
    let mut parts = Vec::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        let items = formula.items();
        let Some((Item::Binary(Binary::And), operands)) = items.split_last() else {
            parts.push(formula);
            continue;
        };
        let (left, right) = operands.split_at(last_operand(operands));
        open.extend([left, right].into_iter().filter_map(|part| Formula::from_postfix(part.to_vec())));
    }
    parts
}

/// Where the last operand of some begins.
fn last_operand(items: &[Item<Read>]) -> usize {
    let mut wanted = 1;
    let mut position = items.len();
    while wanted > 0 {
        position -= 1;
        wanted = wanted - 1 + items[position].arity();
    }
    position
}
