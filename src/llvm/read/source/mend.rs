//! What gcc takes and clang refuses: a file that clang refuses is changed according to what clang says, and read again.
//!
//! Each mend keeps the meaning that gcc gives the text, and all line numbers.
//!
//! | clang says | what is done |
//! |---|---|
//! | a function is declared otherwise after its first call | its declaration comes first ([`hoist`]) |
//! | `_Float128` and the like are no types | they are declared, as what gcc takes them for |
//! | a `va_list` cannot be bound | CIL casts it to a pointer to its only element: the cast is undone |

use super::hoist;

/// Types that gcc has, with clang's words for them. `_Float64x` is the widest type of the processor.
const TYPES: [(&str, &str); 5] = [
    ("_Float32", "float"),
    ("_Float64", "double"),
    ("_Float32x", "double"),
    ("_Float64x", "long double"),
    ("_Float128", "__float128"),
];

/// Functions of gcc that take a `va_list`.
const LISTS: [&str; 3] = ["__builtin_va_start(", "__builtin_va_end(", "__builtin_va_copy("];

/// How CIL casts a `va_list`, and what it means.
const CASTS: [(&str, &str); 2] = [
    ("(__va_list_tag *)(", "*(__builtin_va_list *)("),
    ("(struct __va_list_tag *)(", "*(__builtin_va_list *)("),
];

/// The text with another try at what clang complains about; nothing if there is none.
pub(in crate::llvm::read) fn mended(text: &str, said: &str) -> Option<String> {
    let hoisted = || hoist::hoisted(text, &hoist::complaints(said));
    typed(text, said).or_else(|| uncast(text, said)).or_else(hoisted)
}

/// The text with declarations of types that clang does not know before it.
fn typed(text: &str, said: &str) -> Option<String> {
    let unknown = |name: &str| said.contains(&format!("unknown type name '{name}'"));
    let declaration = |(name, meaning): &(&str, &str)| format!("typedef {meaning} {name}; ");
    let missing: String = TYPES.iter().filter(|(name, _)| unknown(name)).map(declaration).collect();
    let line = format!("{}\n", missing.trim_end());
    // A line of its own, which does not count: the caller gives the line after it its number.
    (!missing.is_empty()).then(|| format!("{line}# 1\n{text}"))
}

/// The text with each `va_list` as it was before it was cast.
fn uncast(text: &str, said: &str) -> Option<String> {
    if !said.contains("reference to type '__builtin_va_list' cannot bind") {
        return None;
    }
    let mut out = text.to_owned();
    for function in LISTS {
        for (cast, meant) in CASTS {
            out = out.replace(&format!("{function}{cast}"), &format!("{function}{meant}"));
        }
    }
    (out != text).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_gcc_are_declared() {
        let said = "a.i:7:1: error: unknown type name '_Float128'\n";
        let mended = mended("extern _Float128 f(void);\n", said).unwrap();
        assert_eq!(mended, "typedef __float128 _Float128;\n# 1\nextern _Float128 f(void);\n");
    }

    #[test]
    fn lists_of_arguments_are_not_cast() {
        let said = "error: non-const lvalue reference to type '__builtin_va_list' cannot bind to a temporary";
        let text = "__builtin_va_end((__va_list_tag *)(& ap)); f((__va_list_tag *)(& ap));";
        let expected = "__builtin_va_end(*(__builtin_va_list *)(& ap)); f((__va_list_tag *)(& ap));";
        assert_eq!(mended(text, said).as_deref(), Some(expected));
    }

    #[test]
    fn what_else_clang_says_changes_nothing() {
        assert_eq!(mended("int x = ;", "a.c:1:9: error: expected expression"), None);
    }
}
