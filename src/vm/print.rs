//! `printf`: the common formats.

/// An argument: its bits, and its width.
pub(super) struct Argument {
    pub bits: u64,
    pub width: u32,
    /// The text of a string, if the conversion wanted one.
    pub text: Option<Vec<u8>>,
}

/// One conversion of a format.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Conversion {
    pub minus: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: Option<usize>,
    /// The width is an argument.
    pub width_given: bool,
    pub precision: Option<usize>,
    pub precision_given: bool,
    /// `hh`, `h`, `l`, `ll`, `j`, `z`, `t`.
    pub length: String,
    pub letter: u8,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Text(Vec<u8>),
    Conversion(Conversion),
}

/// The parts of a format.
pub(super) fn parse(format: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'%' {
            text.push(first);
        } else if let Some((&b'%', tail)) = rest.split_first() {
            text.push(b'%');
            rest = tail;
        } else {
            parts.push(Part::Text(std::mem::take(&mut text)));
            let (conversion, tail) = parse_conversion(rest);
            parts.push(Part::Conversion(conversion));
            rest = tail;
        }
    }
    parts.push(Part::Text(text));
    parts
}

fn parse_conversion(mut rest: &[u8]) -> (Conversion, &[u8]) {
    let mut conversion = Conversion::default();
    while let Some((&flag, tail)) = rest.split_first() {
        match flag {
            b'-' => conversion.minus = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'#' => conversion.alternate = true,
            b'0' => conversion.zero = true,
            _ => break,
        }
        rest = tail;
    }
    (conversion.width, conversion.width_given, rest) = parse_number(rest);
    if let Some((&b'.', tail)) = rest.split_first() {
        (conversion.precision, conversion.precision_given, rest) = parse_number(tail);
        conversion.precision = conversion.precision.or(Some(0));
    }
    let length = rest.iter().take_while(|letter| b"hljztLq".contains(letter)).count();
    conversion.length = String::from_utf8_lossy(&rest[..length]).into_owned();
    conversion.letter = rest.get(length).copied().unwrap_or(0);
    (conversion, rest.get(length + 1..).unwrap_or(&[]))
}

fn parse_number(rest: &[u8]) -> (Option<usize>, bool, &[u8]) {
    if let Some((&b'*', tail)) = rest.split_first() {
        return (None, true, tail);
    }
    let digits = rest.iter().take_while(|digit| digit.is_ascii_digit()).count();
    let text = String::from_utf8_lossy(&rest[..digits]);
    (text.parse().ok().map(|number: usize| number.min(1 << 20)), false, &rest[digits..])
}

/// The width of an integer that a conversion reads, in bits.
fn integer_width(conversion: &Conversion, given: u32) -> u32 {
    match conversion.length.as_str() {
        "hh" => 8,
        "h" => 16,
        "" if given > 32 => 32,
        _ => given,
    }
}

/// A converted argument; nothing if the conversion is not known.
pub(super) fn convert(conversion: &Conversion, argument: &Argument) -> Option<Vec<u8>> {
    let width = integer_width(conversion, argument.width);
    let unsigned = argument.bits & super::value::mask(width);
    let signed = super::value::signed(unsigned, width);
    Some(match conversion.letter {
        b'd' | b'i' => integer(conversion, sign(conversion, signed < 0), signed.unsigned_abs().to_string()),
        b'u' => integer(conversion, "", unsigned.to_string()),
        b'x' => integer(conversion, prefix(conversion, "0x", unsigned), format!("{unsigned:x}")),
        b'X' => integer(conversion, prefix(conversion, "0X", unsigned), format!("{unsigned:X}")),
        b'o' => integer(conversion, prefix(conversion, "0", unsigned), format!("{unsigned:o}")),
        b'p' if argument.bits == 0 => pad(conversion, "", b"(nil)", Fill::Spaces),
        b'p' => pad(conversion, "", format!("{:#x}", argument.bits).as_bytes(), Fill::Spaces),
        b'c' => pad(conversion, "", &[argument.bits as u8], Fill::Spaces),
        b's' => {
            let text = argument.text.as_deref().unwrap_or(b"(null)");
            let length = conversion.precision.map_or(text.len(), |most| most.min(text.len()));
            pad(conversion, "", &text[..length], Fill::Spaces)
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => float(conversion, f64::from_bits(argument.bits)),
        _ => return None,
    })
}

fn sign(conversion: &Conversion, negative: bool) -> &'static str {
    match (negative, conversion.plus, conversion.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn prefix(conversion: &Conversion, text: &'static str, value: u64) -> &'static str {
    if conversion.alternate && value != 0 { text } else { "" }
}

/// How a field is filled up.
#[derive(Clone, Copy, PartialEq)]
enum Fill {
    Spaces,
    Zeros,
}

fn integer(conversion: &Conversion, prefix: &str, mut digits: String) -> Vec<u8> {
    if let Some(precision) = conversion.precision {
        if digits == "0" && precision == 0 {
            digits.clear();
        }
        digits = format!("{digits:0>precision$}");
        return pad(conversion, prefix, digits.as_bytes(), Fill::Spaces);
    }
    let fill = if conversion.zero { Fill::Zeros } else { Fill::Spaces };
    pad(conversion, prefix, digits.as_bytes(), fill)
}

fn pad(conversion: &Conversion, prefix: &str, body: &[u8], fill: Fill) -> Vec<u8> {
    let length = prefix.len() + body.len();
    let missing = conversion.width.unwrap_or(0).saturating_sub(length);
    let prefix = prefix.as_bytes();
    if conversion.minus {
        [prefix, body, &vec![b' '; missing]].concat()
    } else if fill == Fill::Zeros {
        [prefix, &vec![b'0'; missing], body].concat()
    } else {
        [&vec![b' '; missing], prefix, body].concat()
    }
}

fn float(conversion: &Conversion, value: f64) -> Vec<u8> {
    let sign = sign(conversion, value.is_sign_negative());
    let upper = conversion.letter.is_ascii_uppercase();
    let size = value.abs();
    let precision = conversion.precision.unwrap_or(6);
    let mut digits = match conversion.letter.to_ascii_lowercase() {
        _ if size.is_nan() => "nan".to_owned(),
        _ if size.is_infinite() => "inf".to_owned(),
        b'f' => format!("{size:.precision$}"),
        b'e' => scientific(size, precision),
        _ => general(size, precision.max(1), conversion.alternate),
    };
    if upper {
        digits = digits.to_uppercase();
    }
    let fill = if conversion.zero && size.is_finite() { Fill::Zeros } else { Fill::Spaces };
    pad(conversion, sign, digits.as_bytes(), fill)
}

/// `1.5e+00`, with at least two digits of exponent.
fn scientific(size: f64, precision: usize) -> String {
    let text = format!("{size:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// `%g`: whichever is shorter, without zeros at the end.
fn general(size: f64, precision: usize, alternate: bool) -> String {
    let rounded = scientific(size, precision - 1);
    let exponent: i32 = rounded.rsplit_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let short = exponent < -4 || exponent >= precision as i32;
    let text = if short { rounded } else { format!("{size:.*}", (precision as i32 - 1 - exponent) as usize) };
    if alternate || !text.contains('.') {
        return text;
    }
    let (digits, tail) =
        text.split_once('e').map_or((text.as_str(), String::new()), |(d, e)| (d, format!("e{e}")));
    format!("{}{tail}", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(format: &str, bits: u64, width: u32) -> String {
        let conversion = parse(format.as_bytes()).into_iter().find_map(|part| match part {
            Part::Conversion(conversion) => Some(conversion),
            Part::Text(_) => None,
        });
        let bytes = convert(&conversion.unwrap(), &Argument { bits, width, text: None }).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn integers() {
        let minus = (-42i64) as u64;
        assert_eq!(one("%d", minus, 32), "-42");
        assert_eq!(one("%6d|", minus, 32), "   -42");
        assert_eq!(one("%-6d|", minus, 32), "-42   ");
        assert_eq!(one("%06d", minus, 32), "-00042");
        assert_eq!(one("%.4d", minus, 32), "-0042");
        assert_eq!(one("%+d", 42, 32), "+42");
        assert_eq!(one("%u", minus, 32), "4294967254");
        assert_eq!(one("%hhd", 0x1ff, 32), "-1");
        assert_eq!(one("%#lx", 255, 64), "0xff");
        assert_eq!(one("%08lX", 0xbeef, 64), "0000BEEF");
        assert_eq!(one("%ld", minus, 64), "-42");
    }

    #[test]
    fn floating_point_numbers() {
        let text = |format: &str, value: f64| one(format, value.to_bits(), 64);
        assert_eq!(text("%f", 1.5), "1.500000");
        assert_eq!(text("%.2f", -2.345), "-2.35");
        assert_eq!(text("%e", 12345.678), "1.234568e+04");
        assert_eq!(text("%g", 0.0001), "0.0001");
        assert_eq!(text("%g", 100000.0), "100000");
        assert_eq!(text("%g", 1e6), "1e+06");
        assert_eq!(text("%g", 0.5), "0.5");
        assert_eq!(text("%8.3f", 2.71649), "   2.716");
        assert_eq!(text("%f", f64::INFINITY), "inf");
    }
}
