//! Threads: what a step of one does to what the others know [Donaldson, Kaiser, Kroening, Wahl: Symmetry-aware
//! predicate abstraction for shared-variable concurrent programs, CAV 2011].
//!
//! All threads run one procedure of the Boolean program, because `v$` speaks of the frames of one procedure: a flag for
//! each template says which part of it a thread runs. Predicates over global variables are shared. A predicate over
//! local variables of a template is a local one; if it mentions global variables, too, it is *mixed*, and whoever writes
//! one of those brings it up to date in all other threads, by a broadcast. That is an image like any other: of a step of
//! the active thread, from what it knows and what the passive thread knows, to what the passive thread knows then. Local
//! variables of the passive thread have symbols of their own there.
//!
//! New values in passive threads are chosen each by itself, so that no thread can block another.

use super::Options;
use super::edges::Context;
use super::exclusions::clause;
use super::image::{Image, Imager, Step};
use super::oracle::Oracle;
use super::signature::Signature;
use super::tracking::Tracking;
use super::variables::{Expression, Fact, Variable, literal, syntax};
use crate::boolean::ast;
use crate::boolean::expression::Binary;
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use crate::predicate::{Precision, PredicateId, PredicateScope};
use crate::program::inline::templates;
use crate::program::{
    Action, Block, Edge, EdgeId, ProcedureId, Program, Role, Scope, Variable as ProgramVariable,
};
use crate::term::substitute::Substitution;
use crate::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What threads run, and what they are given.
#[derive(Clone, Debug)]
pub(super) struct Threads {
    /// What threads start with; the entry is among them.
    pub templates: Vec<ProcedureId>,
    /// What a thread is given besides the flags of templates: formal predicates, and mixed ones.
    pub given: Vec<(ProcedureId, PredicateId)>,
    /// The mixed predicates of each procedure.
    mixed: IndexVec<ProcedureId, Vec<PredicateId>>,
}

impl Threads {
    /// The threads of a program without calls; none if it starts none.
    pub fn of(
        program: &Program,
        precision: &Precision,
        tracking: &Tracking,
        signatures: &IndexVec<ProcedureId, Signature>,
        oracle: &mut Oracle,
    ) -> Option<Self> {
        if !program.starts_threads() {
            return None;
        }
        let is_global = |symbol: &Symbol| program.variables[*symbol].scope == Scope::Global;
        let mut mixed = IndexVec::filled(Vec::new(), program.procedures.len());
        let mut given = Vec::new();
        let templates: Vec<ProcedureId> = templates(program).into_iter().collect();
        for &template in &templates {
            for &id in tracking.local(template) {
                let term = precision.predicates[id].term;
                let heard = oracle.symbols(&program.store, term).iter().any(is_global);
                if heard {
                    mixed[template].push(id);
                }
                if heard || signatures[template].formal.contains(&id) {
                    given.push((template, id));
                }
            }
        }
        Some(Self { templates, given, mixed })
    }

    fn number(&self, template: ProcedureId) -> usize {
        self.templates.iter().position(|&other| other == template).expect("a template")
    }

    /// The flag that says that a thread runs this template.
    pub fn flag(&self, template: ProcedureId) -> Variable {
        Variable::Template(self.number(template))
    }

    /// What a new thread is given, with the values of the formal predicates of its template.
    pub fn arguments(
        &self,
        template: ProcedureId,
        formal: &[PredicateId],
        values: Vec<ast::Expression>,
    ) -> Vec<ast::Expression> {
        let constant = |value| syntax(Expression::constant(value));
        let mut arguments: Vec<_> =
            self.templates.iter().map(|&other| constant(other == template)).collect();
        for &(owner, id) in &self.given {
            let position = formal.iter().position(|&formal| formal == id);
            arguments.push(match position {
                _ if owner != template => constant(false),
                Some(position) => values[position].clone(),
                None => syntax(Expression::choice()),
            });
        }
        arguments
    }
}

impl Context<'_> {
    /// The values that a new thread is given.
    pub(super) fn started(
        &mut self,
        procedure: ProcedureId,
        edge: &Edge,
        callee: ProcedureId,
        arguments: &[Term],
    ) -> Result<Vec<ast::Expression>, Stop> {
        let values = self.arguments(procedure, edge.from, callee, arguments)?;
        let formal = &self.signatures[callee].formal;
        Ok(match self.threads {
            Some(threads) => threads.arguments(callee, formal, values),
            None => values,
        })
    }

    /// The mixed predicates of a template that an edge may change in other threads.
    fn heard(&mut self, template: ProcedureId, written: &BTreeSet<Symbol>) -> Vec<PredicateId> {
        let Some(threads) = self.threads else { return Vec::new() };
        let changed = |id: &PredicateId| {
            let term = self.precision.predicates[*id].term;
            !self.oracle.symbols(&self.program.store, term).is_disjoint(written)
        };
        threads.mixed[template].iter().copied().filter(changed).collect()
    }

    /// What the statement of an edge depends on besides what its own thread knows.
    pub(super) fn passive_predicates(&mut self, procedure: ProcedureId, id: EdgeId) -> Vec<PredicateId> {
        let Some(threads) = self.threads else { return Vec::new() };
        let edge = &self.program.procedures[procedure].edges[id];
        let written: BTreeSet<Symbol> = edge.writes().into_iter().collect();
        let mut found = Vec::new();
        for &template in &threads.templates {
            if !self.heard(template, &written).is_empty() {
                found.extend(self.tracking.local(template));
            }
        }
        found
    }

    /// Brings mixed predicates of other threads up to date.
    pub(super) fn broadcast(
        &mut self,
        (procedure, id): (ProcedureId, EdgeId),
        edge: &Edge,
        block: &Block,
        image: &mut Image,
    ) -> Result<(), Stop> {
        let Some(threads) = self.threads else { return Ok(()) };
        let written: BTreeSet<Symbol> = block.updates.iter().map(|&(symbol, _)| symbol).collect();
        for &template in &threads.templates {
            let changed = self.heard(template, &written);
            if changed.is_empty() {
                continue;
            }
            let mut names = self.names_of_passive(template);
            let mut facts = self.facts(procedure, edge.from);
            facts.extend(self.passive_facts(self.tracking.local(template), &mut names));
            let wanted = self.passive_facts(&changed, &mut names);
            let step = Step { guard: block.guard, updates: &block.updates, facts: &facts, wanted: &wanted };
            let alone = Options { joint: 1, ..*self.options };
            let mut imager =
                Imager { oracle: self.oracle, store: &mut self.program.store, options: &alone };
            let heard = imager.image(&step)?;
            self.hear(template, heard, image)?;
        }
        self.contradict_passive((procedure, id), image);
        Ok(())
    }

    /// What other threads do not come to know, as the precision says.
    fn contradict_passive(&mut self, place: (ProcedureId, EdgeId), image: &mut Image) {
        let Some(threads) = self.threads else { return };
        let literals = |values: &[(PredicateId, bool)], of: &dyn Fn(PredicateId) -> Expression| {
            values.iter().map(|&(id, value)| literal(of(id), value)).collect::<Vec<_>>()
        };
        for wrong in self.precision.passive.get(&place).into_iter().flatten() {
            let before = literals(&wrong.before, &|id| Variable::Predicate(id).now());
            let passive = literals(&wrong.passive, &|id| Variable::Passive(id).now());
            let behind = literals(&wrong.behind, &|id| Variable::Passive(id).next());
            let flag = passive_flag(threads.flag(wrong.template));
            let all = std::iter::once(flag).chain(before).chain(passive).chain(behind);
            image.constraints.push(Expression::conjunction(all).negate());
        }
    }

    /// Symbols for the local variables of another thread.
    fn names_of_passive(&mut self, template: ProcedureId) -> Substitution {
        let mut symbols = BTreeSet::new();
        for &id in self.tracking.local(template) {
            let term = self.precision.predicates[id].term;
            symbols.extend(self.oracle.symbols(&self.program.store, term).iter().copied());
        }
        symbols.retain(|&symbol| self.program.variables[symbol].scope != Scope::Global);
        let names: Vec<_> = symbols.into_iter().map(|symbol| (symbol, self.passive_copy(symbol))).collect();
        Substitution::new(names)
    }

    fn passive_copy(&mut self, symbol: Symbol) -> Term {
        let program = &mut *self.program;
        let copy = self.passive.entry(symbol).or_insert_with(|| {
            let origin = format!("{} of another thread", program.store.name(symbol));
            let ty = program.variables[symbol].ty;
            let role = Role::Input(origin.clone());
            program.variables.push(ProgramVariable { scope: Scope::Input, ty, role });
            program.store.fresh(origin, program.store.sort_of_symbol(symbol))
        });
        self.program.store.symbol(*copy)
    }

    fn passive_facts(&mut self, ids: &[PredicateId], names: &mut Substitution) -> Vec<Fact> {
        let mut fact = |&id: &PredicateId| {
            let term = names.apply(&mut self.program.store, self.precision.predicates[id].term);
            Fact { variable: Variable::Passive(id), term }
        };
        ids.iter().map(&mut fact).collect()
    }

    /// Adds what other threads of a template hear. What was chosen does not exclude what else they know.
    fn hear(&mut self, template: ProcedureId, heard: Image, image: &mut Image) -> Result<(), Stop> {
        let threads = self.threads.expect("only programs with threads");
        let flag = passive_flag(threads.flag(template));
        for (variable, value) in heard.assignments {
            let value = flag.clone().binary(Binary::And, value);
            image.assignments.push((variable, value));
        }
        if heard.undetermined.is_empty() {
            return Ok(());
        }
        let entry = self.program.procedures[template].entry;
        let exclusions = self.exclusions_at(template, entry)?;
        for exclusion in exclusions.iter() {
            let passive: Vec<_> =
                exclusion.iter().map(|&(variable, value)| (self.of_passive(variable), value)).collect();
            if passive.iter().any(|(variable, _)| heard.undetermined.contains(variable)) {
                let says = clause(&passive, Variable::next);
                image.constraints.push(flag.clone().negate().binary(Binary::Or, says));
            }
        }
        Ok(())
    }

    /// The variable of a passive thread for one of its own.
    fn of_passive(&self, variable: Variable) -> Variable {
        match variable {
            Variable::Predicate(id) if self.precision.predicates[id].scope != PredicateScope::Global => {
                Variable::Passive(id)
            }
            other => other,
        }
    }
}

/// That the passive thread runs this template.
fn passive_flag(flag: Variable) -> Expression {
    let name = ast::Name::new(&format!("{}$", flag.name().text));
    Expression::variable(ast::Reference { name, next: false })
}

/// Whether calls are left in a program with threads.
pub(super) fn has_calls(program: &Program) -> bool {
    let mut edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    edges.any(|edge| matches!(edge.action, Action::Call { .. }))
}

/// Symbols for local variables of passive threads.
pub(super) type PassiveSymbols = BTreeMap<Symbol, Symbol>;
