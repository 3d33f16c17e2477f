//! What CBMC and SATABS have built in: macros for what C can say, and advice where Boolero has nothing of the kind.
//!
//! Types and expressions become macros, given to clang for every file: they have no effect on programs that do not use
//! them. Functions without an effect on the program are taken away later, and others get our names: see
//! [`dialect`](super::dialect).

/// Macros for clang.
const MACROS: [&str; 33] = [
    "__CPROVER_bool=_Bool",
    "__CPROVER_thread_local=__thread",
    "__CPROVER_size_t=__SIZE_TYPE__",
    "__CPROVER_ssize_t=__PTRDIFF_TYPE__",
    // In the type that the operation has in C, after its conversions.
    "__CPROVER_overflow_plus(a,b)=({__typeof__((a)+(b)) r;__builtin_add_overflow((__typeof__(r))(a),(__typeof__(r))(b),&r);})",
    "__CPROVER_overflow_minus(a,b)=({__typeof__((a)-(b)) r;__builtin_sub_overflow((__typeof__(r))(a),(__typeof__(r))(b),&r);})",
    "__CPROVER_overflow_mult(a,b)=({__typeof__((a)*(b)) r;__builtin_mul_overflow((__typeof__(r))(a),(__typeof__(r))(b),&r);})",
    "__CPROVER_overflow_unary_minus(a)=({__typeof__(-(a)) r;__builtin_sub_overflow((__typeof__(r))0,(__typeof__(r))(a),&r);})",
    "__CPROVER_havoc_slice(p,n)=({extern void __VERIFIER_nondet_memory(void*,__SIZE_TYPE__);__VERIFIER_nondet_memory((p),(n));})",
    "__CPROVER_abs(x)=({int v=(x);v<0?0-v:v;})",
    "__CPROVER_labs(x)=({long v=(x);v<0?0-v:v;})",
    "__CPROVER_llabs(x)=({long long v=(x);v<0?0-v:v;})",
    // No number differs from itself but those that are none; infinity and those minus themselves are none.
    "__CPROVER_isnanf(x)=({float v=(x);v!=v;})",
    "__CPROVER_isnand(x)=({double v=(x);v!=v;})",
    "__CPROVER_isnanld(x)=({long double v=(x);v!=v;})",
    "__CPROVER_isfinitef(x)=({float v=(x);v-v==0;})",
    "__CPROVER_isfinited(x)=({double v=(x);v-v==0;})",
    "__CPROVER_isfiniteld(x)=({long double v=(x);v-v==0;})",
    "__CPROVER_isinff(x)=({float v=(x);v==v&&v-v!=0;})",
    "__CPROVER_isinfd(x)=({double v=(x);v==v&&v-v!=0;})",
    "__CPROVER_isinfld(x)=({long double v=(x);v==v&&v-v!=0;})",
    "__CPROVER_isnormalf(x)=({float v=(x);v-v==0&&(v>=__FLT_MIN__||v<=-__FLT_MIN__);})",
    "__CPROVER_isnormald(x)=({double v=(x);v-v==0&&(v>=__DBL_MIN__||v<=-__DBL_MIN__);})",
    "__CPROVER_isnormalld(x)=({long double v=(x);v-v==0&&(v>=__LDBL_MIN__||v<=-__LDBL_MIN__);})",
    "__CPROVER_signf(x)=(__builtin_signbit((float)(x))!=0)",
    "__CPROVER_signd(x)=(__builtin_signbit((double)(x))!=0)",
    "__CPROVER_signld(x)=(__builtin_signbit((long double)(x))!=0)",
    "__CPROVER_fabsf(x)=__builtin_fabsf(x)",
    "__CPROVER_fabs(x)=__builtin_fabs(x)",
    "__CPROVER_fabsl(x)=__builtin_fabsl(x)",
    "__CPROVER_inff()=__builtin_inff()",
    "__CPROVER_inf()=__builtin_inf()",
    "__CPROVER_infl()=__builtin_infl()",
];

/// Parts of names that Boolero does not know, and what to do instead.
const ADVICE: [(&[&str], &str); 6] = [
    (
        &[
            "r_ok",
            "w_ok",
            "rw_ok",
            "is_fresh",
            "is_freeable",
            "was_freed",
            "pointer_in_range",
            "pointer_equals",
        ],
        "`--checks null,bounds,pointer,free` looks at every access",
    ),
    (
        &[
            "same_object",
            "POINTER_OBJECT",
            "POINTER_OFFSET",
            "OBJECT_SIZE",
            "DYNAMIC_OBJECT",
            "LIVE_OBJECT",
            "WRITEABLE_OBJECT",
            "is_zero_string",
            "zero_string_length",
            "buffer_size",
        ],
        "a program cannot ask which object a pointer points to; `--checks bounds,pointer` looks at every access",
    ),
    (
        &["havoc_object", "array_set", "array_copy", "array_replace"],
        "the size must be said: `__CPROVER_havoc_slice(pointer, size)` makes so many bytes arbitrary",
    ),
    (&["allocate", "deallocate", "allocated_memory"], "use malloc, calloc and free"),
    (
        &[
            "requires",
            "ensures",
            "assigns",
            "frees",
            "loop_invariant",
            "decreases",
            "loop_entry",
            "old",
            "return_value",
            "object_whole",
            "object_from",
            "object_upto",
        ],
        "contracts are not read; say them with __CPROVER_assume and __CPROVER_assert",
    ),
    (&["forall", "exists"], "quantifiers are not read; write a loop"),
];

/// The macros, as arguments of clang.
pub(in crate::llvm::read) fn macros() -> impl Iterator<Item = String> {
    MACROS.iter().map(|definition| format!("-D{definition}"))
}

/// What to do instead of using a name that Boolero does not know.
pub(in crate::llvm::read) fn advice(name: &str) -> &'static str {
    let rest = name.strip_prefix("__CPROVER_").unwrap_or_default();
    let fits = |names: &&[&str]| names.contains(&rest);
    ADVICE.iter().find(|(names, _)| fits(names)).map_or("is it misspelt?", |(_, advice)| advice)
}

/// For a text that clang refuses: a name of CBMC in it that is no C for Boolero, with what to do instead.
pub(in crate::llvm::read) fn refused(text: &str) -> Option<String> {
    let names = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut known = names.filter(|name| name.starts_with("__CPROVER_") && advice(name) != advice(""));
    known.next().map(|name| format!("`{name}` is not known to Boolero: {}", advice(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_advice() {
        assert!(advice("__CPROVER_r_ok").contains("--checks") && advice("__CPROVER_forall").contains("loop"));
        assert_eq!(advice("__CPROVER_asume"), "is it misspelt?");
        assert_eq!(advice("__VERIFIER_r_ok"), "is it misspelt?");
    }

    #[test]
    fn what_clang_cannot_parse_is_named() {
        let text = "void f(int x) __CPROVER_requires(x > 0) { }";
        assert!(refused(text).is_some_and(|said| said.starts_with("`__CPROVER_requires`")));
        assert_eq!(refused("int __CPROVER_x; int x = ;"), None);
    }
}
