//! The transfer functions on path edges [Bas10, 4.1; BR00].
//!
//! A *path edge* at a node relates the state at the entry of its procedure to a state at the node; a set of
//! them is one BDD over the entry levels of what the procedure may change and the current levels of what is
//! in scope. What a procedure cannot change needs no entry copy: its current value is its value at the entry.
//!
//! *Entry sets* are over the current levels of the globals and the argument levels of the parameters that
//! matter to the callee. *Summaries* relate an entry set to the next levels of the globals that the callee may
//! write and to its return levels. At a call site a summary becomes an ordinary relation (equation 4.2): then a
//! call is a statement like any other.

use super::scope::{Scope, Scopes};
use super::symbolic::{Relation, Symbolic};
use crate::bdd::{Bdd, Level, LevelSet};
use crate::boolean::cfg::{Expression, NodeId, Op, ProcedureId, PropertyId, VariableId};
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;

/// What is fixed about a call site.
#[derive(Clone)]
pub struct CallSite {
    /// The callee.
    pub callee: ProcedureId,
    /// Argument levels equal the actual parameters.
    pub arguments: Bdd,
    /// Everything of the caller that the callee does not see.
    unseen: LevelSet,
    /// Next levels of results equal return levels.
    pub results: Bdd,
    /// Argument and return levels.
    pub interface: LevelSet,
    /// Next levels of globals that the callee writes and a result overwrites.
    pub overwritten: LevelSet,
    /// What the call may change.
    written: Vec<VariableId>,
}

/// The transfer functions of a program.
pub struct Transfer<'p> {
    /// The symbolic form.
    pub symbolic: Symbolic<'p>,
    /// What is in scope where.
    pub scopes: Scopes,
    call_sites: IndexVec<NodeId, Option<CallSite>>,
    forgotten: IndexVec<NodeId, Option<LevelSet>>,
}

impl<'p> Transfer<'p> {
    /// The transfer functions of a program.
    pub fn new(symbolic: Symbolic<'p>, scopes: Scopes) -> Self {
        let nodes = symbolic.program.nodes.len();
        Self {
            symbolic,
            scopes,
            call_sites: IndexVec::filled(None, nodes),
            forgotten: IndexVec::filled(None, nodes),
        }
    }

    /// Everything that must survive a collection of the manager.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        let sites = self.call_sites.iter().flatten();
        self.symbolic.roots().chain(sites.flat_map(|site| [site.arguments, site.results]))
    }

    fn scope(&self, procedure: ProcedureId) -> &Scope {
        self.scopes.of(procedure)
    }

    /// Path edges that arrive at a node: those that `enforce` allows, without dead variables.
    pub fn arrive(&mut self, node: NodeId, edges: Bdd) -> Result<Bdd, Stop> {
        let enforced = self.symbolic.enforced(self.symbolic.program.nodes[node].procedure)?;
        let forgotten = self.forgotten(node);
        self.symbolic.manager.and_exists(edges, enforced, forgotten)
    }

    /// The current levels of variables that are dead at a node.
    fn forgotten(&mut self, node: NodeId) -> LevelSet {
        if let Some(known) = self.forgotten[node] {
            return known;
        }
        let procedure = self.symbolic.program.nodes[node].procedure;
        let dead = self.scopes.forgettable(procedure, node);
        let levels: Vec<Level> = dead.iter().map(|&variable| self.symbolic.roles(variable).current).collect();
        let set = self.symbolic.manager.level_set(&levels);
        self.forgotten[node] = Some(set);
        set
    }

    /// The properties that some path edges at a node violate, with those path edges.
    pub fn violations(&mut self, node: NodeId, edges: Bdd) -> Result<Vec<(PropertyId, Bdd)>, Stop> {
        let program = self.symbolic.program;
        let mut found: Vec<_> =
            program.nodes[node].forbidden.iter().map(|&property| (property, edges)).collect();
        if let Op::Assert(_, property) = program.nodes[node].op {
            let failing = self.symbolic.failing(node)?;
            found.push((property, self.symbolic.manager.and(edges, failing)?));
        }
        let nothing = self.symbolic.manager.constant(false);
        found.retain(|&(_, violating)| violating != nothing);
        Ok(found)
    }

    /// The path edges at the entry of a procedure for a set of entries.
    pub fn seed(&mut self, procedure: ProcedureId, entries: Bdd) -> Result<Bdd, Stop> {
        let scope = self.scope(procedure);
        let (inputs, changed) = (scope.input_parameters.clone(), scope.changed.clone());
        let roles: Vec<_> = inputs.iter().map(|&parameter| self.symbolic.roles(parameter)).collect();
        let pairs: Vec<_> = roles.iter().filter_map(|r| Some((r.argument?, r.current))).collect();
        let renaming = self.symbolic.manager.renaming(&pairs);
        let entries = self.symbolic.manager.rename(entries, renaming)?;
        let unchanged = self.unchanged(&changed)?;
        let edges = self.symbolic.manager.and(entries, unchanged)?;
        self.arrive(self.symbolic.program.procedures[procedure].entry, edges)
    }

    /// Entry and current values are the same.
    fn unchanged(&mut self, variables: &[VariableId]) -> Result<Bdd, Stop> {
        let roles = variables.iter().map(|&variable| self.symbolic.roles(variable));
        let mut pairs: Vec<_> = roles.map(|r| (r.entry, r.current)).collect();
        pairs.sort_unstable();
        self.symbolic.equal(&pairs)
    }

    /// The path edges after a node that is neither call nor return, before they arrive anywhere.
    pub fn internal(&mut self, node: NodeId, edges: Bdd) -> Result<Bdd, Stop> {
        let relation = self.symbolic.step(node)?;
        self.symbolic.image(edges, relation)
    }

    /// What is fixed about a call site.
    pub fn call_site(&mut self, node: NodeId) -> Result<CallSite, Stop> {
        if let Some(known) = &self.call_sites[node] {
            return Ok(known.clone());
        }
        let site = self.build_call_site(node)?;
        self.call_sites[node] = Some(site.clone());
        Ok(site)
    }

    fn build_call_site(&mut self, node: NodeId) -> Result<CallSite, Stop> {
        let program = self.symbolic.program;
        let Op::Call { procedure: callee, arguments, results } = &program.nodes[node].op else {
            unreachable!("only calls are call sites")
        };
        let callee = *callee;
        let caller = program.nodes[node].procedure;
        let bound: Vec<(Level, &Expression)> = self.bound_arguments(callee, arguments);
        let returned: Vec<(VariableId, Level)> = {
            let levels = &self.symbolic.levels.returns[callee];
            results.iter().zip(levels).filter_map(|(target, &level)| Some(((*target)?, level))).collect()
        };
        let mut interface: Vec<Level> = bound.iter().map(|&(level, _)| level).collect();
        interface.extend(&self.symbolic.levels.returns[callee]);
        let results_equal: Vec<_> =
            returned.iter().map(|&(target, level)| (self.symbolic.roles(target).next, level)).collect();
        let outputs = self.scope(callee).outputs.clone();
        let is_result = |variable: VariableId| returned.iter().any(|&(target, _)| target == variable);
        let overwritten: Vec<Level> = outputs
            .iter()
            .filter(|&&variable| is_result(variable))
            .map(|&variable| self.symbolic.roles(variable).next)
            .collect();
        let mut written = outputs.clone();
        written.extend(returned.iter().map(|&(target, _)| target).filter(|target| !outputs.contains(target)));
        let unseen = self.unseen(caller, callee);
        Ok(CallSite {
            callee,
            arguments: self.symbolic.binding(&bound)?,
            unseen: self.symbolic.manager.level_set(&unseen),
            results: self.symbolic.equal(&results_equal)?,
            interface: self.symbolic.manager.level_set(&interface),
            overwritten: self.symbolic.manager.level_set(&overwritten),
            written,
        })
    }

    /// The arguments that matter to the callee.
    fn bound_arguments<'e>(
        &self,
        callee: ProcedureId,
        arguments: &'e [Expression],
    ) -> Vec<(Level, &'e Expression)> {
        let parameters = self.symbolic.program.procedures[callee].parameters();
        let scope = self.scope(callee);
        let pairs = parameters.iter().zip(arguments);
        let relevant = pairs.filter(|(parameter, _)| scope.input_parameters.contains(parameter));
        relevant
            .filter_map(|(&parameter, value)| Some((self.symbolic.roles(parameter).argument?, value)))
            .collect()
    }

    fn unseen(&self, caller: ProcedureId, callee: ProcedureId) -> Vec<Level> {
        let scope = self.scope(caller);
        let seen = &self.scope(callee).input_globals;
        let hidden = scope.variables.iter().filter(|variable| seen.binary_search(variable).is_err());
        let mut levels: Vec<Level> = hidden.map(|&variable| self.symbolic.roles(variable).current).collect();
        levels.extend(scope.changed.iter().map(|&variable| self.symbolic.roles(variable).entry));
        levels
    }

    /// The entries of the callee that path edges at a call lead to.
    pub fn entries(&mut self, call: NodeId, edges: Bdd) -> Result<Bdd, Stop> {
        let site = self.call_site(call)?;
        self.symbolic.manager.and_exists(edges, site.arguments, site.unseen)
    }

    /// The summaries that path edges at a return give [Bas10, Definition 4.2].
    pub fn summarise(&mut self, node: NodeId, edges: Bdd) -> Result<Bdd, Stop> {
        let procedure = self.symbolic.program.nodes[node].procedure;
        let returned = self.returned(node)?;
        let scope = self.scope(procedure).clone();
        let kept = |variable: &VariableId| scope.kept_locals.contains(variable);
        let hidden = scope.locals.iter().filter(|variable| !kept(variable));
        let hidden: Vec<Level> = hidden.map(|&variable| self.symbolic.roles(variable).current).collect();
        let hidden = self.symbolic.manager.level_set(&hidden);
        let body = self.symbolic.manager.and_exists(edges, returned, hidden)?;
        let renaming = self.outward(&scope);
        self.symbolic.manager.rename(body, renaming)
    }

    /// Return levels equal the returned values.
    pub fn returned(&mut self, node: NodeId) -> Result<Bdd, Stop> {
        let program = self.symbolic.program;
        let Op::Return(values) = &program.nodes[node].op else { unreachable!("only returns return") };
        let levels = self.symbolic.levels.returns[program.nodes[node].procedure].clone();
        let pairs: Vec<_> = levels.into_iter().zip(values).collect();
        self.symbolic.binding(&pairs)
    }

    /// From the levels of a path edge at a return to those of a summary.
    fn outward(&mut self, scope: &Scope) -> crate::bdd::Renaming {
        let mut pairs = Vec::new();
        for &output in &scope.outputs {
            let roles = self.symbolic.roles(output);
            pairs.push((roles.current, roles.next));
        }
        for &input in &scope.changed {
            let roles = self.symbolic.roles(input);
            pairs.push((roles.entry, roles.argument.unwrap_or(roles.current)));
        }
        for &kept in &scope.kept_locals {
            let roles = self.symbolic.roles(kept);
            pairs.extend(roles.argument.map(|argument| (roles.current, argument)));
        }
        self.symbolic.manager.renaming(&pairs)
    }

    /// An entry set in the levels of path edges: those that were entered through it.
    pub fn entered(&mut self, procedure: ProcedureId, entries: Bdd) -> Result<Bdd, Stop> {
        let scope = self.scope(procedure).clone();
        let changed = scope.changed.iter().map(|&variable| self.symbolic.roles(variable));
        let mut pairs: Vec<_> = changed.map(|r| (r.argument.unwrap_or(r.current), r.entry)).collect();
        let kept = scope.kept_locals.iter().map(|&variable| self.symbolic.roles(variable));
        pairs.extend(kept.filter_map(|r| Some((r.argument?, r.current))));
        let renaming = self.symbolic.manager.renaming(&pairs);
        self.symbolic.manager.rename(entries, renaming)
    }

    /// The set of entries of path edges at the entry of a procedure, from the levels of path edges to those of
    /// entry sets.
    pub fn entries_of(&mut self, procedure: ProcedureId, edges: Bdd) -> Result<Bdd, Stop> {
        let scope = self.scope(procedure).clone();
        let inputs = |variable: &VariableId| {
            scope.input_globals.contains(variable) || scope.kept_locals.contains(variable)
        };
        let hidden = scope.variables.iter().filter(|v| !inputs(v) || scope.changed.contains(v));
        let hidden: Vec<Level> = hidden.map(|&variable| self.symbolic.roles(variable).current).collect();
        let hidden = self.symbolic.manager.level_set(&hidden);
        let edges = self.symbolic.manager.exists(edges, hidden)?;
        let renaming = self.inward(&scope);
        self.symbolic.manager.rename(edges, renaming)
    }

    /// From entry levels to those of entry sets, for path edges without the current levels of what changes.
    fn inward(&mut self, scope: &Scope) -> crate::bdd::Renaming {
        let changed = scope.changed.iter().map(|&variable| self.symbolic.roles(variable));
        let mut pairs: Vec<_> = changed.map(|r| (r.entry, r.argument.unwrap_or(r.current))).collect();
        let kept = scope.kept_locals.iter().map(|&variable| self.symbolic.roles(variable));
        pairs.extend(kept.filter_map(|r| Some((r.current, r.argument?))));
        self.symbolic.manager.renaming(&pairs)
    }

    /// Summaries as the relation of a call site.
    pub fn call_relation(&mut self, call: NodeId, summaries: Bdd) -> Result<Relation, Stop> {
        let site = self.call_site(call)?;
        let manager = &mut self.symbolic.manager;
        let summaries = manager.exists(summaries, site.overwritten)?;
        let bound = manager.and(summaries, site.arguments)?;
        let body = manager.and_exists(bound, site.results, site.interface)?;
        Ok(self.symbolic.relation(body, &site.written))
    }
}
