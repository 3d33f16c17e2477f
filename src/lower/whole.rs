//! The program as a whole, as checks see it: what they may ask about it, and what they note when it starts and when threads end.
//! What happens at single instructions is offered to them in `body::offer`.

use crate::checks::code::{Tracking, Whole};
use crate::checks::held::{self, Held};
use crate::checks::{self, Check, LockStep, Manner, Needs};
use crate::ground::fault::Fault;
use crate::ir::analysis::points_to::{Origin, PointsTo, RegionId, RegionKind, Site, Transfer};
use crate::ir::{FunctionId, Module, Place};
use crate::library::functions::Known;
use crate::lower::memory::tracking::{called, is_tracked};
use crate::lower::memory::{is_dynamic, lifetimes, manner, single};
use crate::lower::{Lowering, sites, threads};
use crate::program::{Role, Scope, Variable};
use crate::term::{Sort, Store, Symbol, Term};
use std::collections::BTreeSet;

/// The checks, and what they share.
pub(in crate::lower) struct Checks {
    /// All of them, whether or not they are asked for.
    pub all: Vec<Box<dyn Check>>,
    /// What those that are asked for need.
    pub needs: Needs,
    /// Who holds which lock, if anybody asks.
    pub held: Held,
}

impl Checks {
    pub fn of(asked: &BTreeSet<Fault>) -> Self {
        let all = checks::all();
        Self { needs: checks::needs(&all, asked), all, held: Held::default() }
    }
}

/// Checks that are asked for make their variables; the others say what a proof rests on without them.
pub(in crate::lower) fn prepare_checks(lowering: &mut Lowering<'_>) {
    held::note_locks(lowering);
    let mut checks = std::mem::take(&mut lowering.checks.all);
    for check in &mut checks {
        if lowering.asks(check.fault()) {
            check.prepare(lowering);
        } else {
            check.unasked(lowering);
        }
    }
    lowering.checks.all = checks;
}

/// What the variables of checks hold when the program starts.
pub(in crate::lower) fn checks_at_first(lowering: &mut Lowering<'_>) -> Vec<(Symbol, Term)> {
    let checks = std::mem::take(&mut lowering.checks.all);
    let mut first = held::held_at_first(lowering);
    first.extend(checks.iter().flat_map(|check| check.at_first(lowering)));
    lowering.checks.all = checks;
    first
}

/// What a thread notes when it ends.
pub(in crate::lower) fn notes_at_end(lowering: &mut Lowering<'_>) -> Vec<(Symbol, Term)> {
    let checks = std::mem::take(&mut lowering.checks.all);
    let notes = checks.iter().flat_map(|check| check.at_end_of_thread(lowering)).collect();
    lowering.checks.all = checks;
    notes
}

impl Whole for Lowering<'_> {
    fn module(&self) -> &Module {
        self.module
    }

    fn points(&self) -> &PointsTo {
        self.points
    }

    fn store(&mut self) -> &mut Store {
        &mut self.store
    }

    fn pointer_bits(&self) -> u32 {
        self.module.pointer_bits()
    }

    fn threaded(&self) -> bool {
        self.threaded()
    }

    fn asks(&self, fault: Fault) -> bool {
        self.settings.checks.contains(&fault)
    }

    fn ghost(&mut self, name: &str, sort: Sort, role: Role) -> Symbol {
        self.variable(name, sort, Variable { scope: Scope::Global, ty: None, role })
    }

    fn uncovered(&mut self, fault: Fault, place: Option<Place>, what: &'static str) {
        self.without(fault, place, what);
    }

    fn fixed(&self, origin: Origin) -> Option<(u64, u64)> {
        let object = self.memory.layout.object(origin).filter(|_| !is_dynamic(self, origin))?;
        Some((object.base, object.size))
    }

    fn name_of(&self, origin: Origin) -> Option<String> {
        self.memory.layout.name(origin)
    }

    fn end_of_fixed(&self) -> u64 {
        self.memory.layout.end()
    }

    fn is_tracked(&self, origin: Origin) -> bool {
        is_tracked(self, origin)
    }

    fn tracking(&self) -> Option<Tracking> {
        self.memory.tracking
    }

    fn life(&self, origin: Origin) -> Option<Symbol> {
        self.memory.life(origin)
    }

    fn may_be_missed(&self, origin: Origin, function: FunctionId) -> bool {
        lifetimes::may_be_missed(self, origin, function)
    }

    fn what_lives(&self) -> Vec<Symbol> {
        self.memory.tracking.map(|tracking| single::what_lives(self, tracking)).unwrap_or_default()
    }

    fn region(&self, region: RegionId) -> (Symbol, RegionKind) {
        let held = self.memory.regions[region];
        (held.symbol, held.kind)
    }

    fn is_shared(&self, region: RegionId) -> bool {
        let held = self.memory.regions[region];
        let global = self.variables[held.symbol].scope == Scope::Global;
        global && held.constant.is_none() && !self.points.regions()[region].private
    }

    fn accessed(&self, site: Site) -> Vec<(RegionId, Manner)> {
        let manner = manner(self.module, site);
        let parts = self.points.accesses(site).iter();
        let mut out: Vec<(RegionId, Manner)> = parts.map(|part| (part.region, manner)).collect();
        match self.points.copy(site) {
            Transfer::Pieces(pieces) => pieces.iter().for_each(|piece| {
                out.push((piece.to, Manner::Write));
                out.extend(piece.from.map(|from| (from, Manner::Read)));
            }),
            Transfer::Loop { to, from, .. } => {
                out.push((to, Manner::Write));
                out.extend(from.map(|from| (from, Manner::Read)));
            }
            Transfer::Nowhere => {}
        }
        out
    }

    fn is_of_pthread(&self, site: Site) -> bool {
        self.threads.of_models.contains(&(site.function, site.block))
    }

    fn atomicity(&self) -> (&BTreeSet<Site>, &BTreeSet<Site>) {
        (&self.threads.atomicity.always, &self.threads.atomicity.sometimes)
    }

    fn sites(&self) -> Vec<Site> {
        self.points.reachable().iter().flat_map(|&function| sites(self.module, function)).collect()
    }

    fn lock_step(&self, site: Site) -> Option<LockStep> {
        match called(self.module, self.settings, site) {
            Some(Known::Lock(step)) => Some(step),
            _ => None,
        }
    }

    fn may_run_in_thread(&self, function: FunctionId) -> bool {
        threads::may_run_in_thread(self, function)
    }

    fn held(&mut self) -> &mut Held {
        &mut self.checks.held
    }
}
