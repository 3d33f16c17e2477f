//! Templates as text: the instructions, in the order of AT&T, and how their operands are written.

/// One instruction of a template: its name and its operands.
pub struct Statement {
    /// `lock; addl`: `addl`.
    pub name: String,
    /// As AT&T order has them: what is read first.
    pub operands: Vec<Text>,
    /// The widths that operands say themselves: `${0:b}` has 8 bits.
    pub widths: Vec<Option<u32>>,
    /// Whether `lock` stands in front of it.
    pub locked: bool,
}

/// An operand as it is written.
#[derive(Clone, PartialEq, Debug)]
pub enum Text {
    /// `$0`, `${0:b}`.
    Slot(usize),
    /// `$$5`.
    Number(u128),
    /// A register, an address.
    Other(String),
}

/// The instructions of a template. What the kernel notes of them in other sections is left out.
pub fn statements(template: &str) -> Vec<Statement> {
    let mut out = Vec::new();
    let (mut elsewhere, mut locked) = (false, false);
    for part in template.split(['\n', ';']) {
        let mut part = part.trim();
        // A label.
        while let Some((label, rest)) = part.split_once(':')
            && !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_digit())
        {
            part = rest.trim();
        }
        let directive = part.split_whitespace().next().unwrap_or("");
        match directive {
            "" => continue,
            ".section" | ".pushsection" => elsewhere = true,
            ".previous" | ".popsection" | ".text" => elsewhere = false,
            _ if elsewhere => {}
            "lock" | "rep" if directive == part => locked |= directive == "lock",
            _ => {
                let text = part.strip_prefix("lock").filter(|rest| rest.starts_with([' ', '\t']));
                let text = text.map_or(part, |rest| {
                    locked = true;
                    rest.trim()
                });
                out.push(statement(text, std::mem::take(&mut locked)));
            }
        }
    }
    out
}

fn statement(text: &str, locked: bool) -> Statement {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (operands, widths) = split(rest).into_iter().map(|operand| written(operand.trim())).unzip();
    Statement { name: name.to_owned(), operands, widths, locked }
}

/// At commas that are not within parentheses.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        out.push(&text[start..]);
    }
    out
}

/// An operand, and the width that it says. Only parts of registers that begin at the lowest bit are known.
fn written(text: &str) -> (Text, Option<u32>) {
    if let Some(number) = text.strip_prefix("$$").and_then(|digits| digits.parse().ok()) {
        return (Text::Number(number), None);
    }
    let width = match modifier(text) {
        None => None,
        Some("b") => Some(8),
        Some("w") => Some(16),
        Some("k") => Some(32),
        Some("q") => Some(64),
        Some(_) => return (Text::Other(text.to_owned()), None),
    };
    match slot_of(text) {
        Some(slot) => (Text::Slot(slot), width),
        None => (Text::Other(text.to_owned()), None),
    }
}

/// `b` of `${0:b}`.
fn modifier(text: &str) -> Option<&str> {
    let (_, rest) = text.strip_prefix("${")?.split_once(':')?;
    rest.strip_suffix('}')
}

/// The number of an operand, however it is written.
pub fn slot_of(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('$')?;
    let inner = inner.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(inner);
    inner.split(':').next()?.parse().ok()
}
