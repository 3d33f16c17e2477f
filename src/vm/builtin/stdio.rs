//! Output.

use super::{Arguments, Flow, Run, Step, Table};
use crate::vm::code::Access;
use crate::vm::memory::Origin;
use crate::vm::outcome::Event;
use crate::vm::print::{Argument, Conversion, Part, convert, parse};
use crate::vm::value::{ObjectId, Slot, signed};
use crate::vm::{range, trace};

pub(super) const TABLE: Table = &[
    ("printf", printf),
    ("fprintf", fprintf),
    ("sprintf", sprintf),
    ("snprintf", snprintf),
    ("vprintf", vprintf),
    ("vfprintf", vfprintf),
    ("vsprintf", vsprintf),
    ("vsnprintf", vsnprintf),
    ("puts", puts),
    ("fputs", fputs),
    ("putchar", putchar),
    ("fputc", fputc),
    ("putc", fputc),
    ("fwrite", fwrite),
    ("fflush", fflush),
    ("perror", perror),
];

/// Where the arguments of a format come from.
enum Source<'a> {
    /// The arguments of the call, from this number on.
    Call(&'a Arguments, usize),
    /// A `va_list`: the next one lies there.
    List(Slot),
}

impl Source<'_> {
    /// The next argument of so many bits.
    fn next(&mut self, run: &mut Run<'_>, bits: u32) -> Step<(Slot, u32)> {
        match self {
            Self::Call(arguments, next) => {
                if *next >= arguments.len() {
                    return run.unsupported("a format that wants more arguments than there are");
                }
                *next += 1;
                Ok((arguments.get(*next - 1), arguments.bits(*next - 1)))
            }
            Self::List(address) => {
                let bytes = bits / 8;
                let value = run.load(*address, bytes as usize, bits)?;
                run.give_away(value)?;
                *address = run.moved(*address, u64::from(bytes.next_multiple_of(run.image.word)));
                Ok((value, bits))
            }
        }
    }
}

/// The width of what a conversion reads from a `va_list`.
fn width(run: &Run<'_>, conversion: &Conversion) -> u32 {
    match (conversion.letter, conversion.length.as_str()) {
        (b'f' | b'F' | b'e' | b'E' | b'g' | b'G', _) | (_, "ll" | "q" | "j" | "L") => 64,
        (b's' | b'p' | b'n', _) | (_, "l" | "z" | "t") => run.pointer_bits(),
        _ => 32,
    }
}

/// A text with its conversions filled in.
fn format(run: &mut Run<'_>, text: Slot, mut source: Source<'_>) -> Step<Vec<u8>> {
    let mut output = Vec::new();
    for part in parse(&range::string(run, text)?) {
        match part {
            Part::Text(text) => output.extend(text),
            Part::Conversion(mut conversion) => {
                stars(run, &mut conversion, &mut source)?;
                let argument = argument(run, &conversion, &mut source)?;
                match convert(&conversion, &argument) {
                    Some(text) if conversion.length != "L" => output.extend(text),
                    _ => return run.unsupported(format!("the format `%{}`", char::from(conversion.letter))),
                }
            }
        }
    }
    Ok(output)
}

/// Width and precision that are arguments.
fn stars(run: &mut Run<'_>, conversion: &mut Conversion, source: &mut Source<'_>) -> Step {
    if conversion.width_given {
        let width = signed(source.next(run, 32)?.0.bits, 32);
        conversion.minus |= width < 0;
        conversion.width = Some(width.unsigned_abs().min(1 << 20) as usize);
    }
    if conversion.precision_given {
        let precision = signed(source.next(run, 32)?.0.bits, 32);
        conversion.precision = usize::try_from(precision).ok();
    }
    Ok(())
}

fn argument(run: &mut Run<'_>, conversion: &Conversion, source: &mut Source<'_>) -> Step<Argument> {
    let bits = width(run, conversion);
    let (slot, width) = source.next(run, bits)?;
    if conversion.letter == b's' {
        let null = slot.object == ObjectId::NONE && slot.bits == 0;
        let most = conversion.precision.map_or(u64::MAX, |most| most as u64);
        let text = if null { None } else { Some(range::string_up_to(run, slot, most)?) };
        return Ok(Argument { bits: 0, width, text });
    }
    let bits = run.number(slot, width)?.bits;
    Ok(Argument { bits, width, text: None })
}

/// Writes to standard output or standard error.
fn write(run: &mut Run<'_>, stream: u8, text: &[u8]) {
    if run.tracing {
        trace::record(run, Event::Output(String::from_utf8_lossy(text).into_owned()));
    }
    if stream == 2 { run.errors.extend(text) } else { run.output.extend(text) }
}

/// The number of a stream.
fn stream(run: &mut Run<'_>, file: Slot) -> Step<u8> {
    if file.is_address()
        && let Origin::Stream(stream @ 1..=2) = run.memory[file.object].origin
    {
        return Ok(stream);
    }
    run.unsupported("output to a file")
}

fn printed(run: &mut Run<'_>, stream: u8, text: &[u8]) -> Step<Flow> {
    write(run, stream, text);
    Flow::number(text.len() as u64)
}

fn printf(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let text = format(run, arguments.get(0), Source::Call(arguments, 1))?;
    printed(run, 1, &text)
}

fn fprintf(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let stream = stream(run, arguments.get(0))?;
    let text = format(run, arguments.get(1), Source::Call(arguments, 2))?;
    printed(run, stream, &text)
}

/// Writes a text to memory, cut to `most` bytes with its zero; returns its full length.
fn to_memory(run: &mut Run<'_>, target: Slot, mut text: Vec<u8>, most: u64) -> Step<Flow> {
    let length = text.len() as u64;
    if most > 0 {
        text.truncate(most as usize - 1);
        text.push(0);
        range::put_bytes(run, target, &text)?;
    }
    Flow::number(length)
}

/// No limit, but one that fits.
const UNLIMITED: u64 = 1 << 40;

fn sprintf(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let text = format(run, arguments.get(1), Source::Call(arguments, 2))?;
    to_memory(run, arguments.get(0), text, UNLIMITED)
}

fn snprintf(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let most = arguments.number(run, 1)?;
    let text = format(run, arguments.get(2), Source::Call(arguments, 3))?;
    to_memory(run, arguments.get(0), text, most.min(UNLIMITED))
}

/// The arguments that a `va_list` leads to. On x86-64 it must say that all registers are used up.
fn list<'a>(run: &mut Run<'_>, list: Slot) -> Step<Source<'a>> {
    if run.image.word == 4 {
        return Ok(Source::List(list));
    }
    let area = load_word(run, run.moved(list, 8))?;
    Ok(Source::List(area))
}

fn vprintf(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let source = list(run, arguments.get(1))?;
    let text = format(run, arguments.get(0), source)?;
    printed(run, 1, &text)
}

fn vfprintf(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let stream = stream(run, arguments.get(0))?;
    let source = list(run, arguments.get(2))?;
    let text = format(run, arguments.get(1), source)?;
    printed(run, stream, &text)
}

fn vsprintf(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let source = list(run, arguments.get(2))?;
    let text = format(run, arguments.get(1), source)?;
    to_memory(run, arguments.get(0), text, UNLIMITED)
}

fn vsnprintf(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let most = arguments.number(run, 1)?;
    let source = list(run, arguments.get(3))?;
    let text = format(run, arguments.get(2), source)?;
    to_memory(run, arguments.get(0), text, most.min(UNLIMITED))
}

fn puts(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let mut text = range::string(run, arguments.get(0))?;
    text.push(b'\n');
    printed(run, 1, &text)
}

fn fputs(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let stream = stream(run, arguments.get(1))?;
    let text = range::string(run, arguments.get(0))?;
    printed(run, stream, &text)
}

fn putchar(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let byte = arguments.number(run, 0)? as u8;
    write(run, 1, &[byte]);
    Flow::number(byte.into())
}

fn fputc(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let stream = stream(run, arguments.get(1))?;
    let byte = arguments.number(run, 0)? as u8;
    write(run, stream, &[byte]);
    Flow::number(byte.into())
}

fn fwrite(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let (size, count) = (arguments.number(run, 1)?, arguments.number(run, 2)?);
    let stream = stream(run, arguments.get(3))?;
    let mut text = Vec::new();
    for offset in 0..size.saturating_mul(count) {
        let byte = run.load(run.moved(arguments.get(0), offset), 1, 8)?;
        text.push(byte.bits as u8);
    }
    write(run, stream, &text);
    Flow::number(count)
}

fn fflush(_: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    Flow::zero()
}

fn perror(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let mut text = range::string(run, arguments.get(0))?;
    text.extend(b": error\n");
    printed(run, 2, &text)
}

/// Reads a word through an address.
fn load_word(run: &mut Run<'_>, address: Slot) -> Step<Slot> {
    let word = run.image.word;
    let (id, offset) = run.resolve(address, u64::from(word), Access::Read)?;
    run.read(id, offset, word as usize, word * 8)
}
