//! The analysis from end to end.

use super::external::External;
use super::graph::Cell;
use super::indexed::band_of;
use super::once::once;
use super::regions::Cutting;
use super::state::{Analysis, Entry, RawCall};
use super::threads::Activations;
use super::uses::AddressUses;
use super::{Callees, Members, Origin, PointsTo, Site, escape, forged, kept, observed, single, unset};
use crate::ir::{FunctionId, Module};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// After so many, no array is kept apart.
const ATTEMPTS: usize = 12;

impl PointsTo {
    /// Analyses what can be reached from the roots. Addresses that roots take as parameters come from outside.
    /// `externals` says what functions without a body do, and inline assembly under the name of
    /// [`ASSEMBLY`](super::ASSEMBLY).
    #[must_use]
    pub fn analyse(
        module: &Module,
        roots: &[FunctionId],
        externals: &dyn Fn(&str) -> External,
        members: Members,
    ) -> Self {
        let mut analysis = solved(module, roots, externals, members);
        let activations = Activations::new(&analysis, roots);
        let callees = targets(&analysis, Entry::Call);
        let once = once(module, &analysis.reachable, roots, &callees, &activations);
        let single = single::mark(&mut analysis, &once);
        let uses = AddressUses::new(&analysis);
        let mut solution = Cutting::new(&analysis, &activations, &uses).run();
        solution.indexed = analysis.indices();
        solution.kept = kept::find(&analysis, &activations, &escape::shared(&analysis));
        solution.callees = callees;
        solution.once = once;
        solution.single = single;
        solution.started = targets(&analysis, Entry::Thread);
        solution.observed = observed::find(&analysis, &activations.several, &uses);
        let called = analysis.callbacks.iter().filter(|function| !roots.contains(function));
        solution.callbacks = called.copied().collect();
        solution.arguments = arguments(&analysis);
        solution.locks = locks(&analysis);
        solution.moved = observed::moved(&analysis);
        solution.forged = forged::find(&analysis);
        solution.reachable = analysis.reachable;
        solution.recursive = activations.recursive;
        solution.several = activations.several;
        solution.routines = activations.routines;
        solution
    }
}

/// The fixed point. Arrays that cannot be kept apart from their structs are found out on the way: then it starts again without them.
fn solved<'a>(
    module: &'a Module,
    roots: &[FunctionId],
    externals: &'a dyn Fn(&str) -> External,
    members: Members,
) -> Analysis<'a> {
    let mut together = (members == Members::Apart).then(BTreeSet::new);
    for attempt in 0.. {
        let mut analysis = Analysis::new(module, externals, together.clone());
        analysis.solve(roots);
        if analysis.graph.broken.is_empty() {
            return analysis;
        }
        together = together.filter(|_| attempt < ATTEMPTS);
        together.iter_mut().for_each(|sites| sites.extend(&analysis.graph.broken));
    }
    unreachable!("without arrays that are kept apart, none is broken")
}

/// What functions for printing get, and those that free memory.
fn arguments(analysis: &Analysis<'_>) -> FxHashMap<(Site, usize), BTreeSet<Origin>> {
    let asked = |function: FunctionId| {
        let name = &analysis.module.functions[function].name;
        let effect = (analysis.externals)(name);
        matches!(effect, External::Prints | External::Frees | External::Reallocates(..))
    };
    let sites: BTreeSet<Site> =
        analysis.edges.iter().filter(|(_, callee, _)| asked(*callee)).map(|(site, _, _)| *site).collect();
    let mut arguments: FxHashMap<(Site, usize), BTreeSet<Origin>> = FxHashMap::default();
    for call in analysis.calls.iter().filter(|call| sites.contains(&call.site)) {
        for (position, (cell, _)) in call.arguments.iter().enumerate() {
            let Some(cell) = cell else { continue };
            let body = analysis.graph.body(analysis.graph.resolve(*cell).node);
            let all = arguments.entry((call.site, position)).or_default();
            all.extend(body.objects.iter().map(|&object| analysis.objects[object].origin));
            all.extend((body.outside || !body.functions.is_empty()).then_some(Origin::Outside));
        }
    }
    arguments
}

/// The places that our models of locks tell of, as far as each is a single one.
fn locks(analysis: &Analysis<'_>) -> FxHashMap<Site, (Origin, i64)> {
    let tells = |function: FunctionId| analysis.module.functions[function].name.starts_with("boolero_");
    let sites: BTreeSet<Site> =
        analysis.edges.iter().filter(|(_, callee, _)| tells(*callee)).map(|(site, _, _)| *site).collect();
    let calls = analysis.calls.iter().filter(|call| sites.contains(&call.site));
    let first = |call: &RawCall| call.arguments.first().and_then(|(cell, _)| *cell);
    calls.filter_map(|call| Some((call.site, single_place(analysis, first(call)?)?))).collect()
}

/// The object and the offset in it that an address points to, if there is no other object and no other offset.
fn single_place(analysis: &Analysis<'_>, cell: Cell) -> Option<(Origin, i64)> {
    let cell = analysis.graph.resolve(cell);
    let body = analysis.graph.body(cell.node);
    let single = body.stride == 0
        && band_of(body, cell.offset).is_none()
        && !body.outside
        && body.functions.is_empty();
    let [object] = body.objects[..] else { return None };
    let object = &analysis.objects[object];
    let start = analysis.graph.resolve(object.cell).offset;
    single.then(|| (object.origin, cell.offset.wrapping_sub(start)))
}

/// Which functions calls, or threads, may enter.
fn targets(analysis: &Analysis<'_>, entry: Entry) -> FxHashMap<Site, Callees> {
    let mut targets: FxHashMap<Site, Callees> = FxHashMap::default();
    for call in analysis.calls.iter().filter(|call| call.entry == entry) {
        let unset = call
            .address
            .is_some_and(|address| unset::is_unset(analysis, analysis.graph.resolve(address).node));
        let outside = analysis.incomplete.contains(&call.site);
        let complete = !unset && !outside;
        targets.insert(call.site, Callees { functions: Vec::new(), complete, outside });
    }
    for &(site, function, _) in analysis.edges.iter().filter(|edge| edge.2 == entry) {
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
