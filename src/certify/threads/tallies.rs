//! What threads keep account of is what it is said to be.
//!
//! Steps may use that all shares make up a counter, and that no two numbers drawn are the same. Both follow from what is
//! shown here, for all edges: ghosts begin as they should, nobody writes another's, and with each step a share changes
//! by as much as the counter does; a number is the counter before a step that counts up, and nothing else happens
//! to either. Before there are threads the counter may change alone; then it must have the value that shares are added to.
//! Shares stay within the ranges that are claimed for each location.
//!
//! A counter may be read, changed in a local variable and written back under a lock. Then it is shown first that only one
//! thread is where the lock is held, and that nobody else writes the counter.

use super::steps::BUDGET;
use super::{Claim, Failure, outgoing};
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::program::inline::templates;
use crate::program::tallies::{Account, Copies, Locked, Share, Shares, Tally, in_range};
use crate::program::templates::{Count, summary};
use crate::program::{Action, Block, Edge, LocationId, ProcedureId, Program, Scope};
use crate::smt::{Answer, Kind, Solver};
use crate::term::arithmetic::from_signed;
use crate::term::{Node, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Checks tallies.
pub(super) struct Keeper {
    /// A copy, for new terms.
    program: Program,
    /// What predicates speak of.
    used: Vec<Tally>,
    templates: BTreeSet<ProcedureId>,
    /// Locations of the first thread where there may be others.
    late: BTreeSet<LocationId>,
    solver: Solver,
    steps: u64,
}

impl Keeper {
    pub fn new(claim: Claim<'_>, limits: &Limits) -> Self {
        let mut solver = Solver::new(Kind::Certificate, limits);
        solver.set_budget(BUDGET);
        let program = claim.program.clone();
        let (templates, late) = (templates(&program), late(&program));
        let predicates = claim.precision.predicates.iter();
        let mentioned: BTreeSet<Symbol> =
            predicates.flat_map(|predicate| program.store.free_symbols(predicate.term)).collect();
        let is_used = |tally: &&Tally| tally.ghosts().any(|ghost| mentioned.contains(&ghost));
        let used = program.tallies.iter().filter(is_used).cloned().collect();
        Self { program, used, templates, late, solver, steps: 0 }
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn queries(&self) -> u64 {
        self.solver.statistics().queries
    }

    /// Proves that all tallies that predicates speak of are kept.
    pub fn check(&mut self) -> Result<(), Failure> {
        for tally in self.used.clone() {
            if let Some(locked) = &tally.locked {
                self.lock(locked)?;
                self.copies(tally.counter, locked)?;
            }
            match &tally.account {
                Account::Shares(shares) => self.shares(&tally, shares)?,
                Account::Numbers(numbers) => self.numbers(&tally, numbers)?,
            }
        }
        Ok(())
    }

    fn shares(&mut self, tally: &Tally, shares: &Shares) -> Result<(), Failure> {
        let single = summary(&self.program).into_iter().filter(|it| it.count == Count::AtMost(1));
        let single: BTreeSet<ProcedureId> = single.map(|template| template.procedure).collect();
        if !shares.once.keys().all(|template| single.contains(template)) {
            return Err(Failure::rejected("a share of a thread that does not exist once"));
        }
        if shares.many.values().any(|share| share.range().0 < 0) {
            return Err(Failure::rejected("a share that may be negative"));
        }
        self.first_value(tally.counter, shares.first)?;
        let zero = {
            let counter = self.program.store.symbol(tally.counter);
            let width = self.program.store.width(counter);
            self.program.store.bits(width, 0)
        };
        for &template in &self.templates.clone() {
            let share = shares.once.get(&template).or_else(|| shares.many.get(&template));
            let owned: Vec<Symbol> = share.iter().map(|share| share.symbol).collect();
            let strange: Vec<Symbol> = tally.ghosts().filter(|ghost| !owned.contains(ghost)).collect();
            if let Some(share) = share {
                self.begins(template, share.symbol, zero)?;
            }
            for (edge, early) in self.edges(template) {
                self.untouched(template, &edge, &strange, zero)?;
                self.share_kept(tally, template, &edge, early, share)?;
            }
        }
        Ok(())
    }

    /// A share changes as the counter does, and stays in its range.
    fn share_kept(
        &mut self,
        tally: &Tally,
        template: ProcedureId,
        edge: &Edge,
        early: bool,
        share: Option<&Share>,
    ) -> Result<(), Failure> {
        let Action::Block(block) = &edge.action else {
            return self.within(template, edge, share);
        };
        let store = &mut self.program.store;
        let (before, behind) = values(store, block, tally.counter);
        let zero = store.bits(store.width(before), 0);
        let change = store.subtract(behind, before);
        let (old, new) = match share {
            Some(share) => values(store, block, share.symbol),
            None => (zero, zero),
        };
        let difference = store.subtract(new, old);
        // Before there are threads the counter may change alone.
        let same = store.equal(difference, if early { zero } else { change });
        let first = early && edge.from == self.program.procedures[template].entry;
        let known = self.with_copies(tally, (template, edge.from), block.guard);
        self.follows(template, edge, known, if first { &[] } else { std::slice::from_ref(&same) })?;
        self.within(template, edge, share)
    }

    /// A share is in the range of where an edge leads, if it was in that of where it starts.
    fn within(&mut self, template: ProcedureId, edge: &Edge, share: Option<&Share>) -> Result<(), Failure> {
        let Some(share) = share else { return Ok(()) };
        let entry = self.program.procedures[template].entry;
        let range = |location: LocationId| share.ranges[location];
        let before = match (range(edge.from), range(edge.to)) {
            (Some((least, most)), Some(_)) if edge.from != entry || least <= 0 && most >= 0 => (least, most),
            (None, _) if edge.from != entry => return Ok(()),
            _ => return Err(self.wrong(template, edge)),
        };
        let behind = range(edge.to).expect("it was there");
        let store = &mut self.program.store;
        let first = edge.from == entry && template == self.program.entry;
        let known = if first { store.boolean(true) } else { in_range(store, share.symbol, before) };
        let wanted = in_range(store, share.symbol, behind);
        let (known, wanted) = match &edge.action {
            Action::Block(block) => (store.and(block.guard, known), store.substitute(wanted, &block.updates)),
            _ => (known, wanted),
        };
        self.follows(template, edge, known, &[wanted])
    }

    fn numbers(&mut self, tally: &Tally, numbers: &BTreeMap<ProcedureId, Symbol>) -> Result<(), Failure> {
        let none = tally.no_number(&mut self.program.store);
        for &template in &self.templates.clone() {
            let Some(&number) = numbers.get(&template) else {
                return Err(Failure::rejected("a template that keeps no numbers"));
            };
            self.begins(template, number, none)?;
            let strange: Vec<Symbol> = tally.ghosts().filter(|&ghost| ghost != number).collect();
            for (edge, early) in self.edges(template) {
                self.untouched(template, &edge, &strange, none)?;
                let Action::Block(block) = &edge.action else { continue };
                let store = &mut self.program.store;
                let (before, behind) = values(store, block, tally.counter);
                let (old, new) = values(store, block, number);
                let (still, same) = (store.equal(before, behind), store.equal(old, new));
                let (more, drawn) = (store.unsigned_less(before, behind), {
                    let wide = store.zero_extend(store.width(new), before);
                    store.equal(new, wide)
                });
                let (kept, counted) = (store.and(still, same), store.and(more, drawn));
                let either = store.or(kept, counted);
                let first = edge.from == self.program.procedures[template].entry;
                let parts = match (early, first) {
                    (true, true) => vec![],
                    (true, false) => vec![same],
                    _ => vec![either],
                };
                let known = self.with_copies(tally, (template, edge.from), block.guard);
                self.follows(template, &edge, known, &parts)?;
            }
        }
        Ok(())
    }

    /// At most one thread is where a lock is held: it is taken where it is zero, and left something else; who does not
    /// hold it leaves it alone.
    fn lock(&mut self, locked: &Locked) -> Result<(), Failure> {
        for &template in &self.templates.clone() {
            let held = |location: LocationId| locked.held.contains(&(template, location));
            if held(self.program.procedures[template].entry) {
                return Err(Failure::rejected("a lock is held before it is taken"));
            }
            for (edge, early) in self.edges(template) {
                let written = match &edge.action {
                    Action::Block(block) => block.updates.iter().any(|&(symbol, _)| symbol == locked.lock),
                    _ => false,
                };
                match (&edge.action, held(edge.from), held(edge.to)) {
                    (Action::Block(block), _, true) if written => {
                        let store = &mut self.program.store;
                        let (before, behind) = values(store, block, locked.lock);
                        let zero = store.bits(store.width(before), 0);
                        let (free, taken) = (store.equal(before, zero), store.not_equal(behind, zero));
                        self.follows(template, &edge, block.guard, &[free, taken])?;
                    }
                    (_, false, true) => return Err(self.wrong(template, &edge)),
                    (_, false, false) if written && !early => return Err(self.wrong(template, &edge)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// A counter is written only where the lock is held, and copies there are what they are said to be.
    fn copies(&mut self, counter: Symbol, locked: &Locked) -> Result<(), Failure> {
        let none = Copies::new();
        for (place, copies) in &locked.copies {
            let local = |symbol: &Symbol| self.program.variables[*symbol].scope == Scope::Local(place.0);
            if !locked.held.contains(place) || !copies.keys().all(local) {
                return Err(Failure::rejected("a copy of what others may change"));
            }
        }
        for &template in &self.templates.clone() {
            for (edge, early) in self.edges(template) {
                let writes = edge.writes().contains(&counter);
                if writes && !early && !locked.held.contains(&(template, edge.from)) {
                    return Err(self.wrong(template, &edge));
                }
                let wanted = locked.copies.get(&(template, edge.to)).unwrap_or(&none);
                let known = locked.copies.get(&(template, edge.from)).unwrap_or(&none);
                let (known, wanted) = (self.are_copies(counter, known), self.are_copies(counter, wanted));
                let store = &mut self.program.store;
                let (known, wanted) = match &edge.action {
                    Action::Block(block) => {
                        (store.and(block.guard, known), store.substitute(wanted, &block.updates))
                    }
                    _ => (known, wanted),
                };
                self.follows(template, &edge, known, &[wanted])?;
            }
        }
        Ok(())
    }

    /// That variables are the counter and constants.
    fn are_copies(&mut self, counter: Symbol, copies: &Copies) -> Term {
        let store = &mut self.program.store;
        let counter = store.symbol(counter);
        let width = store.width(counter);
        let mut all = store.boolean(true);
        for (&copy, &more) in copies {
            let more = store.bits(width, from_signed(width, more));
            let (copy, sum) = (store.symbol(copy), store.add(counter, more));
            let same = store.equal(copy, sum);
            all = store.and(all, same);
        }
        all
    }

    /// A guard together with what is known of copies.
    fn with_copies(&mut self, tally: &Tally, place: (ProcedureId, LocationId), guard: Term) -> Term {
        let copies = tally.locked.as_ref().and_then(|locked| locked.copies.get(&place));
        match copies {
            Some(copies) => {
                let known = self.are_copies(tally.counter, copies);
                self.program.store.and(guard, known)
            }
            None => guard,
        }
    }

    /// The edges of a template, and whether each is taken before there are other threads.
    fn edges(&self, template: ProcedureId) -> Vec<(Edge, bool)> {
        let is_early = |edge: &Edge| template == self.program.entry && !self.late.contains(&edge.from);
        let edges = self.program.procedures[template].edges.iter();
        edges.map(|edge| (edge.clone(), is_early(edge))).collect()
    }

    /// A thread begins with this value of its ghost.
    fn begins(&self, template: ProcedureId, ghost: Symbol, value: Term) -> Result<(), Failure> {
        let procedure = &self.program.procedures[template];
        let parameter = procedure.parameters.iter().position(|&parameter| parameter == ghost);
        let well = match parameter {
            Some(position) => {
                self.program.procedures.iter().flat_map(|it| it.edges.iter()).all(|edge| match &edge.action {
                    Action::Start { procedure, arguments } if *procedure == template => {
                        arguments.get(position) == Some(&value)
                    }
                    _ => true,
                })
            }
            None => self.is_set_first(ghost, value),
        };
        if well { Ok(()) } else { Err(Failure::rejected("a ghost does not begin as it should")) }
    }

    /// Whether the first thing that the program does is to set a variable.
    fn is_set_first(&self, ghost: Symbol, value: Term) -> bool {
        let entry = &self.program.procedures[self.program.entry];
        let mut first = entry.edges.iter().filter(|edge| edge.from == entry.entry);
        first.all(|edge| match &edge.action {
            Action::Block(block) => block.updates.contains(&(ghost, value)),
            _ => false,
        })
    }

    /// An edge leaves the ghosts of others alone, but for the first thing that the program does.
    fn untouched(
        &self,
        template: ProcedureId,
        edge: &Edge,
        strange: &[Symbol],
        value: Term,
    ) -> Result<(), Failure> {
        let Action::Block(block) = &edge.action else { return Ok(()) };
        let first = template == self.program.entry && edge.from == self.program.procedures[template].entry;
        let allowed = |&(symbol, new): &(Symbol, Term)| !strange.contains(&symbol) || first && new == value;
        if block.updates.iter().all(allowed) { Ok(()) } else { Err(self.wrong(template, edge)) }
    }

    /// The counter has this value when the first thread is started.
    fn first_value(&self, counter: Symbol, first: u128) -> Result<(), Failure> {
        let procedure = &self.program.procedures[self.program.entry];
        let outgoing = outgoing(procedure);
        let mut seen = BTreeSet::from([(procedure.entry, None)]);
        let mut open: Vec<(LocationId, Option<u128>)> = seen.iter().copied().collect();
        while let Some((location, value)) = open.pop() {
            let starts = |edge: &Edge| matches!(edge.action, Action::Start { .. });
            let edges = || outgoing[location].iter().map(|&edge| &procedure.edges[edge]);
            if (self.late.contains(&location) || edges().any(starts)) && value != Some(first) {
                return Err(Failure::rejected("a counter begins with another value"));
            }
            for edge in edges().filter(|edge| !self.late.contains(&edge.from) && !starts(edge)) {
                let write = match &edge.action {
                    Action::Block(block) => block.updates.iter().find(|&&(symbol, _)| symbol == counter),
                    _ => None,
                };
                let behind = write.map_or(value, |&(_, term)| match self.program.store.node(term) {
                    Node::Bits(_, value) => Some(value),
                    _ => None,
                });
                if seen.insert((edge.to, behind)) {
                    open.push((edge.to, behind));
                }
            }
        }
        Ok(())
    }

    fn wrong(&self, template: ProcedureId, edge: &Edge) -> Failure {
        let place = crate::certify::proof::place(&self.program, template, edge);
        Failure::rejected(format!("{place}: what threads keep account of is not kept"))
    }

    /// Wherever the guard holds, all parts do.
    fn follows(
        &mut self,
        template: ProcedureId,
        edge: &Edge,
        guard: Term,
        parts: &[Term],
    ) -> Result<(), Failure> {
        self.steps += 1;
        let store = &mut self.program.store;
        let all = store.and_all(parts.iter().copied());
        let outside = store.not(all);
        if store.truth(outside) == Some(false) {
            return Ok(());
        }
        self.solver.push();
        [guard, outside].iter().for_each(|&part| self.solver.assert(store, part));
        let answer = self.solver.check(store);
        self.solver.pop();
        match answer? {
            Answer::Unsat { .. } => Ok(()),
            Answer::Sat(_) => Err(self.wrong(template, edge)),
            Answer::Unknown(why) => Err(Stop::Bound(format!("the solver gave up: {why}")).into()),
        }
    }
}

/// A variable before and behind a block.
fn values(store: &mut crate::term::Store, block: &Block, symbol: Symbol) -> (Term, Term) {
    let before = store.symbol(symbol);
    let update = block.updates.iter().find(|&&(other, _)| other == symbol);
    (before, update.map_or(before, |&(_, value)| value))
}

/// Locations of the first thread behind the start of another.
fn late(program: &Program) -> BTreeSet<LocationId> {
    let procedure = &program.procedures[program.entry];
    let outgoing: IndexVec<LocationId, Vec<_>> = outgoing(procedure);
    let starts = |edge: &&Edge| matches!(edge.action, Action::Start { .. });
    let mut open: Vec<LocationId> = procedure.edges.iter().filter(starts).map(|edge| edge.to).collect();
    let mut late = BTreeSet::new();
    while let Some(location) = open.pop() {
        if late.insert(location) {
            open.extend(outgoing[location].iter().map(|&edge| procedure.edges[edge].to));
        }
    }
    late
}
