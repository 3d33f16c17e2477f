//! Functions and labels that must not be reached have to be somewhere in the program.
//!
//! A misspelt name would be reached by no run, and everything would hold. LLVM keeps neither functions that are declared
//! and never called nor bodies that nobody needs: where it has nothing of a name, the preprocessed source is asked.

use super::{Input, Read, Refusal};
use crate::ir::is_label;
use crate::llvm::read::clang::preprocess;

/// Looks for all names.
///
/// # Errors
/// One is not there.
pub(super) fn look_for(read: &Read, input: &Input) -> Result<(), Refusal> {
    let function =
        |name: &&String| read.module.function(name).is_none() && !in_source(read, name, Is::Function);
    let label = |name: &&String| !has_label(read, name) && !in_source(read, name, Is::Label);
    let missing = input.error_functions.iter().find(function).map(|name| ("function", name));
    let missing = missing.or_else(|| input.error_labels.iter().find(label).map(|name| ("label", name)));
    let Some((kind, name)) = missing else { return Ok(()) };
    Err(Refusal::Options(format!("`{}`: there is no {kind} `{name}` (--error-{kind})", input.name())))
}

/// The function to start with must have a body; others that could be meant are named.
///
/// # Errors
/// It has none.
pub(super) fn look_for_entry(read: &Read, input: &Input) -> Result<(), Refusal> {
    let module = &read.module;
    if module.function(&input.entry).is_some_and(|id| module.functions[id].is_defined()) {
        return Ok(());
    }
    let (file, entry) = (input.name(), &input.entry);
    let of_program = module.functions.iter().filter(|it| it.is_defined() && module.model_file(it).is_none());
    let names: Vec<String> = of_program.take(SUGGESTED).map(|it| format!("`--entry {}`", it.name)).collect();
    let hint = if names.is_empty() { String::new() } else { format!("; try {}", names.join(" or ")) };
    Err(Refusal::Options(format!("`{file}`: there is no function `{entry}` to start with{hint}")))
}

/// How many functions to start with are suggested.
const SUGGESTED: usize = 3;

fn has_label(read: &Read, name: &str) -> bool {
    read.module
        .functions
        .iter()
        .flat_map(|function| function.blocks.iter())
        .any(|block| is_label(&block.name, name))
}

/// What a name is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Function,
    Label,
}

fn in_source(read: &Read, name: &str, what: Is) -> bool {
    let texts = read.sources.files.iter().filter_map(|file| preprocess(file, &read.sources.compile));
    texts.into_iter().any(|text| occurs(&text, name, what))
}

/// Whether a name occurs as a word, before what tells its kind.
fn occurs(text: &str, name: &str, what: Is) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        let next = behind.trim_start();
        let fits = match what {
            Is::Function => next.starts_with('('),
            Is::Label => next.starts_with(':') && before.trim_end().ends_with([';', '{', '}', ':', ')']),
        };
        fits && !before.ends_with(part) && !behind.starts_with(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_whole_word_before_its_sign() {
        let text = "void stop(void); int stopped; L1: x = y ? a : b;";
        assert!(occurs(text, "stop", Is::Function));
        assert!(!occurs(text, "top", Is::Function) && !occurs(text, "stopped", Is::Function));
        assert!(
            occurs(text, "L1", Is::Label) && !occurs(text, "L", Is::Label) && !occurs(text, "a", Is::Label)
        );
    }
}
