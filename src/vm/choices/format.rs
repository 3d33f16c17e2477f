//! Files of choices: one a line, in order, with the line of C as a comment.
//!
//! ```text
//! input int -5        # main.c:7
//! thread 2
//! address buffer 0x10000
//! uninitialised x 0x7fffffff
//! ```
//! A line is a kind, for most kinds a name, and a value: decimal (with a sign) or hexadecimal. What follows `#` is a
//! comment. Spaces in names are written as `_`.

use super::{ChoiceError, ChoiceKind, Chosen, KINDS};
use crate::ground::index::IndexVec;
use crate::ir::{FileId, Place};
use std::fmt::Write;

/// The list as text.
#[must_use]
pub fn print(list: &[Chosen], files: &IndexVec<FileId, String>) -> String {
    let mut text = String::new();
    for chosen in list {
        let line = line(chosen);
        let _ = match chosen.place {
            Some(place) => writeln!(text, "{line:<31} # {}", comment(place, files)),
            None => writeln!(text, "{line}"),
        };
    }
    text
}

fn comment(place: Place, files: &IndexVec<FileId, String>) -> String {
    format!("{}:{}", files[place.file].replace('\n', " "), place.line)
}

fn line(chosen: &Chosen) -> String {
    let name = chosen.name.replace(char::is_whitespace, "_");
    let separator = if name.is_empty() { "" } else { " " };
    format!("{}{separator}{name} {}", chosen.kind.name(), value(chosen))
}

fn value(chosen: &Chosen) -> String {
    match chosen.kind {
        ChoiceKind::Input if is_float(&chosen.name) => format!("{:#x}", chosen.value),
        ChoiceKind::Input if is_signed(&chosen.name) && chosen.bits > 0 => {
            super::super::value::signed128(chosen.value, chosen.bits).to_string()
        }
        ChoiceKind::Address | ChoiceKind::Uninitialised | ChoiceKind::Undefined => {
            format!("{:#x}", chosen.value)
        }
        _ => chosen.value.to_string(),
    }
}

fn is_float(name: &str) -> bool {
    matches!(name, "float" | "double")
}

/// Whether the type of an input has a sign.
pub(in crate::vm) fn is_signed(name: &str) -> bool {
    !name.starts_with('u') && !matches!(name, "bool" | "size_t" | "pointer" | "pchar")
}

/// Reads a list. Negative numbers are kept as such in 128 bits until the run says how wide they are; see [`fit`].
///
/// # Errors
/// At the first line that is no choice, with its number.
pub fn parse(text: &str) -> Result<Vec<Chosen>, ChoiceError> {
    let mut list = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let problem = |text| ChoiceError { number: number + 1, text };
            list.push(parse_line(line).map_err(problem)?);
        }
    }
    Ok(list)
}

fn parse_line(line: &str) -> Result<Chosen, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (keyword, name, value) = match words[..] {
        [keyword, value] => (keyword, "", value),
        [keyword, name, value] => (keyword, name, value),
        _ => return Err(format!("expected a kind, a name and a value: `{line}`")),
    };
    let kind = KINDS.into_iter().find(|kind| kind.name() == keyword);
    let kind = kind.ok_or_else(|| format!("unknown kind of choice `{keyword}`"))?;
    let value = parse_value(name, value).ok_or_else(|| format!("`{value}` is no number"))?;
    let bits = if value >> 127 == 1 { 128 } else { 0 };
    Ok(Chosen { kind, name: name.to_owned(), value, bits, place: None })
}

fn parse_value(name: &str, text: &str) -> Option<u128> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u128::from_str_radix(digits, 16).ok();
    }
    if text.contains('.') {
        return match name {
            "float" => Some(u128::from(text.parse::<f32>().ok()?.to_bits())),
            "double" => Some(u128::from(text.parse::<f64>().ok()?.to_bits())),
            _ => None,
        };
    }
    match text.strip_prefix('-') {
        Some(digits) => Some(digits.parse::<u128>().ok()?.wrapping_neg()),
        None => text.parse().ok(),
    }
}

/// A value from a file as a number of `bits` bits: negative ones are cut if they fit.
#[must_use]
pub fn fit(value: u128, bits: u32) -> u128 {
    let negative = super::super::value::signed128(value, 128);
    if negative < 0 && bits < 128 && negative >= -(1 << (bits.max(1) - 1)) {
        value & super::super::value::mask128(bits)
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_list_agree() {
        let text =
            "input int -5\nthread 2\naddress buffer 0x10000\nuninitialised x 0x7\ninput uint 7\nresult f 3\n";
        let mut list = parse(text).unwrap();
        list[0].bits = 32;
        list[0].value = fit(list[0].value, 32);
        assert_eq!(list[0].value, 0xffff_fffb);
        assert_eq!(print(&list, &IndexVec::new()), text);
    }

    #[test]
    fn what_is_no_choice_is_refused_with_its_line() {
        let error = parse("# only\n\ninput int 5 # five\nwish 3\n").unwrap_err();
        assert_eq!(error.to_string(), "choice 4: unknown kind of choice `wish`");
        assert!(parse("input int x").is_err());
        assert!(parse("input").is_err());
        assert!(parse("input int 1 2").is_err());
    }

    #[test]
    fn floating_point_numbers_may_be_written_as_such() {
        let list = parse("input double 1.5\ninput float -0.5").unwrap();
        assert_eq!(list[0].value, u128::from(1.5f64.to_bits()));
        assert_eq!(list[1].value, u128::from((-0.5f32).to_bits()));
        assert!(parse("input int 1.5").is_err());
    }
}
