//! Memory and strings.

use super::{Arguments, Flow, Run, Step, Table};
use crate::vm::code::Access;
use crate::vm::memory::{Contents, Origin};
use crate::vm::value::Slot;
use crate::vm::{race, range};
use std::cmp::Ordering;

pub(super) const TABLE: Table = &[
    ("memcpy", memcpy),
    ("memmove", memcpy),
    ("__memcpy_chk", memcpy),
    ("__memmove_chk", memcpy),
    ("memset", memset),
    ("__memset_chk", memset),
    ("bzero", bzero),
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("memchr", memchr),
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("strcpy", strcpy),
    ("strncpy", strncpy),
    ("strcat", strcat),
    ("strncat", strncat),
    ("strcmp", strcmp),
    ("strncmp", strncmp),
    ("strchr", strchr),
    ("strrchr", strrchr),
    ("strstr", strstr),
    ("strdup", strdup),
    ("atoi", atoi),
    ("atol", atoi),
];

/// Whether other threads must have their turn before an argument is accessed.
fn pauses(run: &mut Run<'_>, arguments: &Arguments, count: usize) -> bool {
    // One grant serves all of them.
    run.concurrent && (0..count).any(|number| run.is_shared(arguments.get(number))) && run.pauses_here()
}

fn memcpy(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let length = arguments.number(run, 2)?;
    if race::stops_for(
        run,
        &[(arguments.get(0), length, Access::Write), (arguments.get(1), length, Access::Read)],
    )? {
        return Ok(Flow::Again);
    }
    range::copy(run, arguments.get(0), arguments.get(1), length)?;
    Ok(Flow::Return(arguments.get(0)))
}

fn memset(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let length = arguments.number(run, 2)?;
    if race::stops_for(run, &[(arguments.get(0), length, Access::Write)])? {
        return Ok(Flow::Again);
    }
    range::fill(run, arguments.get(0), arguments.get(1), length)?;
    Ok(Flow::Return(arguments.get(0)))
}

fn bzero(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let length = arguments.number(run, 1)?;
    if race::stops_for(run, &[(arguments.get(0), length, Access::Write)])? {
        return Ok(Flow::Again);
    }
    range::fill(run, arguments.get(0), Slot::ZERO, length)?;
    Flow::zero()
}

/// A byte that a decision depends on.
fn byte(run: &mut Run<'_>, address: Slot, offset: u64) -> Step<u8> {
    let value = run.load(run.moved(address, offset), 1, 8)?;
    run.give_away(value)?;
    Ok(value.bits as u8)
}

fn order(ordering: Ordering) -> Step<Flow> {
    Flow::int(ordering as i32)
}

fn memcmp(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let length = arguments.number(run, 2)?;
    if pauses(run, arguments, 2) {
        return Ok(Flow::Again);
    }
    for offset in 0..length {
        let (left, right) = (byte(run, arguments.get(0), offset)?, byte(run, arguments.get(1), offset)?);
        if left != right {
            return order(left.cmp(&right));
        }
    }
    Flow::zero()
}

fn memchr(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let (wanted, length) = (arguments.number(run, 1)? as u8, arguments.number(run, 2)?);
    if pauses(run, arguments, 1) {
        return Ok(Flow::Again);
    }
    for offset in 0..length {
        if byte(run, arguments.get(0), offset)? == wanted {
            return Ok(Flow::Return(run.moved(arguments.get(0), offset)));
        }
    }
    Flow::zero()
}

fn strlen(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if pauses(run, arguments, 1) {
        return Ok(Flow::Again);
    }
    let length = range::string(run, arguments.get(0))?.len();
    Flow::number(length as u64)
}

fn strnlen(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let most = arguments.number(run, 1)?;
    if pauses(run, arguments, 1) {
        return Ok(Flow::Again);
    }
    let length = range::string_up_to(run, arguments.get(0), most)?.len();
    Flow::number(length as u64)
}

fn strcpy(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if pauses(run, arguments, 2) {
        return Ok(Flow::Again);
    }
    let mut text = range::string(run, arguments.get(1))?;
    text.push(0);
    range::put_bytes(run, arguments.get(0), &text)?;
    Ok(Flow::Return(arguments.get(0)))
}

fn strncpy(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let length = arguments.number(run, 2)?;
    if pauses(run, arguments, 2) {
        return Ok(Flow::Again);
    }
    let text = range::string_up_to(run, arguments.get(1), length)?;
    range::put_bytes(run, arguments.get(0), &text)?;
    let rest = length - text.len() as u64;
    let end = run.moved(arguments.get(0), text.len() as u64);
    range::fill(run, end, Slot::ZERO, rest)?;
    Ok(Flow::Return(arguments.get(0)))
}

fn append(run: &mut Run<'_>, arguments: &Arguments, most: u64) -> Step<Flow> {
    if pauses(run, arguments, 2) {
        return Ok(Flow::Again);
    }
    let start = range::string(run, arguments.get(0))?.len() as u64;
    let mut text = range::string_up_to(run, arguments.get(1), most)?;
    text.push(0);
    let end = run.moved(arguments.get(0), start);
    range::put_bytes(run, end, &text)?;
    Ok(Flow::Return(arguments.get(0)))
}

fn strcat(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    append(run, arguments, u64::MAX)
}

fn strncat(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let most = arguments.number(run, 2)?;
    append(run, arguments, most)
}

fn compare(run: &mut Run<'_>, arguments: &Arguments, most: u64) -> Step<Flow> {
    if pauses(run, arguments, 2) {
        return Ok(Flow::Again);
    }
    for offset in 0..most {
        let (left, right) = (byte(run, arguments.get(0), offset)?, byte(run, arguments.get(1), offset)?);
        if left != right || left == 0 {
            return order(left.cmp(&right));
        }
    }
    Flow::zero()
}

fn strcmp(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    compare(run, arguments, u64::MAX)
}

fn strncmp(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let most = arguments.number(run, 2)?;
    compare(run, arguments, most)
}

/// Which of several places.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    First,
    Last,
}

fn find_byte(run: &mut Run<'_>, arguments: &Arguments, which: Which) -> Step<Flow> {
    let wanted = arguments.number(run, 1)? as u8;
    if pauses(run, arguments, 1) {
        return Ok(Flow::Again);
    }
    let mut text = range::string(run, arguments.get(0))?;
    text.push(0);
    let is_wanted = |byte: &u8| *byte == wanted;
    let found = if which == Which::First {
        text.iter().position(is_wanted)
    } else {
        text.iter().rposition(is_wanted)
    };
    Ok(Flow::Return(found.map_or(Slot::ZERO, |offset| run.moved(arguments.get(0), offset as u64))))
}

fn strchr(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    find_byte(run, arguments, Which::First)
}

fn strrchr(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    find_byte(run, arguments, Which::Last)
}

fn strstr(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if pauses(run, arguments, 2) {
        return Ok(Flow::Again);
    }
    let (text, wanted) = (range::string(run, arguments.get(0))?, range::string(run, arguments.get(1))?);
    if wanted.is_empty() {
        return Ok(Flow::Return(arguments.get(0)));
    }
    let found = text.windows(wanted.len()).position(|window| window == wanted);
    Ok(Flow::Return(found.map_or(Slot::ZERO, |offset| run.moved(arguments.get(0), offset as u64))))
}

fn strdup(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if pauses(run, arguments, 1) {
        return Ok(Flow::Again);
    }
    let mut text = range::string(run, arguments.get(0))?;
    text.push(0);
    let origin = Origin::Heap(run.place());
    let id = run.new_object(origin, text.len() as u64, 16, Contents::Zeros)?;
    run.memory[id].bytes.copy_from_slice(&text);
    Ok(Flow::Return(Slot::address(id, 0)))
}

/// Decimal digits after spaces and a sign; what does not fit is cut.
fn atoi(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if pauses(run, arguments, 1) {
        return Ok(Flow::Again);
    }
    let text = range::string(run, arguments.get(0))?;
    let text = String::from_utf8_lossy(&text);
    let text = text.trim_start();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.bytes().take_while(u8::is_ascii_digit);
    let value =
        digits.fold(0i64, |value, digit| value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0')));
    let value = if negative { value.wrapping_neg() } else { value };
    Flow::number(value as u64 & crate::vm::value::mask(arguments.result.max(32)))
}
