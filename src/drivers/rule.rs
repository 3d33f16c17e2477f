//! The language of rules, of the size of SLIC \[BR01\]: state in C, and handlers at the entry and the exit of kernel functions and
//! at moments of a run. `drivers/README.md` describes it.
//!
//! A rule about objects watches one of them, chosen at random among those that it sees: what holds for any watched one holds
//! for all. So the state of a rule is a few variables, however many objects there are.

use std::collections::BTreeSet;
use std::fmt;

/// A rule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// What it says, in a line.
    pub title: String,
    /// Faults that must not happen, by their names.
    pub checks: Vec<String>,
    /// Its variables, as C.
    pub state: String,
    /// Its handlers.
    pub handlers: Vec<Handler>,
}

/// Where a handler acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Before the function.
    Entry,
    /// After it.
    Exit,
}

/// For which objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Object {
    /// For all.
    Any,
    /// For the watched one; this may become it.
    Watch(String),
    /// For the watched one.
    For(String),
}

/// What is done at some functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Handler {
    /// The functions.
    pub functions: Vec<String>,
    /// Where.
    pub when: When,
    /// For which objects.
    pub object: Object,
    /// What, as C with `$1`, `$return`, `abort "text"` and `halt`.
    pub body: String,
}

/// What is wrong with the text of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleError {
    /// The line.
    pub line: usize,
    /// What.
    pub message: String,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// The moments that handlers can be at, besides functions of the kernel.
pub const MOMENTS: [&str; 8] = [
    "callback_enter",
    "callback_return",
    "probe_succeeded",
    "probe_failed",
    "device_removed",
    "module_init_failed",
    "module_exited",
    "boolero_may_sleep",
];

/// Moments by the names that rules use.
fn moment(name: &str) -> &str {
    if name == "may_sleep" { "boolero_may_sleep" } else { name }
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// The text is no rule.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let mut rule = Self::default();
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        while let Some((number, line)) = lines.next() {
            let error = |message: &str| RuleError { line: number, message: message.to_owned() };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "rule" => {
                    let (name, title) = rest.split_once(':').ok_or(error("`rule NAME: what it says`"))?;
                    (rule.name, rule.title) = (name.trim().to_owned(), title.trim().to_owned());
                }
                "check" => {
                    rule.checks.extend(rest.split([',', ' ']).filter(|it| !it.is_empty()).map(str::to_owned))
                }
                "state" if rest.ends_with(';') => rule.state.push_str(&format!("static {rest}\n")),
                "state" => return Err(error("a variable ends with `;`, as in `state int held = 0;`")),
                "on" => rule.handlers.push(handler(rest, number, &mut lines)?),
                _ => return Err(error(&format!("`{word}` is none of `rule`, `check`, `state`, `on`"))),
            }
        }
        if rule.name.is_empty() {
            return Err(RuleError {
                line: 1,
                message: "there is no line `rule NAME: what it says`".to_owned(),
            });
        }
        Ok(rule)
    }

    /// The functions at which it acts.
    pub fn events(&self) -> BTreeSet<&str> {
        let functions = self.handlers.iter().flat_map(|handler| &handler.functions);
        functions.map(String::as_str).filter(|name| !MOMENTS.contains(name)).collect()
    }

    /// Whether it has one watched object.
    pub fn watches(&self) -> bool {
        self.handlers.iter().any(|handler| handler.object != Object::Any)
    }
}

/// `on [f, g].entry watch $1 { … }`, whose body may take several lines.
fn handler<'a>(
    first: &str,
    number: usize,
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
) -> Result<Handler, RuleError> {
    let error = |message: &str| RuleError { line: number, message: message.to_owned() };
    let (head, body) = first.split_once('{').ok_or(error("a handler is `on FUNCTION.entry { … }`"))?;
    let mut body = body.to_owned();
    while depth(&body) >= 0 {
        let (_, next) = lines.next().ok_or(error("the handler does not end: a `}` is missing"))?;
        body.push('\n');
        body.push_str(next);
    }
    let body = body[..body.rfind('}').unwrap_or(body.len())].trim().to_owned();
    let (names, rest) = head.rsplit_once('.').ok_or(error("say `.entry` or `.exit` after the function"))?;
    let (when, object) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let when = match when {
        "entry" => When::Entry,
        "exit" => When::Exit,
        _ => return Err(error("say `.entry` or `.exit` after the function")),
    };
    let object = match object.trim().split_once(' ') {
        None if object.trim().is_empty() => Object::Any,
        Some(("watch", which)) => Object::Watch(which.to_owned()),
        Some(("for", which)) => Object::For(which.to_owned()),
        _ => return Err(error("after `.entry` or `.exit` may stand `watch $1` or `for $1`")),
    };
    let names = names.trim().trim_start_matches('[').trim_end_matches(']').split(',');
    let functions = names.map(|name| moment(name.trim()).to_owned()).collect();
    Ok(Handler { functions, when, object, body })
}

/// How many more braces open than close.
fn depth(text: &str) -> i64 {
    text.chars().map(|c| i64::from(c == '{') - i64::from(c == '}')).sum()
}
