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
//! Two threads may know what no two threads can know at once. Then one of them is not there: it is *gone* as soon as the
//! other moves, and does nothing more. To forbid the move would be to ask for the absence of threads, which nobody
//! can do who counts only how many there are at least.
//!
//! New values in passive threads are chosen each by itself, so that no thread can block another.
//!
//! Where a mixed predicate is not tracked it is false, and nobody brings it up to date: a flag for each set of locations
//! says whether a thread is there. Only what is tracked wherever a predicate is can be used to bring that up to date.

use super::Options;
use super::claims::Flag;
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
use crate::predicate::{Precision, PredicateId, PredicateScope, Transition};
use crate::program::inline::templates;
use crate::program::{
    Action, Block, Edge, EdgeId, LocationId, ProcedureId, Program, Role, Scope, Variable as ProgramVariable,
};
use crate::term::substitute::Substitution;
use crate::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What threads run, and what they are given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Threads {
    /// What threads start with; the entry is among them.
    pub templates: Vec<ProcedureId>,
    /// What a thread is given besides the flags of templates: formal predicates, and mixed ones.
    pub given: Vec<(ProcedureId, PredicateId)>,
    /// Sets of locations where mixed predicates are tracked, and which predicates are.
    groups: Vec<Group>,
    /// Whether threads can be gone.
    pub go: bool,
}

/// Mixed predicates that are tracked at the same locations of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Group {
    template: ProcedureId,
    places: BTreeSet<LocationId>,
    mixed: Vec<PredicateId>,
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
        let (mut groups, mut given): (Vec<Group>, Vec<_>) = (Vec::new(), Vec::new());
        let templates: Vec<ProcedureId> = templates(program).into_iter().collect();
        for &template in &templates {
            for &id in tracking.local(template) {
                let term = precision.predicates[id].term;
                let symbols = oracle.symbols(&program.store, term);
                let heard = symbols.iter().any(is_global) || symbols.iter().all(|it| program.is_tally(*it));
                if heard {
                    let places = tracking.places(id).cloned().unwrap_or_default();
                    let same = |group: &&mut Group| group.template == template && group.places == places;
                    match groups.iter_mut().find(same) {
                        Some(group) => group.mixed.push(id),
                        None => groups.push(Group { template, places, mixed: vec![id] }),
                    }
                }
                if heard || signatures[template].formal.contains(&id) {
                    given.push((template, id));
                }
            }
        }
        Some(Self { templates, given, groups, go: !program.tallies.is_empty() })
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
        (template, entry): (ProcedureId, LocationId),
        formal: &[PredicateId],
        values: Vec<ast::Expression>,
    ) -> Vec<ast::Expression> {
        let constant = |value| syntax(Expression::constant(value));
        let mut arguments: Vec<_> = self.templates.iter().map(|&other| constant(other == template)).collect();
        let at_entry = |group: &Group| group.template == template && group.places.contains(&entry);
        arguments.extend(self.groups.iter().map(|group| constant(at_entry(group))));
        arguments.extend(self.go.then(|| constant(false)));
        for &(owner, id) in &self.given {
            let position = formal.iter().position(|&formal| formal == id);
            let known = self.groups.iter().any(|group| at_entry(group) && group.mixed.contains(&id));
            arguments.push(match position {
                Some(position) if owner == template => values[position].clone(),
                None if known => syntax(Expression::choice()),
                _ => constant(false),
            });
        }
        arguments
    }

    /// The parameters of all threads: flags, and what they are given.
    pub fn parameters(&self) -> Vec<ast::Name> {
        let flags = self.templates.iter().map(|&template| self.flag(template));
        let groups = (0..self.groups.len()).map(Variable::Tracked);
        let given = self.given.iter().map(|&(_, id)| Variable::Predicate(id));
        let gone = self.go.then_some(Variable::Gone);
        flags.chain(groups).chain(gone).chain(given).map(Variable::name).collect()
    }

    /// What the flags say: which template a thread runs, and whether it is at some of its locations.
    pub fn flags(&self) -> Vec<Flag> {
        let flag =
            |variable: Variable, template, places| Flag { name: variable.name().text, template, places };
        let templates = self.templates.iter().map(|&template| flag(self.flag(template), template, None));
        let groups = self.groups.iter().enumerate().map(|(number, group)| {
            flag(Variable::Tracked(number), group.template, Some(group.places.clone()))
        });
        // No thread that is there is gone.
        let gone = self.go.then(|| flag(Variable::Gone, self.templates[0], Some(BTreeSet::new())));
        templates.chain(groups).chain(gone).collect()
    }

    /// What changes in a thread that goes from one location to another: flags, and what is not tracked any more.
    fn moved(&self, template: ProcedureId, from: LocationId, to: LocationId) -> Vec<(Variable, Expression)> {
        let mut changes = Vec::new();
        for (number, group) in self.groups.iter().enumerate().filter(|(_, group)| group.template == template)
        {
            match (group.places.contains(&from), group.places.contains(&to)) {
                (false, true) => changes.push((Variable::Tracked(number), Expression::constant(true))),
                (true, false) => {
                    changes.push((Variable::Tracked(number), Expression::constant(false)));
                    let lost = group.mixed.iter().map(|&id| Variable::Predicate(id));
                    changes.extend(lost.map(|variable| (variable, Expression::constant(false))));
                }
                _ => {}
            }
        }
        changes
    }

    fn group_of(&self, id: PredicateId) -> Option<usize> {
        self.groups.iter().position(|group| group.mixed.contains(&id))
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
            Some(threads) => {
                let entry = self.program.procedures[callee].entry;
                threads.arguments((callee, entry), formal, values)
            }
            None => values,
        })
    }

    /// The mixed predicates of a group that an edge may change in other threads.
    fn heard(&mut self, group: &Group, written: &BTreeSet<Symbol>) -> Vec<PredicateId> {
        let changed = |id: &PredicateId| {
            let term = self.precision.predicates[*id].term;
            !self.oracle.symbols(&self.program.store, term).is_disjoint(written)
        };
        group.mixed.iter().copied().filter(changed).collect()
    }

    /// What the statement of an edge depends on besides what its own thread knows.
    pub(super) fn passive_predicates(&mut self, procedure: ProcedureId, id: EdgeId) -> Vec<PredicateId> {
        let Some(threads) = self.threads else { return Vec::new() };
        let edge = &self.program.procedures[procedure].edges[id];
        let written: BTreeSet<Symbol> = edge.writes().into_iter().collect();
        let mut found = Vec::new();
        for group in &threads.groups {
            if !self.heard(group, &written).is_empty() {
                found.extend(self.tracking.local(group.template));
            }
        }
        found
    }

    /// What is known of another thread wherever the predicates of a group are tracked.
    fn known_with(&self, group: &Group) -> Vec<PredicateId> {
        let local = self.tracking.local(group.template).iter();
        local.copied().filter(|&id| self.is_known_with(group, id)).collect()
    }

    fn is_known_with(&self, group: &Group, id: PredicateId) -> bool {
        self.precision.predicates[id].scope == PredicateScope::Global
            || self.tracking.places(id).is_none_or(|places| group.places.is_subset(places))
    }

    /// Brings mixed predicates of other threads up to date, and the flags of this one.
    pub(super) fn broadcast(
        &mut self,
        (procedure, id): (ProcedureId, EdgeId),
        edge: &Edge,
        block: &Block,
        image: &mut Image,
    ) -> Result<(), Stop> {
        let Some(threads) = self.threads else { return Ok(()) };
        image.assignments.extend(threads.moved(procedure, edge.from, edge.to));
        let written: BTreeSet<Symbol> = block.updates.iter().map(|&(symbol, _)| symbol).collect();
        for (number, group) in threads.groups.iter().enumerate() {
            let changed = self.heard(group, &written);
            if changed.is_empty() {
                continue;
            }
            let mut names = self.names_of_passive(group.template);
            let mut facts = self.facts(procedure, edge.from);
            facts.extend(self.passive_facts(&self.known_with(group), &mut names));
            let wanted = self.passive_facts(&changed, &mut names);
            let guard = self.with_two((procedure, group.template), block.guard, &facts);
            let step = Step { guard, updates: &block.updates, facts: &facts, wanted: &wanted };
            let alone = Options { joint: 1, ..*self.options };
            let mut imager = Imager { oracle: self.oracle, store: &mut self.program.store, options: &alone };
            let heard = imager.image(&step)?;
            self.hear(number, heard, image)?;
        }
        self.contradict_passive((procedure, id), image);
        Ok(())
    }

    /// What other threads do not come to know, as the precision says.
    fn contradict_passive(&mut self, place: (ProcedureId, EdgeId), image: &mut Image) {
        let Some(threads) = self.threads else { return };
        let mut gone = Vec::new();
        let literals = |values: &[(PredicateId, bool)], of: &dyn Fn(PredicateId) -> Expression| {
            values.iter().map(|&(id, value)| literal(of(id), value)).collect::<Vec<_>>()
        };
        let all = self.precision.excluded_at(place);
        for wrong in all.filter(|it| matches!(it.transition, Transition::Heard(_))) {
            let before = literals(&wrong.before, &|id| Variable::Predicate(id).now());
            let passive = literals(&wrong.other, &|id| Variable::Passive(id).now());
            let behind = literals(&wrong.behind, &|id| Variable::Passive(id).next());
            let others = || wrong.other.iter().chain(&wrong.behind).map(|&(id, _)| id);
            let flags: BTreeSet<usize> = others().filter_map(|id| threads.group_of(id)).collect();
            let known = |id| flags.iter().any(|&flag| self.is_known_with(&threads.groups[flag], id));
            if !others().all(known) {
                continue;
            }
            let flags = flags.iter().map(|&number| Variable::PassiveTracked(number).now());
            let all = Expression::conjunction(flags.chain(before).chain(passive).chain(behind));
            match wrong.behind.is_empty() && threads.go {
                true => gone.push(all),
                false => image.constraints.push(all.negate()),
            }
        }
        if !gone.is_empty() {
            let all =
                gone.into_iter().fold(Variable::PassiveGone.now(), |all, one| all.binary(Binary::Or, one));
            image.assignments.push((Variable::PassiveGone, all));
        }
    }

    /// What is gone makes no steps.
    pub(super) fn is_there(&self) -> Option<Expression> {
        self.threads.filter(|threads| threads.go).map(|_| Variable::Gone.now().negate())
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

    /// A guard together with what is known of this thread and another one, as far as it is about these facts.
    fn with_two(&mut self, templates: (ProcedureId, ProcedureId), guard: Term, facts: &[Fact]) -> Term {
        if self.program.tallies.is_empty() {
            return guard;
        }
        let own: BTreeMap<Symbol, Symbol> = self.passive.iter().map(|(&own, &copy)| (copy, own)).collect();
        let mut symbols = BTreeSet::new();
        for fact in facts {
            let mentioned = self.oracle.symbols(&self.program.store, fact.term);
            symbols.extend(mentioned.iter().map(|symbol| own.get(symbol).copied().unwrap_or(*symbol)));
        }
        let passive = &*self.passive;
        let known = self.program.known_of_two(templates, &symbols, &|symbol| passive.get(&symbol).copied());
        self.program.store.and_all(known.into_iter().chain([guard]))
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

    /// Adds what other threads hear. What was chosen does not exclude what else they know.
    fn hear(&mut self, number: usize, heard: Image, image: &mut Image) -> Result<(), Stop> {
        let threads = self.threads.expect("only programs with threads");
        let group = &threads.groups[number];
        let flag = Variable::PassiveTracked(number).now();
        for (variable, value) in heard.assignments {
            let value = flag.clone().binary(Binary::And, value);
            image.assignments.push((variable, value));
        }
        if heard.undetermined.is_empty() {
            return Ok(());
        }
        let place = group.places.first().copied().unwrap_or(self.program.procedures[group.template].entry);
        let exclusions = self.exclusions_at(group.template, place)?;
        for exclusion in exclusions.iter() {
            let known = |&(variable, _): &(Variable, bool)| match variable {
                Variable::Predicate(id) => self.is_known_with(group, id),
                _ => false,
            };
            let passive: Vec<_> =
                exclusion.iter().map(|&(variable, value)| (self.of_passive(variable), value)).collect();
            let open = passive.iter().any(|(variable, _)| heard.undetermined.contains(variable));
            if open && exclusion.iter().all(known) {
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

/// Whether calls are left in a program with threads.
pub(super) fn has_calls(program: &Program) -> bool {
    let mut edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    edges.any(|edge| matches!(edge.action, Action::Call { .. }))
}

/// Symbols for local variables of passive threads.
pub(super) type PassiveSymbols = BTreeMap<Symbol, Symbol>;
