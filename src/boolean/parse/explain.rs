//! Why pest refused a piece, in the user's words.
//!
//! Pest tells the furthest place it reached and the rules it tried there. From the rules we say what was
//! expected, from the text what was found, and for the slips people often make we say how to mend them.

use super::grammar::Rule;
use super::lexer::{Kind, Lexer, Token};
use super::statement::Piece;
use super::words::{describe, is_keyword, is_value, shorten};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::Span;
use pest::error::{Error, ErrorVariant, InputLocation};

/// What is known about a failure.
struct Failure<'a> {
    text: &'a str,
    piece: Piece,
    rules: &'a [Rule],
    expected: Vec<String>,
    found: Token,
    word: &'a str,
}

/// The message for a piece that pest refused; `end` is what must follow the piece.
pub fn explain(text: &str, piece: Piece, end: &str, error: &Error<Rule>) -> Diagnostic {
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return Diagnostic::error(piece.span, "parentheses are nested too deeply for the stack");
    };
    let (InputLocation::Pos(offset) | InputLocation::Span((offset, _))) = error.location;
    let mut lexer = Lexer::at(text, piece.span.start + Span::new(offset, offset).start);
    let mut found = lexer.next(&mut Vec::new());
    found.lines = found.lines.max(u8::from(new_line_before(text, found)));
    let word = &text[found.span.range()];
    let failure = Failure { text, piece, rules: positives, expected: expected(positives, end), found, word };
    failure.diagnostic()
}

impl Failure<'_> {
    fn diagnostic(&self) -> Diagnostic {
        let diagnostic = self.special().unwrap_or_else(|| self.general());
        match self.piece.unclosed {
            Some(open) if self.expects(Rule::close) || self.expects(Rule::close_bracket) => {
                diagnostic.also(open, "this is not closed")
            }
            _ => diagnostic,
        }
    }

    fn expects(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }

    fn general(&self) -> Diagnostic {
        let found = describe(self.found, self.word);
        let message = match self.expected.as_slice() {
            [] => format!("unexpected {found}"),
            expected => format!("expected {}, found {found}", alternatives(expected)),
        };
        let label = match self.expected.as_slice() {
            [] => "not expected here".into(),
            expected => format!("expected {}", alternatives(expected)),
        };
        Diagnostic::error(self.found.span, message).label(label)
    }

    /// The slips that deserve more than "expected … found …".
    fn special(&self) -> Option<Diagnostic> {
        let general = self.general();
        let ends = self.expects(Rule::EOI);
        let error =
            |message: String, help: &str| Some(Diagnostic::error(self.found.span, message).help(help));
        match self.found.kind {
            Kind::Unknown => error(
                format!("unexpected character `{}`", shorten(self.word)),
                "names are made of letters, digits, `_`, `$`, `#` and `.`",
            ),
            Kind::Symbol if self.expects(Rule::becomes) && matches!(self.word, "=" | "==") => {
                Some(general.help("write `:=` to assign; `=` compares"))
            }
            Kind::Symbol
                if matches!(
                    self.word,
                    "+" | "-" | "/" | "%" | "++" | "--" | "<" | ">" | "<=" | ">=" | "->"
                ) =>
            {
                error(
                    format!("Boolean programs have no operator `{}`", self.word),
                    "the operators are `!`, `&`, `^`, `|`, `=`, `!=`, `=>` and `<=>`",
                )
            }
            Kind::Symbol if ends && self.after_close() => self.call_inside(),
            Kind::Open if self.expects(Rule::operator) => self.call_inside(),
            Kind::Close if self.piece.unclosed.is_none() && ends => {
                error("unbalanced `)`".into(), "remove it, or add the `(` that it closes")
            }
            Kind::Number if self.expects(Rule::operand) || self.expects(Rule::expression) => {
                Some(general.help("the constants are `T` and `F`, also written `1` and `0`"))
            }
            Kind::Number if self.expects(Rule::name) => {
                Some(general.help("a name cannot begin with a digit"))
            }
            Kind::Word | Kind::Symbol if self.piece_text().starts_with("_ ") && self.expects_name() => {
                error("only a call can have `_` on its left".into(), "`_` drops a value that a call returns")
            }
            Kind::Word
                if is_keyword(self.word) && !is_value(self.word) && self.expects_name() && self.inside() =>
            {
                error(format!("`{}` is a keyword and cannot be a name", self.word), "choose another name")
            }
            Kind::Word if ends && self.found.lines > 0 && self.inside() => Some(self.missing_semicolon()),
            _ => None,
        }
    }

    /// Whether the place of the failure is in the piece, not behind it.
    fn inside(&self) -> bool {
        self.found.span.start < self.piece.span.end
    }

    fn expects_name(&self) -> bool {
        [Rule::name, Rule::label, Rule::declared, Rule::parameters].into_iter().any(|rule| self.expects(rule))
    }

    fn after_close(&self) -> bool {
        !self.expects(Rule::operator) && self.before_found().ends_with(')')
    }

    fn piece_text(&self) -> &str {
        &self.text[self.piece.span.range()]
    }

    fn before_found(&self) -> &str {
        self.text[self.piece.span.start as usize..self.found.span.start as usize].trim_end()
    }

    fn call_inside(&self) -> Option<Diagnostic> {
        let diagnostic = Diagnostic::error(self.found.span, "a call cannot stand inside an expression");
        Some(diagnostic.help("assign the result to a variable first: `x := f(…);`"))
    }

    fn missing_semicolon(&self) -> Diagnostic {
        let end = self.piece.span.start as usize + self.before_found().len();
        Diagnostic::error(Span::new(end, end), format!("missing `;` before `{}`", shorten(self.word)))
            .label("add a `;` here")
            .also(self.found.span, "the next statement begins here")
    }
}

/// Whether a token is the first on its line.
fn new_line_before(text: &str, token: Token) -> bool {
    let before = text[..token.span.start as usize].trim_end_matches([' ', '\t', '\r']);
    before.ends_with('\n')
}

fn expected(rules: &[Rule], end: &str) -> Vec<String> {
    let mut expected: Vec<String> = Vec::new();
    for &rule in rules {
        let words = in_words(rule, end);
        if !words.is_empty() && !expected.contains(&words) {
            expected.push(words);
        }
    }
    if expected.iter().any(|words| words == "an expression") {
        expected.retain(|words| words != "a name");
    }
    expected.sort_by_key(|words| words.starts_with('`'));
    expected
}

/// What a rule stands for, in words; empty if it is not worth telling.
fn in_words(rule: Rule, end: &str) -> String {
    let words = match rule {
        Rule::EOI => end,
        Rule::operator => "an operator",
        Rule::operand | Rule::expression | Rule::values | Rule::atom | Rule::negations => "an expression",
        Rule::constant | Rule::choice | Rule::kw_schoose => "an expression",
        Rule::variable | Rule::name | Rule::nowhere | Rule::declared => "a name",
        Rule::targets | Rule::results | Rule::assign | Rule::call => "a name",
        Rule::label => "a label",
        Rule::number => "a number",
        Rule::statement => "a statement",
        Rule::parameters => "a parameter",
        Rule::kind | Rule::kw_call => "",
        Rule::becomes => "`:=`",
        Rule::comma => "`,`",
        Rule::colon => "`:`",
        Rule::semicolon => "`;`",
        Rule::open => "`(`",
        Rule::close => "`)`",
        Rule::open_bracket => "`[`",
        Rule::close_bracket => "`]`",
        Rule::less => "`<`",
        Rule::greater => "`>`",
        Rule::kw_end_thread => "`end_thread`",
        _ => {
            return format!("{rule:?}")
                .strip_prefix("kw_")
                .map_or_else(String::new, |word| format!("`{word}`"));
        }
    };
    words.into()
}

fn alternatives(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
