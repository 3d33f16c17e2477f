//! Values on the command line that have units: durations, sizes, numbers of threads.
//!
//! A plain number is in seconds, or in bytes. Errors tell the accepted forms.

use crate::boolean::check::InitialThreads;
use crate::engine::Threads;
use crate::vm::state::Answers;
use std::time::Duration;

/// The units of time and what they are in nanoseconds.
const TIMES: [(&str, u64); 5] = [
    ("", 1_000_000_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// The units of size and what they are in bytes.
const SIZES: [(&str, u64); 8] = [
    ("", 1),
    ("B", 1),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

/// Who writes less has forgotten the unit.
const SMALLEST: u64 = 1 << 20;

/// Reads which numbers are tried for inputs: `exact`, `small`, or a list.
///
/// # Errors
/// A sentence that tells the accepted form.
pub fn answers(text: &str) -> Result<Answers, String> {
    match text {
        "exact" => Ok(Answers::All(256)),
        "small" => Ok(Answers::Among(vec![0, 1, 2, -1])),
        _ => {
            let numbers: Result<Vec<i128>, _> = text.split(',').map(|number| number.trim().parse()).collect();
            let form = "write exact, small, or numbers such as 0,1,-1";
            numbers.map(Answers::Among).map_err(|_| form.to_owned())
        }
    }
}

/// Reads a duration: `60s`, `1.5m`, `500ms`, `2h`, `10`.
///
/// # Errors
/// A sentence that tells the accepted form.
pub fn duration(text: &str) -> Result<Duration, String> {
    scaled(text, &TIMES)
        .map(Duration::from_nanos)
        .ok_or_else(|| "write a positive number with ms, s, m or h, such as 500ms, 60s or 1.5m".to_owned())
}

/// Reads a size in bytes: `4GiB`, `512MiB`, `1.5GB`, `1048576`.
///
/// # Errors
/// A sentence that tells the accepted form.
pub fn size(text: &str) -> Result<u64, String> {
    let bytes = scaled(text, &SIZES).ok_or_else(|| {
        "write a positive number with B, KiB, MiB, GiB, KB, MB or GB, such as 512MiB or 4GiB".to_owned()
    })?;
    if bytes < SMALLEST {
        return Err("no run fits into less than 1 MiB; a number without unit is in bytes".to_owned());
    }
    Ok(bytes)
}

/// Reads a number of threads: a positive number or `unbounded`.
///
/// # Errors
/// A sentence that tells the accepted form.
pub fn threads(text: &str) -> Result<Threads, String> {
    if text.eq_ignore_ascii_case("unbounded") {
        return Ok(Threads::Unbounded);
    }
    match text.parse() {
        Ok(0) => Err("the first thread counts: write 1 or more, or `unbounded`".to_owned()),
        Ok(number) => Ok(Threads::AtMost(number)),
        Err(_) => Err("write a positive number or `unbounded`".to_owned()),
    }
}

/// Every context has a copy of all global variables; nobody can decide more of them.
const MOST_CONTEXT_SWITCHES: usize = 32;

/// Reads a bound on context switches.
///
/// # Errors
/// A sentence that tells the accepted form.
pub fn context_switches(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_CONTEXT_SWITCHES);
    number.ok_or_else(|| format!("write a number from 0 to {MOST_CONTEXT_SWITCHES}"))
}

/// More copies are nodes of the program each; who wants so many wants any number.
const MOST_INITIAL: usize = 10_000;

/// Reads a number of initial threads: a positive number or `unbounded`.
///
/// # Errors
/// A sentence that tells the accepted form.
pub fn initial_threads(text: &str) -> Result<InitialThreads, String> {
    match threads(text)? {
        Threads::Unbounded => Ok(InitialThreads::Unbounded),
        Threads::AtMost(number) if number <= MOST_INITIAL => Ok(InitialThreads::Exactly(number)),
        Threads::AtMost(_) => Err("write at most 10000, or `unbounded`".to_owned()),
    }
}

/// Number times unit, rounded; `None` if it is malformed, zero, or does not fit.
fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let unit = unit.trim_start();
    let &(_, factor) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    decimal(number, factor).filter(|&value| value > 0)
}

/// A decimal number times a factor, in integers: `1.5` × 60 is exactly 90.
fn decimal(number: &str, factor: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.len() > 9 || fraction.contains('.') {
        return None;
    }
    let digits = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<u128>().ok() };
    let scale = 10u128.pow(u32::try_from(fraction.len()).ok()?);
    let value = digits(whole)?.checked_mul(scale)?.checked_add(digits(fraction)?)?;
    u64::try_from(value.checked_mul(factor.into())? / scale).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_take_units() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2 h"), Ok(Duration::from_secs(7200)));
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration(".25"), Ok(Duration::from_millis(250)));
    }

    #[test]
    fn sizes_take_units() {
        assert_eq!(size("4GiB"), Ok(4 << 30));
        assert_eq!(size("1.5MB"), Ok(1_500_000));
        assert_eq!(size("512mib"), Ok(512 << 20));
        assert_eq!(size("1048576"), Ok(1 << 20));
    }

    #[test]
    fn malformed_values_are_refused() {
        for text in ["", "s", "-1s", "1d", "1.2.3s", ".", "0", "0ms", "1e3", "99999999999999999999h", "+3s"] {
            assert!(duration(text).is_err(), "{text}");
        }
        for text in ["", "GiB", "4TiB", "-3", "4 4", "99999999999999999999", "4", "7KiB", "1048575"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn thread_numbers_are_positive_or_unbounded() {
        assert_eq!(threads("3"), Ok(Threads::AtMost(3)));
        assert_eq!(threads("unbounded"), Ok(Threads::Unbounded));
        for text in ["0", "-1", "many", "", "1.5"] {
            assert!(threads(text).is_err(), "{text}");
        }
    }
}
