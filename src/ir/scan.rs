//! What `scanf` and its like read, by their format: plain integers and characters.

/// A function that reads by a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scan {
    /// The number of the argument that is the format.
    pub format: usize,
    /// Whether it reads the text that is its first argument.
    pub of_text: bool,
}

/// The input that says how many conversions succeed: −1 to their number.
pub const COUNT: &str = "boolero_nondet_scanned";

/// The function with this name, if it reads by a format.
#[must_use]
pub fn scan(name: &str) -> Option<Scan> {
    let name = name.strip_prefix("__isoc99_").or(name.strip_prefix("__isoc23_")).unwrap_or(name);
    match name {
        "scanf" => Some(Scan { format: 0, of_text: false }),
        "fscanf" => Some(Scan { format: 1, of_text: false }),
        "sscanf" => Some(Scan { format: 1, of_text: true }),
        _ => None,
    }
}

/// The input of a conversion of so many bits.
#[must_use]
pub fn input(bits: u32) -> String {
    format!("{COUNT}_{bits}")
}

/// A piece of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Directive {
    /// Any white space.
    Space,
    /// This character; a percent sign goes with white space before it.
    Character(u8),
    /// A conversion.
    Conversion(Conversion),
}

/// What is read as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// `d`, `i`, `u`, `x`, `o` or `c`.
    pub letter: u8,
    /// At most so many characters.
    pub most: Option<usize>,
    /// How wide it is in memory.
    pub bits: u32,
    /// Whether it is stored.
    pub stores: bool,
}

/// The widths of what is stored, in order; nothing if the format has other conversions than those of integers and
/// single characters.
#[must_use]
pub fn conversions(format: &[u8], pointer_bits: u32) -> Option<Vec<u32>> {
    let stored = |directive: &Directive| match directive {
        Directive::Conversion(conversion) => conversion.stores.then_some(conversion.bits),
        _ => None,
    };
    Some(directives(format, pointer_bits)?.iter().filter_map(stored).collect())
}

/// The pieces of a format; nothing if it has other conversions than those of integers and single characters.
#[must_use]
pub fn directives(format: &[u8], pointer_bits: u32) -> Option<Vec<Directive>> {
    let (mut found, mut rest) = (Vec::new(), format);
    while let Some((&first, behind)) = rest.split_first() {
        let (directive, behind) = match first {
            b'%' if behind.first() == Some(&b'%') => (Directive::Character(b'%'), &behind[1..]),
            b'%' => conversion(behind, pointer_bits)?,
            b' ' | b'\t'..=b'\r' => (Directive::Space, behind),
            _ => (Directive::Character(first), behind),
        };
        found.push(directive);
        rest = behind;
    }
    Some(found)
}

/// One conversion after its `%`, and the rest.
fn conversion(text: &[u8], pointer_bits: u32) -> Option<(Directive, &[u8])> {
    let (stores, text) = match text.split_first()? {
        (b'*', rest) => (false, rest),
        _ => (true, text),
    };
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let most = match digits {
        0 => None,
        // Nobody asks for so many characters, or for none.
        _ => Some(std::str::from_utf8(&text[..digits]).ok()?.parse().ok().filter(|most| *most > 0)?),
    };
    let text = &text[digits..];
    let letters = text.iter().take_while(|byte| b"hljzt".contains(byte)).count();
    let (length, text) = text.split_at(letters);
    let (&letter, rest) = text.split_first()?;
    let bits = match (letter, length) {
        (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', _) => integer(length, pointer_bits)?,
        // More than one character is a text.
        (b'c', b"") if digits == 0 => 8,
        _ => return None,
    };
    let letter = letter.to_ascii_lowercase();
    Some((Directive::Conversion(Conversion { letter, most, bits, stores }), rest))
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
        assert_eq!(scan("__isoc99_fscanf"), Some(Scan { format: 1, of_text: false }));
        assert_eq!(scan("__isoc99_sscanf"), Some(Scan { format: 1, of_text: true }));
        assert_eq!(scan("scanf"), Some(Scan { format: 0, of_text: false }));
        assert_eq!(scan("printf"), None);
    }
}
