//! Tokens of predicates in C.

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A number; whether it is marked as unsigned.
    Number(u128, bool),
    /// A variable, member or element, as C writes it, without spaces: `s.lock`, `p->next`, `a[i+1]`, `*p`.
    Lvalue(String),
    /// An operator or a parenthesis.
    Symbol(&'static str),
}

/// Longer ones first.
const SYMBOLS: [&str; 22] = [
    "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!",
    "~", "(", ")",
];

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'#')
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at): (Vec<Token>, usize) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let operand =
            !matches!(tokens.last(), Some(Token::Number(..) | Token::Lvalue(_) | Token::Symbol(")")));
        let dereference = operand && bytes[at] == b'*';
        let length = if bytes[at].is_ascii_digit() {
            let length = bytes[at..].iter().take_while(|&&byte| in_name(byte)).count();
            tokens.push(number(&text[at..at + length])?);
            length
        } else if dereference || in_name(bytes[at]) {
            let length = lvalue_length(&bytes[at..])?;
            tokens.push(Token::Lvalue(text[at..at + length].split_whitespace().collect()));
            length
        } else {
            let symbol = SYMBOLS.into_iter().find(|symbol| text[at..].starts_with(symbol));
            let symbol = symbol.ok_or_else(|| {
                format!("`{}` begins nothing that is known", text[at..].chars().next().unwrap_or(' '))
            })?;
            tokens.push(Token::Symbol(symbol));
            symbol.len()
        };
        at += length;
    }
    Ok(tokens)
}

fn number(text: &str) -> Result<Token, String> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let unsigned = text[digits.len()..].contains(['u', 'U']);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    value.map(|value| Token::Number(value, unsigned)).map_err(|_| format!("`{text}` is no number"))
}

/// How long the lvalue at the beginning of a text is.
fn lvalue_length(bytes: &[u8]) -> Result<usize, String> {
    let mut at = bytes.iter().take_while(|&&byte| byte == b'*' || byte == b' ').count();
    let name = |from: usize| bytes[from..].iter().take_while(|&&byte| in_name(byte)).count();
    at += name(at);
    loop {
        let rest = &bytes[at..];
        if rest.starts_with(b"->") {
            at += 2 + name(at + 2);
        } else if rest.starts_with(b".") {
            at += 1 + name(at + 1);
        } else if rest.starts_with(b"[") {
            let mut depth = 0usize;
            let end = rest.iter().position(|&byte| {
                depth = match byte {
                    b'[' => depth + 1,
                    b']' => depth - 1,
                    _ => depth,
                };
                depth == 0
            });
            at += end.ok_or("`[` without `]`")? + 1;
        } else {
            return Ok(at);
        }
    }
}
