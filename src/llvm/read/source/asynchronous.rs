//! Labels of CBMC and SATABS that start threads: `__CPROVER_ASYNC_1: f(x);` runs the statement in a new thread.
//!
//! The statement moves into a function of its own, and `pthread_create` takes its place. The text is what the preprocessor
//! has made of the file, and all lines keep their numbers.
//!
//! The new thread has copies of the local variables, as they are when it starts. So a statement may use global variables and
//! constants, its own variables, and, if it is a call with one argument, one local variable as that argument: a number or a pointer,
//! which is handed over as it is then. clang is asked which names are local: for each name in the statement there is a
//! *probe* in its place, a static variable that starts with the address of the name. clang refuses it unless the
//! name is that of a global variable or a function. A name that clang does not know there is one of the statement's own.
//! What clang says is kept for each statement by itself: a name that is local in one function may be global in another.
//! All else is refused: `return` and jumps out of the statement, names of types and enumerators, and functions with
//! static variables, which a probe does not tell from global ones.

use super::words::{Item, Word, closing, end_of_statement, items, words};
use std::collections::BTreeSet;
use std::ops::Range;

/// How such labels begin.
pub(in crate::llvm::read) const LABEL: &str = "__CPROVER_ASYNC_";

/// How the names of files begin that probes pretend to be in.
const PROBE: &str = "boolero-probe-";

/// What declares the function that starts threads, where the program does not.
const DECLARED: &str = "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);";

/// Words of C that are no names of variables.
const KEYWORDS: [&str; 40] = [
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "sizeof",
    "int",
    "char",
    "short",
    "long",
    "signed",
    "unsigned",
    "float",
    "double",
    "void",
    "_Bool",
    "const",
    "volatile",
    "struct",
    "union",
    "enum",
    "auto",
    "register",
    "__typeof__",
    "typeof",
    "__extension__",
    "__attribute__",
    "_Atomic",
    "inline",
    "restrict",
    "_Alignof",
    "__alignof__",
    "asm",
    "__asm__",
    "__volatile__",
];

/// Words that leave the statement, or that make what is in it belong elsewhere; and those before tags, which may be those of
/// the function alone.
const REFUSED: [&str; 8] = ["return", "goto", "static", "extern", "typedef", "struct", "union", "enum"];

/// What a statement must not begin with: where it ends is not told by its first semicolon.
const CONTROL: [&str; 8] = ["if", "else", "while", "for", "do", "switch", "case", "default"];

/// What parameters may be made of besides names of structures and `*`.
const PARAMETERS: [&str; 9] =
    ["int", "char", "short", "long", "signed", "unsigned", "const", "volatile", "void"];

/// A name, and the number of the statement that has it.
type Use = (usize, String);

/// What clang has said of names in statements so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::llvm::read) struct Told {
    /// Names that are not known outside of the statement.
    own: BTreeSet<Use>,
    /// Names of local variables.
    local: BTreeSet<Use>,
}

impl Told {
    /// Adds what clang says of probes, and tells whether there was something new. What else it says may be a consequence.
    pub(in crate::llvm::read) fn learn(&mut self, said: &str) -> bool {
        let mut new = false;
        for line in said.lines().filter(|line| line.contains(": error: ")) {
            let Some((used, problem)) = probed(line) else { continue };
            if problem.contains("undeclared identifier") {
                new |= self.own.insert(used);
            } else if problem.contains("not a compile-time constant") {
                new |= self.local.insert(used);
            }
        }
        new
    }

    fn is_local(&self, number: usize, name: &str) -> bool {
        self.local.contains(&(number, name.to_owned()))
    }

    /// Whether clang has accepted the probe of a name, or was not asked yet.
    fn is_open(&self, number: usize, name: &str) -> bool {
        !self.is_local(number, name) && !self.own.contains(&(number, name.to_owned()))
    }
}

/// Whether there are probes in the text. They are only there to be refused: what they hold would be one more use of each name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::llvm::read) enum Probes {
    /// There are.
    Set,
    /// There are none.
    None,
}

/// A statement behind such a label.
struct Start<'t> {
    text: &'t str,
    /// The words of the function that has it.
    words: &'t [Word],
    /// The number of the label.
    label: usize,
    /// The numbers of the words of the statement.
    statement: Range<usize>,
}

/// The text with threads in place of such labels.
///
/// # Errors
/// A label that is not understood, with the reason.
pub(in crate::llvm::read) fn started(text: &str, told: &Told, probes: Probes) -> Result<String, String> {
    let items = items(text);
    let mut out = String::new();
    if !items.iter().any(|item| mentions(text, item, "pthread_create")) {
        out += &format!("{DECLARED}\n# 1\n");
    }
    let (mut at, mut number) = (0, 0);
    for item in &items {
        let Some(body) = item.body.clone() else { continue };
        let inside = words(text, body.clone());
        let changed = function(text, item, &inside, &items, (told, probes, &mut number))?;
        let Some((before, body_text)) = changed else { continue };
        out += &text[at..item.head.start];
        out += &before;
        out += &text[item.head.start..body.start];
        out += &body_text;
        at = body.end;
    }
    Ok(out + &text[at..])
}

/// Whether a declaration or a function mentions a name.
fn mentions(text: &str, item: &Item, name: &str) -> bool {
    words(text, item.head.clone()).iter().any(|word| text[word.range.clone()] == *name)
}

/// For a function with such labels: what comes before it, and its new body.
fn function(
    text: &str,
    item: &Item,
    inside: &[Word],
    items: &[Item],
    (told, probes, number): (&Told, Probes, &mut usize),
) -> Result<Option<(String, String)>, String> {
    let (mut before, mut body) = (String::new(), String::new());
    let mut at = inside.first().map_or(0, |word| word.range.start);
    let mut next = 0;
    while let Some(label) = (next..inside.len()).find(|&it| is_label(text, inside, it)) {
        let start = Start::new(text, item, inside, label)?;
        *number += 1;
        let (own, call) = start.threaded(*number, items, (told, probes))?;
        let (first, last) = (inside[label].range.start, inside[start.statement.end - 1].range.end);
        before += &format!("{own}{}", line_mark(text, item.head.start));
        body += &format!("{}{call}{}", &text[at..first], line_mark(text, last));
        (at, next) = (last, start.statement.end);
    }
    let end = inside.last().map_or(at, |word| word.range.end);
    Ok((next > 0).then(|| (before, body + &text[at..end])))
}

fn is_label(text: &str, words: &[Word], number: usize) -> bool {
    let colon = words.get(number + 1).is_some_and(|word| text[word.range.clone()] == *":");
    colon && text[words[number].range.clone()].starts_with(LABEL)
}

impl<'t> Start<'t> {
    fn new(text: &'t str, item: &Item, words: &'t [Word], label: usize) -> Result<Self, String> {
        let first = label + 2;
        let last = end_of_statement(text, words, first);
        let start = Self { text, words, label, statement: first..last.map_or(first, |last| last + 1) };
        if last.is_none() {
            return Err(start.refused("the statement after it has no end"));
        }
        if CONTROL.contains(&start.word(first)) {
            return Err(start.refused("the statement is no call, assignment or block"));
        }
        if item.body.as_ref().is_none_or(|body| body.start <= item.head.start) {
            return Err(start.refused("its function has parameters in the old style"));
        }
        if words.iter().any(|word| text[word.range.clone()] == *"static") {
            return Err(start.refused("its function has static variables"));
        }
        Ok(start)
    }

    fn word(&self, number: usize) -> &'t str {
        self.words.get(number).map_or("", |word| &self.text[word.range.clone()])
    }

    fn refused(&self, why: &str) -> String {
        let (line, file) = place(self.text, self.words[self.label].range.start);
        let label = self.word(self.label);
        format!("{file}:{line}: `{label}:` starts a thread, but {why}; start it with pthread_create")
    }

    /// The function that the thread runs, and what starts it.
    fn threaded(
        &self,
        number: usize,
        items: &[Item],
        (told, probes): (&Told, Probes),
    ) -> Result<(String, String), String> {
        let names = self.names()?;
        let local: Vec<&str> = names.iter().copied().filter(|name| told.is_local(number, name)).collect();
        let (statement, argument) = match local.as_slice() {
            [] => (self.text[self.place()].to_owned(), "(void *)0".to_owned()),
            [name] => self.handed_over(name, items)?,
            _ => return Err(self.refused("the statement uses several local variables")),
        };
        let routine = format!("boolero_thread_{number}");
        let own = format!(
            "static void *{routine}(void *boolero_argument) {{{}{statement} return (void *)0; }}",
            line_mark(self.text, self.place().start)
        );
        let probed = names.iter().filter(|name| probes == Probes::Set && told.is_open(number, name));
        let probes: String = probed.map(|name| probe(number, name)).collect();
        let back = line_mark(self.text, self.place().start);
        let call = format!(
            "{{ {probes}{back}unsigned long boolero_thread; pthread_create(&boolero_thread, (void *)0, {routine}, {argument}); }}"
        );
        Ok((own, call))
    }

    /// Where the statement stands.
    fn place(&self) -> Range<usize> {
        self.words[self.statement.start].range.start..self.words[self.statement.end - 1].range.end
    }

    /// The names in the statement, but for members.
    fn names(&self) -> Result<BTreeSet<&'t str>, String> {
        let mut names = BTreeSet::new();
        for number in self.statement.clone().filter(|&number| self.words[number].name) {
            let (name, before) = (self.word(number), self.word(number - 1));
            if REFUSED.contains(&name) || name.starts_with(LABEL) {
                return Err(self.refused(&format!("the statement has `{name}`")));
            }
            if self.word(number + 1) == ":" && matches!(before, ";" | "{" | "}" | ":") && name != "default" {
                return Err(self.refused("the statement has a label"));
            }
            let member = before == "." || before == ">" && self.word(number.saturating_sub(2)) == "-";
            if !member && !KEYWORDS.contains(&name) {
                names.insert(name);
            }
        }
        Ok(names)
    }

    /// For `f(x);` with a local variable: the call of the new thread, and what it is handed.
    fn handed_over(&self, name: &str, items: &[Item]) -> Result<(String, String), String> {
        let first = self.statement.start;
        let expected = [name, ")", ";"];
        let fits = self.words[first].name
            && self.word(first + 1) == "("
            && (0..3).all(|number| self.word(first + 2 + number) == expected[number]);
        let function = self.word(first);
        let parameter = parameter(self.text, items, function).filter(|_| fits);
        let Some(parameter) = parameter else {
            return Err(self.refused(&format!(
                "`{name}` is a local variable, and the statement is no call of a function that takes just one number or pointer"
            )));
        };
        // An array would be handed over as its address, and the thread would see what becomes of it.
        let guard = format!(
            "({{ _Static_assert(__builtin_types_compatible_p(__typeof__({name}), __typeof__(({{ __auto_type boolero_copy = ({name}); boolero_copy; }}))), \"an array\"); (void *)({name}); }})"
        );
        Ok((format!("{function}(({parameter})boolero_argument);"), guard))
    }
}

/// The type of the only parameter of a function, if it is a pointer, or an integer that is not wider than one.
fn parameter(text: &str, items: &[Item], function: &str) -> Option<String> {
    let defined = |item: &&Item| item.body.is_some() && mentions(text, item, function);
    let head = words(text, items.iter().find(defined)?.head.clone());
    let of = |number: usize| head.get(number).map_or("", |word| &text[word.range.clone()]);
    let open = (1..head.len()).find(|&number| of(number) == "(" && of(number - 1) == function)?;
    let close = closing(text, &head, open)?;
    // The last word is the parameter's name.
    let inside: Vec<&str> = (open + 1..close.checked_sub(1)?).map(of).collect();
    let pointer = inside.contains(&"*");
    let tag = |number: usize| number > 0 && matches!(inside[number - 1], "struct" | "union" | "enum");
    let known = |(number, word): (usize, &&str)| {
        PARAMETERS.contains(word) || matches!(*word, "*" | "struct" | "union") || tag(number)
    };
    let wide = inside.iter().filter(|word| **word == "long").count() > 1;
    let void = !pointer && inside.contains(&"void");
    let fits = !inside.is_empty() && inside.iter().enumerate().all(known) && (pointer || !wide) && !void;
    (fits && head[close - 1].name).then(|| inside.join(" "))
}

/// What clang refuses unless a name is that of a global variable or a function. The pretended file names the statement and the name.
fn probe(number: usize, name: &str) -> String {
    format!(
        "\n# 1 \"{PROBE}{number}-{name}\"\n{{ static const void *const boolero_probe = (const void *)&{name}; (void)boolero_probe; }}"
    )
}

/// The statement and the name that a message of clang is about, and the rest of the message.
fn probed(line: &str) -> Option<(Use, &str)> {
    let (file, problem) = line.strip_prefix(PROBE)?.split_once(':')?;
    let (number, name) = file.split_once('-')?;
    Some(((number.parse().ok()?, name.to_owned()), problem))
}

/// A line for the preprocessor that gives what follows its place.
fn line_mark(text: &str, at: usize) -> String {
    let (line, file) = place(text, at);
    format!("\n# {line} \"{file}\"\n")
}

/// The line and the file of a place, as the marks of the preprocessor say.
fn place(text: &str, at: usize) -> (usize, String) {
    let (mut line, mut file) = (1, String::new());
    for one in text[..at].split_inclusive('\n').filter(|one| one.ends_with('\n')) {
        match mark(one) {
            Some((number, name)) => {
                line = number;
                file = name.unwrap_or(file);
            }
            None => line += 1,
        }
    }
    (line, file)
}

/// The mark of the preprocessor that a line is.
fn mark(line: &str) -> Option<(usize, Option<String>)> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
    let name = rest.split('"').nth(1).map(str::to_owned);
    Some((number.parse().ok()?, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, told: &Told) -> String {
        started(text, told, Probes::Set).unwrap_err()
    }

    #[test]
    fn a_statement_moves_into_a_function() {
        let text = "# 1 \"a.c\"\nint x;\nint main(void) {\n__CPROVER_ASYNC_1:\n  x = 1;\n  return x;\n}\n";
        let out = started(text, &Told::default(), Probes::Set).unwrap();
        assert!(out.contains("static void *boolero_thread_1(void *boolero_argument) {\n# 4 \"a.c\"\nx = 1; return (void *)0; }\n# 2 \"a.c\"\nint main"), "{out}");
        assert!(out.contains("pthread_create(&boolero_thread, (void *)0, boolero_thread_1, (void *)0); }\n# 4 \"a.c\"\n\n  return x;"), "{out}");
        assert!(out.contains("(const void *)&x;") && !out.contains(LABEL), "{out}");
        assert!(!started(text, &Told::default(), Probes::None).unwrap().contains("&x"));
    }

    #[test]
    fn a_local_variable_is_handed_over_as_the_only_argument() {
        let told = Told { local: BTreeSet::from([(1, "i".to_owned())]), ..Told::default() };
        let out = |declared: &str| {
            started(
                &format!("{declared} int main(void) {{ int i; __CPROVER_ASYNC_1: f(i); }}"),
                &told,
                Probes::Set,
            )
        };
        assert!(out("void f(unsigned n) { }").unwrap().contains("f((unsigned)boolero_argument);"));
        assert!(out("void f(struct s *n) { }").unwrap().contains("f((struct s *)boolero_argument);"));
        for declared in [
            "void f(long long n) { }",
            "void f(double n) { }",
            "void f(t n) { }",
            "void f(int n);",
            "void f(int n, int m) { }",
        ] {
            assert!(out(declared).unwrap_err().contains("`i` is a local variable"), "{declared}");
        }
    }

    #[test]
    fn what_leaves_the_statement_is_refused() {
        let told = Told::default();
        assert!(refused("int f(void) { __CPROVER_ASYNC_1: return 1; }", &told).contains("has `return`"));
        assert!(
            refused("int f(void) { static int x; __CPROVER_ASYNC_1: x = 1; }", &told)
                .contains("static variables")
        );
        assert!(refused("int f(a) int a; { __CPROVER_ASYNC_1: g(); }", &told).contains("old style"));
        assert!(refused("int f(void) { __CPROVER_ASYNC_1: { l: g(); } }", &told).contains("a label"));
        assert!(
            refused("int f(void) { __CPROVER_ASYNC_1: if (x) { g(); } h(); }", &told).contains("no call")
        );
        assert!(
            refused("int f(void) { __CPROVER_ASYNC_1: x = sizeof(struct s); }", &told).contains("`struct`")
        );
    }

    #[test]
    fn a_name_may_be_local_in_one_statement_and_global_in_another() {
        let mut told = Told::default();
        assert!(
            told.learn("boolero-probe-1-i:1:9: error: initializer element is not a compile-time constant\n")
        );
        assert!(!told.is_local(2, "i") && told.is_open(2, "i"));
        let text = "int i; void f(int n) { } void g(void) { int i; __CPROVER_ASYNC_1: f(i); } int main(void) { __CPROVER_ASYNC_1: f(i); }";
        let out = started(text, &told, Probes::Set).unwrap();
        assert!(
            out.contains("boolero_thread_1(void *boolero_argument) {\n# 1 \"\"\nf((int)boolero_argument);"),
            "{out}"
        );
        assert!(out.contains("boolero_thread_2(void *boolero_argument) {\n# 1 \"\"\nf(i);"), "{out}");
        assert!(!out.contains("boolero-probe-1-i") && out.contains("boolero-probe-2-i"), "{out}");
    }

    #[test]
    fn clang_tells_which_names_are_local() {
        let mut told = Told::default();
        let said = "boolero-probe-1-t:1:9: error: use of undeclared identifier 't'\nboolero-probe-2-i:1:9: error: initializer element is not a compile-time constant\n";
        assert!(told.learn(said) && !told.learn(said));
        assert!(told.is_local(2, "i") && !told.is_open(1, "t"));
        assert!(!told.learn("a.c:1:1: error: expected expression\n"));
        assert!(!told.learn("boolero-probe-1-T:1:9: error: unexpected type name 'T': expected expression\n"));
    }
}
