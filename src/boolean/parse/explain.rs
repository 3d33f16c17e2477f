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

const BRACES: &str = "`{…}` is a name; blocks are written `begin … end`, `then … fi` and `do … od`";

/// What is known about a failure.
struct Failure<'a> {
    text: &'a str,
    piece: Piece,
    rules: &'a [Rule],
    expected: Vec<String>,
    /// What must follow the piece.
    end: &'a str,
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
    let expected = expected(positives, end);
    let failure = Failure { text, piece, rules: positives, expected, end, found, word };
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
        let ends = self.expects(Rule::EOI);
        match self.found.kind {
            Kind::Unknown => self.error(
                format!("unexpected character `{}`", shorten(self.word)),
                "names are made of letters, digits, `_`, `$`, `#` and `.`",
            ),
            Kind::Symbol if ends && self.after_close() => self.call_inside(),
            Kind::Symbol => self.symbol(),
            Kind::Open if self.expects(Rule::operator) => self.call_inside(),
            Kind::Close if self.piece.unclosed.is_none() && ends => {
                self.error("unbalanced `)`".into(), "remove it, or add the `(` that it closes")
            }
            Kind::Colon if self.declares() => self.has_type(),
            Kind::Becomes if self.piece_text().starts_with("call ") && self.expects(Rule::open) => {
                Some(self.general().help("`call` stands before the procedure: `x := call f(…);`"))
            }
            Kind::Number if self.expects(Rule::operand) || self.expects(Rule::expression) => {
                Some(self.general().help("the constants are `T` and `F`, also written `1` and `0`"))
            }
            Kind::Number if self.expects(Rule::name) => {
                Some(self.general().help("a name cannot begin with a digit"))
            }
            Kind::Word if self.inside() => self.word(),
            _ if self.piece.tokens == 1 && self.expects(Rule::becomes) && self.expects(Rule::open) => {
                self.lone_name()
            }
            _ => None,
        }
    }

    /// A symbol where none of its kind can stand.
    fn symbol(&self) -> Option<Diagnostic> {
        let operator = match self.word {
            "=" | "==" | "<" if self.expects(Rule::becomes) => {
                return Some(self.general().help("write `:=` to assign; `=` compares"));
            }
            "'" if self.expects(Rule::becomes) || self.expects(Rule::statement) => {
                let help = "an assignment is to the next value anyway: write `v := …;`";
                return Some(self.general().help(help));
            }
            "?" if self.expects(Rule::operator) => {
                let help = "there is no `c ? a : b`; write `c & a | !c & b`";
                return Some(self.general().help(help));
            }
            "+" | "-" | "/" | "%" | "++" | "--" | "<" | ">" | "<=" | ">=" | "->" => self.word,
            _ => return self.nowhere(),
        };
        let arrow = self.text[self.found.span.start as usize..].starts_with("<->");
        let help = match operator {
            "->" => "write `=>` for implication",
            "<" if arrow => "write `<=>` for equivalence",
            _ => "the operators are `!`, `&`, `^`, `|`, `=`, `!=`, `=>` and `<=>`",
        };
        self.error(format!("Boolean programs have no operator `{operator}`"), help)
    }

    /// A word where none of its kind can stand.
    fn word(&self) -> Option<Diagnostic> {
        let expects_name = self.expects_name();
        match self.word {
            "bool" | "void" if self.declares() => return self.has_type(),
            "and" | "AND" if self.expects(Rule::operator) => return self.spelt("&"),
            "or" | "OR" if self.expects(Rule::operator) => return self.spelt("|"),
            "xor" | "XOR" if self.expects(Rule::operator) => return self.spelt("^"),
            _ if self.expects(Rule::operator) && self.after_not() => return self.spelt("!"),
            _ => {}
        }
        if self.word.starts_with('{') && !expects_name {
            return Some(self.general().help(BRACES));
        }
        if expects_name && matches!(self.word, "T" | "F" | "true" | "false") && !self.expects(Rule::becomes) {
            let message = format!("`{}` is a constant and cannot be a name", self.word);
            return self.nowhere().or_else(|| self.error(message, "choose another name"));
        }
        if expects_name && is_keyword(self.word) && !is_value(self.word) {
            let message = format!("`{}` is a keyword and cannot be a name", self.word);
            return self.error(message, "choose another name");
        }
        if self.expects(Rule::EOI) && self.ends_here() {
            return Some(self.missing_end());
        }
        self.nowhere()
    }

    /// Whether the piece was probably meant to end before the word that was found.
    fn ends_here(&self) -> bool {
        match self.end {
            "`;`" => self.found.lines > 0 || self.expected.len() == 1,
            _ => !is_keyword(self.word) && !self.is_ended(),
        }
    }

    /// Whether what must follow the piece does follow it.
    fn is_ended(&self) -> bool {
        let next = Lexer::at(self.text, self.piece.span.end).next(&mut Vec::new());
        self.end.trim_matches('`') == &self.text[next.span.range()]
    }

    fn error(&self, message: String, help: &str) -> Option<Diagnostic> {
        Some(Diagnostic::error(self.found.span, message).help(help))
    }

    fn spelt(&self, operator: &str) -> Option<Diagnostic> {
        Some(self.general().help(format!("the operator is written `{operator}`")))
    }

    /// Whether the operand before was meant as a negation.
    fn after_not(&self) -> bool {
        let before = self.before_found();
        let word = before.rsplit(|character: char| !character.is_ascii_alphanumeric()).next();
        matches!(word, Some("not" | "NOT"))
    }

    fn declares(&self) -> bool {
        let rules = [Rule::declared, Rule::name, Rule::becomes, Rule::comma];
        self.piece_text().starts_with("decl") && rules.into_iter().any(|rule| self.expects(rule))
    }

    fn has_type(&self) -> Option<Diagnostic> {
        self.error("variables have no types: all are Boolean".into(), "write `decl x;`")
    }

    /// `_` on the left of something that is no call.
    fn nowhere(&self) -> Option<Diagnostic> {
        if !(self.piece_text().starts_with("_ ") && self.expects_name()) {
            return None;
        }
        let start = self.piece.span.start as usize;
        let error = Diagnostic::error(Span::new(start, start + 1), "only a call can have `_` on its left");
        Some(error.help("`_` drops a value that a call returns"))
    }

    /// A name that stands alone.
    fn lone_name(&self) -> Option<Diagnostic> {
        let name = shorten(self.piece_text());
        let error = Diagnostic::error(self.piece.span, format!("`{name}` alone is no statement"));
        if name.starts_with('{') {
            return Some(error.help(BRACES));
        }
        Some(error.help(format!("a call is written `{name}();`, a label `{name}: …`")))
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
        let diagnostic = Diagnostic::error(self.callee(), "a call cannot stand inside an expression");
        Some(diagnostic.help("assign the result to a variable first: `x := f(…);`"))
    }

    /// The name of the procedure whose call ends or begins where the failure is.
    fn callee(&self) -> Span {
        let mut lexer = Lexer::at(self.text, self.piece.span.start);
        let mut comments = Vec::new();
        let (mut open, mut previous, mut closed) = (Vec::new(), self.found.span, self.found.span);
        loop {
            comments.clear();
            let token = lexer.next(&mut comments);
            if token.span.start >= self.found.span.start || token.kind == Kind::End {
                return if self.found.kind == Kind::Open { previous } else { closed };
            }
            match token.kind {
                Kind::Open => open.push(previous),
                Kind::Close => closed = open.pop().unwrap_or(closed),
                _ => {}
            }
            previous = token.span;
        }
    }

    /// What ends the piece is missing before the word that was found.
    fn missing_end(&self) -> Diagnostic {
        let end = self.piece.span.start as usize + self.before_found().len();
        let message = format!("missing {} before `{}`", self.end, shorten(self.word));
        Diagnostic::error(Span::new(end, end), message)
            .label(format!("add {} here", self.end))
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
        expected.retain(|words| words != "a name" && words != "`(`");
    }
    // A name could also be that of a procedure.
    if expected.iter().any(|words| words == "an operator") {
        expected.retain(|words| words != "`(`");
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
