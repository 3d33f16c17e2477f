//! `sscanf` (C11 7.21.6): what it reads is a text of the program, so the result is determined.

use super::{Arguments, Flow, Run, Step};
use crate::ir::scan::{Conversion, Directive, directives};
use crate::vm::range;
use crate::vm::value::Slot;

/// How a conversion ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Read {
    /// With a number, which fits.
    Number(u64),
    /// The text ends before it.
    End,
    /// The text does not match.
    Other,
    /// C leaves open what happens.
    Open,
}

/// What is left of a text.
struct Text<'t>(&'t [u8]);

/// All that a format reads from a text: the numbers, with how wide they are, and what is returned. Nothing where C leaves it open.
fn read(text: &[u8], format: &[Directive]) -> Option<(Vec<(u64, u32)>, i32)> {
    let mut text = Text(text);
    let (mut numbers, mut converted) = (Vec::new(), false);
    let mut ended = false;
    for directive in format {
        let result = text.directive(*directive);
        match (result, directive) {
            (Read::Open, _) => return None,
            (Read::Number(number), Directive::Conversion(conversion)) => {
                converted = true;
                numbers.extend(conversion.stores.then_some((number, conversion.bits)));
            }
            (Read::Number(_), _) => {}
            (Read::End, _) => {
                ended = true;
                break;
            }
            (Read::Other, _) => break,
        }
    }
    match (ended, numbers.len()) {
        // The standard says 0, and the library of GNU −1.
        (true, 0) if converted => None,
        (true, 0) => Some((numbers, -1)),
        (_, count) => Some((numbers, count as i32)),
    }
}

impl Text<'_> {
    fn skip_space(&mut self) {
        while let [b' ' | b'\t'..=b'\r', rest @ ..] = self.0 {
            self.0 = rest;
        }
    }

    fn directive(&mut self, directive: Directive) -> Read {
        match directive {
            Directive::Space => self.skip_space(),
            Directive::Character(wanted) => {
                if wanted == b'%' {
                    self.skip_space();
                }
                match self.0 {
                    [] => return Read::End,
                    [first, rest @ ..] if *first == wanted => self.0 = rest,
                    _ => return Read::Other,
                }
            }
            Directive::Conversion(conversion) => return self.conversion(conversion),
        }
        Read::Number(0)
    }

    fn conversion(&mut self, conversion: Conversion) -> Read {
        if conversion.letter != b'c' {
            self.skip_space();
        }
        match self.0 {
            [] => Read::End,
            [first, rest @ ..] if conversion.letter == b'c' => {
                self.0 = rest;
                Read::Number(u64::from(*first))
            }
            _ => self.integer(conversion),
        }
    }

    /// As `strtol` reads it, at most so many characters.
    fn integer(&mut self, conversion: Conversion) -> Read {
        let most = conversion.most.unwrap_or(self.0.len()).min(self.0.len());
        let text = &self.0[..most];
        let sign = usize::from(matches!(text, [b'-' | b'+', ..]));
        let digits = &text[sign..];
        let prefixed = matches!(digits, [b'0', b'x' | b'X', ..]);
        let base: u32 = match conversion.letter {
            b'x' => 16,
            b'o' => 8,
            b'i' if prefixed => 16,
            b'i' if digits.first() == Some(&b'0') => 8,
            _ => 10,
        };
        let prefix = if base == 16 && prefixed { 2 } else { 0 };
        let values = digits[prefix..].iter().map_while(|&byte| char::from(byte).to_digit(base));
        let values: Vec<u32> = values.collect();
        match (values.is_empty(), prefix) {
            // A sign or a prefix that the text ends after is no number, and how much of it was read is told in several ways.
            (true, 2) => return Read::Open,
            (true, _) if digits.is_empty() && sign == 1 => return Read::Open,
            (true, _) => return Read::Other,
            _ => {}
        }
        self.0 = &self.0[sign + prefix + values.len()..];
        let value = values.iter().try_fold(0u128, |value, &digit| {
            let value = value * u128::from(base) + u128::from(digit);
            (value < 1 << 64).then_some(value)
        });
        let negative = text.first() == Some(&b'-');
        value.map_or(Read::Open, |value| fitting(conversion, value, negative))
    }
}

/// A number that the type of a conversion has.
fn fitting(conversion: Conversion, value: u128, negative: bool) -> Read {
    let signed = matches!(conversion.letter, b'd' | b'i');
    let half = 1u128 << (conversion.bits - 1);
    let most = match (signed, negative) {
        (true, true) => half,
        (true, false) => half - 1,
        (false, _) => half + (half - 1),
    };
    if value > most {
        return Read::Open;
    }
    let value = value as u64;
    Read::Number(if negative { value.wrapping_neg() } else { value })
}

/// `sscanf`.
pub(super) fn scanned(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let format = range::string(run, arguments.get(1))?;
    let Some(directives) = directives(&format, run.pointer_bits()) else {
        return run.unsupported("a format of sscanf with other conversions than integers");
    };
    let stored = |directive: &&Directive| matches!(directive, Directive::Conversion(it) if it.stores);
    if arguments.len() != 2 + directives.iter().filter(stored).count() {
        return run.unsupported("a format of sscanf that does not fit the arguments");
    }
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let text = range::string(run, arguments.get(0))?;
    let Some((numbers, count)) = read(&text, &directives) else {
        return run.unsupported("a text of sscanf that C leaves open how to read");
    };
    for (position, (number, bits)) in numbers.into_iter().enumerate() {
        let number = if bits == 64 { number } else { number & ((1 << bits) - 1) };
        run.store(arguments.get(2 + position), Slot::number(number), bits as usize / 8, bits)?;
    }
    Flow::int(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(text: &str, format: &str) -> Option<(Vec<u64>, i32)> {
        let (numbers, count) = read(text.as_bytes(), &directives(format.as_bytes(), 64)?)?;
        Some((numbers.into_iter().map(|(number, _)| number).collect(), count))
    }

    /// What is not open is compared with the C library in `llvm::tests::scanning`.
    #[test]
    fn what_c_leaves_open_has_no_result() {
        for (text, format) in
            [("-", "%d"), ("0x", "%x"), ("0xg", "%i"), ("2147483648", "%d"), ("256", "%hhu"), ("1", "%*d%d")]
        {
            assert_eq!(scanned(text, format), None, "{text} by {format}");
        }
        assert_eq!(scanned("-2147483648", "%d"), Some((vec![(-2_147_483_648_i64) as u64], 1)));
        assert_eq!(scanned("0x1F", "%x"), Some((vec![31], 1)));
        assert_eq!(scanned("7", "%d %d"), Some((vec![7], 1)));
        assert_eq!(scanned(" ", "%d"), Some((vec![], -1)));
    }
}
