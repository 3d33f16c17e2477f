//! What can be found out about a module without running it. Nothing here changes it.

pub mod atomicity;
pub mod definedness;
pub mod points_to;
pub mod uses;

use super::{Callee, FunctionId, Module, Operation};
use points_to::{PointsTo, Site};

/// All instructions of a function.
pub fn sites(module: &Module, function: FunctionId) -> impl Iterator<Item = Site> + '_ {
    module.functions[function].blocks.enumerate().flat_map(move |(block, content)| {
        (0..content.instructions.len()).map(move |number| Site { function, block, number })
    })
}

/// The functions that an instruction may call, as far as they are known.
#[must_use]
pub fn callees(module: &Module, points: &PointsTo, site: Site) -> Vec<FunctionId> {
    let block = &module.functions[site.function].blocks[site.block];
    match &block.instructions[site.number].operation {
        Operation::Call { callee: Callee::Function(callee), .. } => vec![*callee],
        Operation::Call { callee: Callee::Address(_), .. } => points.callees(site).functions,
        _ => Vec::new(),
    }
}
