//! The analysis from end to end.

use super::external::External;
use super::kept;
use super::regions::Cutting;
use super::state::{Analysis, Entry};
use super::threads::Activations;
use super::uses::AddressUses;
use super::{Callees, PointsTo, Site};
use crate::ir::{FunctionId, Module};
use rustc_hash::FxHashMap;

impl PointsTo {
    /// Analyses what can be reached from the roots. Addresses that roots take as parameters come from outside.
    /// `externals` says what functions without a body do, and inline assembly under the name of
    /// [`ASSEMBLY`](super::ASSEMBLY).
    #[must_use]
    pub fn analyse(module: &Module, roots: &[FunctionId], externals: &dyn Fn(&str) -> External) -> Self {
        let mut analysis = Analysis::new(module, externals);
        analysis.solve(roots);
        let activations = Activations::new(&analysis, roots);
        let uses = AddressUses::new(&analysis);
        let mut solution = Cutting::new(&analysis, &activations, &uses).run();
        solution.kept = kept::find(&analysis, &activations, &analysis.shared());
        solution.callees = analysis.targets(Entry::Call);
        solution.started = analysis.targets(Entry::Thread);
        solution.observed = analysis.observed();
        solution.reachable = analysis.reachable;
        solution.recursive = activations.recursive;
        solution.several = activations.several;
        solution.routines = activations.routines;
        solution
    }
}

impl Analysis<'_> {
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
