//! Keywords by what they do to the cutting of the text, and tokens in words for messages.

use super::lexer::{Kind, Token};

/// What a keyword does to the structure of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Begins a statement, a declaration or a procedure.
    Starts,
    /// Ends a block: `end fi od else elsif`.
    Closes,
    /// Ends a head: `begin then do`.
    Opens,
    /// Stands inside statements.
    Inside,
    /// No keyword.
    Name,
}

/// The role of a word.
pub fn role(word: &str) -> Role {
    match word {
        "abortif" | "assert" | "assume" | "atomic_begin" | "atomic_end" | "bool" | "dead" | "decl"
        | "end_thread" | "enforce" | "goto" | "if" | "print" | "return" | "skip" | "start_thread"
        | "thread_end" | "void" | "while" => Role::Starts,
        "end" | "fi" | "od" | "else" | "elsif" => Role::Closes,
        "begin" | "then" | "do" => Role::Opens,
        "constrain" | "false" | "true" | "F" | "T" | "_" => Role::Inside,
        _ => Role::Name,
    }
}

/// Whether a word is a keyword.
pub fn is_keyword(word: &str) -> bool {
    role(word) != Role::Name
}

/// Whether a word is a constant or `_`.
pub fn is_value(word: &str) -> bool {
    matches!(word, "T" | "F" | "true" | "false" | "_")
}

/// A token in the user's words, to stand behind "found".
pub fn describe(token: Token, word: &str) -> String {
    match token.kind {
        Kind::End => "the end of the file".into(),
        Kind::Word if is_keyword(word) && !is_value(word) => format!("the keyword `{word}`"),
        _ => format!("`{}`", shorten(word)),
    }
}

/// A text short enough for a message.
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\"");
    }
    let head: String = text.chars().take(LONGEST).collect();
    format!("{}…", head.escape_debug())
}
