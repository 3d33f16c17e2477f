//! What `scanf` and its like read, by their format: plain integers and characters.

/// A function that reads by a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scan {
    /// The number of the argument that is the format.
    pub format: usize,
}

/// The input that says how many conversions succeed: −1 to their number.
pub const COUNT: &str = "boolero_nondet_scanned";

/// The function with this name, if it reads by a format.
#[must_use]
pub fn scan(name: &str) -> Option<Scan> {
    let name = name.strip_prefix("__isoc99_").or(name.strip_prefix("__isoc23_")).unwrap_or(name);
    match name {
        "scanf" => Some(Scan { format: 0 }),
        "fscanf" => Some(Scan { format: 1 }),
        // What `sscanf` reads is in the program: it is not arbitrary.
        _ => None,
    }
}

/// The input of a conversion of so many bits.
#[must_use]
pub fn input(bits: u32) -> String {
    format!("{COUNT}_{bits}")
}

/// The widths of what is stored, in order; nothing if the format has other conversions than those of integers and
/// single characters.
#[must_use]
pub fn conversions(format: &[u8], pointer_bits: u32) -> Option<Vec<u32>> {
    let (mut widths, mut rest) = (Vec::new(), format);
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first != b'%' {
            continue;
        }
        if let Some((b'%', behind)) = rest.split_first() {
            rest = behind;
            continue;
        }
        let (width, behind) = conversion(rest, pointer_bits)?;
        widths.extend(width);
        rest = behind;
    }
    Some(widths)
}

/// One conversion behind its `%`: the width of what it stores, if it stores anything; and the rest.
fn conversion(text: &[u8], pointer_bits: u32) -> Option<(Option<u32>, &[u8])> {
    let (stores, text) = match text.split_first()? {
        (b'*', rest) => (false, rest),
        _ => (true, text),
    };
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = &text[digits..];
    let letters = text.iter().take_while(|byte| b"hljzt".contains(byte)).count();
    let (length, text) = text.split_at(letters);
    let (&letter, rest) = text.split_first()?;
    let width = match (letter, length) {
        (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', _) => integer(length, pointer_bits)?,
        // More than one character is a text.
        (b'c', b"") if digits == 0 => 8,
        _ => return None,
    };
    Some((stores.then_some(width), rest))
}

fn integer(length: &[u8], pointer_bits: u32) -> Option<u32> {
    match length {
        b"" => Some(32),
        b"hh" => Some(8),
        b"h" => Some(16),
        b"l" | b"z" | b"t" => Some(pointer_bits),
        b"ll" | b"j" => Some(64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_say_what_is_stored() {
        let widths = |text: &str| conversions(text.as_bytes(), 64);
        assert_eq!(widths("%d, %hhu %ld:%lld"), Some(vec![32, 8, 64, 64]));
        assert_eq!(conversions(b"%ld", 32), Some(vec![32]));
        assert_eq!(widths("100%% %*d %3x %c"), Some(vec![32, 8]));
        for other in ["%s", "%[a-z]", "%n", "%f", "%", "%2c", "%ls", "%p"] {
            assert_eq!(widths(other), None, "{other}");
        }
    }

    #[test]
    fn functions_are_known_by_all_their_names() {
        assert_eq!(scan("__isoc99_fscanf"), Some(Scan { format: 1 }));
        assert_eq!(scan("__isoc99_sscanf"), None);
        assert_eq!(scan("scanf"), Some(Scan { format: 0 }));
        assert_eq!(scan("printf"), None);
    }
}
