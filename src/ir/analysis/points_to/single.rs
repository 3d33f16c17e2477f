//! Objects of the heap that exist at most once: allocated with a constant size where a run gets at most once. They are like
//! variables, so that each of their places can be a plain variable of the program model.

use super::constraints::integer;
use super::external::External;
use super::once::in_loops;
use super::state::Analysis;
use super::{Origin, Site};
use crate::ir::{Callee, FunctionId, Operand, Operation, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Larger objects may be too many bytes to have addresses side by side with others.
const LARGEST: u64 = 1 << 20;

/// Finds them, and notes their sizes.
pub(super) fn mark(analysis: &mut Analysis<'_>, once: &BTreeSet<FunctionId>) -> BTreeMap<Site, u64> {
    let mut single = BTreeMap::new();
    for &function in once {
        let definition = &analysis.module.functions[function];
        let cyclic = in_loops(definition);
        for (block, content) in definition.blocks.enumerate().filter(|(block, _)| !cyclic[*block]) {
            for (number, instruction) in content.instructions.iter().enumerate() {
                let site = Site { function, block, number };
                let size = constant_allocation(analysis, &instruction.operation);
                single.extend(size.map(|size| (site, size)));
            }
        }
    }
    for (&site, &size) in &single {
        if let Some(&object) = analysis.by_origin.get(&Origin::Heap(site)) {
            analysis.objects[object].size = Some(size);
            analysis.objects[object].repeated = false;
        }
    }
    single
}

/// How many bytes of the heap an instruction allocates, if that is a constant.
fn constant_allocation(analysis: &Analysis<'_>, operation: &Operation) -> Option<u64> {
    let Operation::Call { callee: Callee::Function(callee), arguments, .. } = operation else {
        return None;
    };
    let callee = &analysis.module.functions[*callee];
    if callee.is_defined() {
        return None;
    }
    let constant =
        |(operand, _): &(Operand, Type)| integer(operand).and_then(|size| u64::try_from(size).ok());
    let size = |number: &usize| arguments.get(*number).and_then(constant);
    let bytes = match (analysis.externals)(&callee.name) {
        External::Allocates([]) => None,
        External::Allocates(factors) => {
            factors.iter().try_fold(1u64, |product, number| product.checked_mul(size(number)?))
        }
        External::Reallocates(_, bytes) => size(&bytes),
        _ => None,
    };
    bytes.filter(|&bytes| bytes <= LARGEST)
}
