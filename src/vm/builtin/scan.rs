//! `scanf` and its like: what is read is arbitrary.

use super::{Arguments, Flow, Handler, Run, Step, scan_text};
use crate::ir::scan;
use crate::vm::choices::ChoiceKind;
use crate::vm::range;
use crate::vm::value::{Slot, signed};

/// The handler of a function that reads by a format.
pub(super) fn find(name: &str) -> Option<Handler> {
    let handler = |scan: scan::Scan| if scan.of_text { scan_text::scanned as Handler } else { scanned };
    scan::scan(name).map(handler)
}

/// Some conversions succeed. What they would read is asked for in any case, so that the list of choices does not depend
/// on their number.
fn scanned(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let name = &run.module.functions[arguments.function].name;
    let first = scan::scan(name).map_or(0, |scan| scan.format);
    let format = range::string(run, arguments.get(first))?;
    let Some(widths) = scan::conversions(&format, run.pointer_bits()) else {
        return run.unsupported("a format of scanf with other conversions than integers");
    };
    if arguments.len() != first + 1 + widths.len() {
        return run.unsupported("a format of scanf that does not fit the arguments");
    }
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let chosen = run.choose_bits(ChoiceKind::Input, scan::COUNT, 32)?;
    // From −1, which is the end of the input, to the number of conversions.
    let count = signed(chosen, 32).wrapping_add(1).rem_euclid(widths.len() as i64 + 2) - 1;
    for (number, &bits) in widths.iter().enumerate() {
        let value = run.choose_bits(ChoiceKind::Input, &scan::input(bits), bits)?;
        if (number as i64) < count {
            run.store(arguments.get(first + 1 + number), Slot::number(value), bits as usize / 8, bits)?;
        }
    }
    Flow::int(count as i32)
}
