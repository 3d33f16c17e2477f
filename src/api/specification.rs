//! What is asked of a C program, and how SV-COMP says it.
//!
//! The formulas of property files (`.prp`) have words, which stand in the last line of `--svcomp`; the table of faults
//! ([`ground::fault`](crate::ground::fault)) says which faults violate them. Calls of functions are not in it, since they
//! have names.

use super::{Input, Refusal, file};
use crate::ir::undefined::Fault;
use crate::program::PropertyKind;
use std::collections::BTreeSet;

/// A formula of SV-COMP about faults. Which faults violate it, the table of faults says.
struct Part {
    /// The formula, without blanks.
    formula: &'static str,
    /// What `false(…)` names.
    name: &'static str,
}

/// All of them.
const PARTS: [Part; 6] = [
    Part { formula: "G!overflow", name: "no-overflow" },
    Part { formula: "Gvalid-free", name: "valid-free" },
    Part { formula: "Gvalid-deref", name: "valid-deref" },
    Part { formula: "Gvalid-memcleanup", name: "valid-memcleanup" },
    Part { formula: "Gvalid-memtrack", name: "valid-memtrack" },
    Part { formula: "G!data-race", name: "no-data-race" },
];

/// The word for a violation that is no fault.
const UNREACHABLE: &str = "unreach-call";

/// Which kinds of properties are asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whether assertions count.
    assertions: bool,
    /// Whether calls of error functions and error labels count.
    errors: bool,
    /// The error functions.
    pub error_functions: BTreeSet<String>,
    /// The faults that count.
    pub faults: BTreeSet<Fault>,
    /// What was read in a property file, as positions in the table.
    parts: Vec<usize>,
}

impl Asked {
    /// Assertions, calls of these functions, and these faults.
    #[must_use]
    pub fn all(error_functions: BTreeSet<String>, faults: BTreeSet<Fault>) -> Self {
        Self { assertions: true, errors: true, error_functions, faults, parts: Vec::new() }
    }

    /// Only calls of these functions.
    #[must_use]
    pub fn errors(error_functions: BTreeSet<String>) -> Self {
        Self { assertions: false, ..Self::all(error_functions, BTreeSet::new()) }
    }

    /// What the property file of an input asks for, if there is one. The input's own error functions must not be called either.
    ///
    /// # Errors
    /// It cannot be read, or asks for something else.
    pub(super) fn specified(input: &Input) -> Result<Option<Self>, Refusal> {
        let Some(path) = &input.specification else { return Ok(None) };
        let source = file::source(path)?;
        let functions: BTreeSet<String> = input.error_functions.iter().cloned().collect();
        let mut asked = Self { errors: !functions.is_empty(), ..Self::errors(functions) };
        let lines = source.text().lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
            asked
                .read(line, &input.entry)
                .map_err(|problem| Refusal::Options(format!("`{}`: `{line}`: {problem}", path.display())))?;
        }
        Ok(Some(asked))
    }

    /// The kinds of properties that are asked for.
    #[must_use]
    pub fn kinds(&self) -> BTreeSet<PropertyKind> {
        let faults = self.faults.iter().map(|&fault| PropertyKind::Fault(fault));
        let others = [PropertyKind::Assertion, PropertyKind::ErrorReached].into_iter();
        faults.chain(others.filter(|&kind| self.counts(kind))).collect()
    }

    /// Whether properties of this kind count.
    #[must_use]
    pub fn counts(&self, kind: PropertyKind) -> bool {
        match kind {
            PropertyKind::Assertion => self.assertions,
            PropertyKind::ErrorReached => self.errors,
            PropertyKind::Fault(fault) => self.faults.contains(&fault),
        }
    }

    /// What SV-COMP calls the violation of a property of this kind.
    #[must_use]
    pub fn name(&self, kind: PropertyKind) -> &'static str {
        let PropertyKind::Fault(fault) = kind else { return UNREACHABLE };
        let names = fault.row().competition;
        let read = self.parts.iter().map(|&part| PARTS[part].name).find(|name| names.contains(name));
        read.or(names.first().copied()).unwrap_or(UNREACHABLE)
    }
}

impl Asked {
    /// Reads a line: `CHECK( init(main()), LTL(G ! overflow) )`.
    fn read(&mut self, line: &str, entry: &str) -> Result<(), String> {
        let text: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let inner = text.strip_prefix("CHECK(init(").and_then(|rest| rest.strip_suffix("))"));
        let Some((start, formula)) = inner.and_then(|inner| inner.split_once("()),LTL(")) else {
            return Err("this is no property; `CHECK( init(main()), LTL(G ! overflow) )` is one".to_owned());
        };
        if start != entry {
            return Err(format!("it is about `{start}`; `--entry {start}` starts there"));
        }
        if let Some(called) = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())")) {
            self.errors = true;
            self.error_functions.insert(called.to_owned());
            return Ok(());
        }
        let Some(part) = PARTS.iter().position(|part| part.formula == formula) else {
            return Err(match formula {
                "Fend" => "termination is not checked".to_owned(),
                _ => format!("this is not checked; {} are", checked()),
            });
        };
        self.faults.extend(Fault::all().filter(|fault| fault.row().competition.contains(&PARTS[part].name)));
        self.parts.push(part);
        Ok(())
    }
}

/// What is checked, for messages.
fn checked() -> String {
    let names: Vec<&str> = [UNREACHABLE].into_iter().chain(PARTS.iter().map(|part| part.name)).collect();
    let (last, others) = names.split_last().expect("there are some");
    format!("{} and {last}", others.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::ERROR_FUNCTIONS;

    fn read(lines: &[&str]) -> Result<Asked, String> {
        let mut asked =
            Asked { errors: false, error_functions: BTreeSet::new(), ..Asked::errors(BTreeSet::new()) };
        lines.iter().try_for_each(|line| asked.read(line, "main"))?;
        Ok(asked)
    }

    #[test]
    fn formulas_become_faults_and_faults_words() {
        let memory = [
            "CHECK( init(main()), LTL(G valid-free) )",
            "CHECK( init(main()), LTL(G valid-deref) )",
            "CHECK( init(main()), LTL(G valid-memtrack) )",
        ];
        let asked = read(&memory).expect("known");
        let faults = [Fault::Null, Fault::Bounds, Fault::Pointer, Fault::Free, Fault::Leak];
        assert_eq!(asked.faults, BTreeSet::from(faults));
        assert!(!asked.counts(PropertyKind::ErrorReached) && !asked.counts(PropertyKind::Assertion));
        let word = |fault| asked.name(PropertyKind::Fault(fault));
        assert_eq!(word(Fault::Leak), "valid-memtrack");
        assert_eq!(word(Fault::Bounds), "valid-deref");
        let cleanup = read(&["CHECK( init(main()), LTL(G valid-memcleanup) )"]).expect("known");
        assert_eq!(cleanup.name(PropertyKind::Fault(Fault::Leak)), "valid-memcleanup");
        let race = read(&["CHECK( init(main()), LTL(G ! data-race) )"]).expect("known");
        assert_eq!(race.faults, BTreeSet::from([Fault::Race]));
        assert_eq!(race.name(PropertyKind::Fault(Fault::Race)), "no-data-race");
    }

    #[test]
    fn calls_have_names() {
        let asked = read(&["CHECK( init(main()), LTL(G ! call(foo())) )"]).expect("known");
        assert_eq!(asked.error_functions, BTreeSet::from(["foo".to_owned()]));
        assert!(asked.counts(PropertyKind::ErrorReached));
        assert_eq!(asked.name(PropertyKind::ErrorReached), "unreach-call");
        let usual =
            Input { error_functions: vec!["foo".to_owned()], ..Input::file("x.c") }.all_error_functions();
        assert!(ERROR_FUNCTIONS.iter().chain(&["foo"]).all(|name| usual.contains(*name)));
    }

    #[test]
    fn what_is_not_checked_is_refused() {
        let termination = read(&["CHECK( init(main()), LTL(F end) )"]).expect_err("not checked");
        assert!(termination.contains("termination"), "{termination}");
        let other = read(&["CHECK( init(main()), LTL(G ! deadlock) )"]).expect_err("not checked");
        assert!(other.contains("valid-memcleanup") && other.contains("no-data-race"), "{other}");
        assert!(
            read(&["CHECK( init(start()), LTL(G ! overflow) )"]).expect_err("elsewhere").contains("start")
        );
        assert!(read(&["COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"]).is_err());
    }
}
