//! The analysis from end to end.

use super::external::External;
use super::graph::Cell;
use super::kept;
use super::once::once;
use super::regions::Cutting;
use super::state::{Analysis, Entry, RawCall};
use super::threads::Activations;
use super::uses::AddressUses;
use super::{Callees, Origin, PointsTo, Site};
use crate::ir::{FunctionId, Module};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

impl PointsTo {
    /// Analyses what can be reached from the roots. Addresses that roots take as parameters come from outside.
    /// `externals` says what functions without a body do, and inline assembly under the name of
    /// [`ASSEMBLY`](super::ASSEMBLY).
    #[must_use]
    pub fn analyse(module: &Module, roots: &[FunctionId], externals: &dyn Fn(&str) -> External) -> Self {
        let mut analysis = Analysis::new(module, externals);
        analysis.solve(roots);
        let activations = Activations::new(&analysis, roots);
        let callees = analysis.targets(Entry::Call);
        let once = once(module, &analysis.reachable, roots, &callees, &activations);
        let single = analysis.mark_single_allocations(&once);
        let uses = AddressUses::new(&analysis);
        let mut solution = Cutting::new(&analysis, &activations, &uses).run();
        solution.kept = kept::find(&analysis, &activations, &analysis.shared());
        solution.callees = callees;
        solution.once = once;
        solution.single = single;
        solution.started = analysis.targets(Entry::Thread);
        solution.observed = analysis.observed(&activations.several, &uses);
        let called = analysis.callbacks.iter().filter(|function| !roots.contains(function));
        solution.callbacks = called.copied().collect();
        solution.arguments = analysis.arguments();
        solution.locks = analysis.locks();
        solution.moved = analysis.moved();
        solution.forged = analysis.forged();
        solution.reachable = analysis.reachable;
        solution.recursive = activations.recursive;
        solution.several = activations.several;
        solution.routines = activations.routines;
        solution
    }
}

impl Analysis<'_> {
    /// What functions for printing get, and those that free memory.
    fn arguments(&self) -> FxHashMap<(Site, usize), BTreeSet<Origin>> {
        let asked = |function: FunctionId| {
            let name = &self.module.functions[function].name;
            let effect = (self.externals)(name);
            matches!(effect, External::Prints | External::Frees | External::Reallocates(..))
        };
        let sites: BTreeSet<Site> =
            self.edges.iter().filter(|(_, callee, _)| asked(*callee)).map(|(site, _, _)| *site).collect();
        let mut arguments: FxHashMap<(Site, usize), BTreeSet<Origin>> = FxHashMap::default();
        for call in self.calls.iter().filter(|call| sites.contains(&call.site)) {
            for (position, (cell, _)) in call.arguments.iter().enumerate() {
                let Some(cell) = cell else { continue };
                let body = self.graph.body(self.graph.resolve(*cell).node);
                let all = arguments.entry((call.site, position)).or_default();
                all.extend(body.objects.iter().map(|&object| self.objects[object].origin));
                all.extend((body.outside || !body.functions.is_empty()).then_some(Origin::Outside));
            }
        }
        arguments
    }

    /// The places that our models of locks tell of, as far as each is a single one.
    fn locks(&self) -> FxHashMap<Site, (Origin, i64)> {
        let tells = |function: FunctionId| self.module.functions[function].name.starts_with("boolero_");
        let sites: BTreeSet<Site> =
            self.edges.iter().filter(|(_, callee, _)| tells(*callee)).map(|(site, _, _)| *site).collect();
        let calls = self.calls.iter().filter(|call| sites.contains(&call.site));
        let first = |call: &RawCall| call.arguments.first().and_then(|(cell, _)| *cell);
        calls.filter_map(|call| Some((call.site, self.single_place(first(call)?)?))).collect()
    }

    /// The object and the offset in it that an address points to, if there is no other object and no other offset.
    fn single_place(&self, cell: Cell) -> Option<(Origin, i64)> {
        let cell = self.graph.resolve(cell);
        let body = self.graph.body(cell.node);
        let single = body.stride == 0 && !body.outside && body.functions.is_empty();
        let [object] = body.objects[..] else { return None };
        let object = &self.objects[object];
        let start = self.graph.resolve(object.cell).offset;
        single.then(|| (object.origin, cell.offset.wrapping_sub(start)))
    }

    /// Which functions calls, or threads, may enter.
    fn targets(&self, entry: Entry) -> FxHashMap<Site, Callees> {
        let mut targets: FxHashMap<Site, Callees> = FxHashMap::default();
        for call in self.calls.iter().filter(|call| call.entry == entry) {
            let unset = call.address.is_some_and(|address| self.is_unset(self.graph.resolve(address).node));
            let complete = !unset && !self.incomplete.contains(&call.site);
            targets.insert(call.site, Callees { functions: Vec::new(), complete });
        }
        for &(site, function, _) in self.edges.iter().filter(|edge| edge.2 == entry) {
            if let Some(callees) = targets.get_mut(&site) {
                callees.functions.push(function);
            }
        }
        for callees in targets.values_mut() {
            callees.functions.sort_unstable();
            callees.functions.dedup();
        }
        targets
    }
}
