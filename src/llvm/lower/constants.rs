//! Global variables that nobody changes: what is read there is what they start with.

use super::super::points_to::{Origin, RegionId, RegionKind, Site, Transfer};
use super::Lowering;
use super::entry::initial;
use crate::ir::{Operand, Operation};
use crate::term::Term;
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// Finds plain variables that always hold what they start with.
    pub fn find_constants(&mut self) {
        let mut candidates = self.starting_values();
        for &function in self.points.reachable() {
            for site in super::sites(self.module, function) {
                for region in self.changed(site, &candidates) {
                    candidates.remove(&region);
                }
            }
        }
        for (region, value) in candidates {
            self.regions[region].constant = Some(value);
        }
    }

    /// What plain global variables start with.
    fn starting_values(&mut self) -> BTreeMap<RegionId, Term> {
        let mut values = BTreeMap::new();
        for (id, region) in self.points.regions().enumerate() {
            let RegionKind::Scalar { origin: Origin::Global(global), offset, bits } = region.kind else {
                continue;
            };
            let global = &self.module.globals[global];
            if let Some(initialiser) = global.initialiser.as_ref().filter(|i| i.unsupported.is_none()) {
                values.insert(id, initial(self, initialiser, offset, bits));
            }
        }
        values
    }

    /// The regions that an instruction may give another value.
    fn changed(&mut self, site: Site, start: &BTreeMap<RegionId, Term>) -> Vec<RegionId> {
        let function = &self.module.functions[site.function];
        let mut changed: Vec<RegionId> = match self.points.copy(site) {
            Transfer::Pieces(pieces) => pieces.iter().map(|piece| piece.to).collect(),
            Transfer::Loop { to, .. } => vec![to],
            Transfer::Nowhere => Vec::new(),
        };
        let accesses = self.points.accesses(site).iter().map(|access| access.region);
        match &function.blocks[site.block].instructions[site.number].operation {
            Operation::Load { .. } => {}
            Operation::Store { value, .. } => {
                let same = |region: &RegionId| self.is_same(value, start.get(region).copied());
                changed.extend(accesses.filter(|region| !same(region)).collect::<Vec<_>>());
            }
            _ => changed.extend(accesses),
        }
        changed
    }

    /// Whether an operand is the integer that a region starts with.
    fn is_same(&self, operand: &Operand, start: Option<Term>) -> bool {
        let Operand::Constant(crate::ir::Constant::Integer { bits, value }) = operand else { return false };
        let start = start.map(|start| self.store.node(start));
        start == Some(crate::term::Node::Bits(*bits, *value))
    }
}
