//! A harness: the inputs of a run as a file of C, to be compiled with the program.
//!
//! Functions that the program only declares get bodies: inputs and undefined functions return, call by call, what the
//! run was given; functions that must not be called say so and end the process. What a run chooses besides (values of
//! uninitialised memory, addresses, the schedule) cannot be said in C: the compiler and the system choose it.

use crate::ir::{Function, Module, Type};
use crate::vm::{Chosen, choices::ChoiceKind};
use indexmap::IndexMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How a harness ends the process when a function is called that must not be.
pub const REACHED: i32 = 10;

const HEAD: &str = "/* The inputs of a run that Boolero found. Compile it together with the program:\n\
                    \x20  boolero replay does. */\n\
                    #include <stdio.h>\n#include <stdlib.h>\n\n";

/// The harness of a run. `errors` are functions that must not be called.
#[must_use]
pub fn harness(module: &Module, errors: &BTreeSet<String>, choices: &[Chosen]) -> String {
    let mut values: IndexMap<&str, Vec<&Chosen>> = IndexMap::new();
    for chosen in choices {
        if matches!(chosen.kind, ChoiceKind::Input | ChoiceKind::Result) {
            values.entry(&chosen.name).or_default().push(chosen);
        }
    }
    let mut out = HEAD.to_owned();
    for function in module.functions.iter().filter(|function| !function.is_defined()) {
        let short = function.name.strip_prefix("__VERIFIER_nondet_").unwrap_or(&function.name);
        if errors.contains(&function.name) {
            stop(&mut out, function);
        } else if function.name == "__VERIFIER_assume" {
            out.push_str("void __VERIFIER_assume(int condition) { if (!condition) exit(0); }\n\n");
        } else if function.name.starts_with("__VERIFIER_atomic_") {
            let _ = writeln!(out, "void {}(void) {{}}\n", function.name);
        } else if let Some(list) = values.get(short) {
            input(&mut out, function, list);
        } else if function.name.starts_with("__VERIFIER_nondet_") {
            input(&mut out, function, &[]);
        }
    }
    out
}

fn stop(out: &mut String, function: &Function) {
    let _ = writeln!(
        out,
        "void {name}(void) {{ fflush(stdout); fputs(\"{name} is reached\\n\", stderr); _Exit({REACHED}); }}\n",
        name = function.name
    );
}

/// A function that returns one value after the other, and zero behind the last.
fn input(out: &mut String, function: &Function, values: &[&Chosen]) {
    let Some(ty) = c_type(&function.result) else {
        let _ = writeln!(out, "void {}() {{}}\n", function.name);
        return;
    };
    let list: Vec<String> = values.iter().map(|chosen| number(chosen.value)).collect();
    let name = &function.name;
    let convert = match function.result {
        Type::Float => format!("union {{ unsigned bits; {ty} value; }} u = {{ v }}; return u.value;"),
        Type::Double => {
            format!("union {{ unsigned long long bits; {ty} value; }} u = {{ v }}; return u.value;")
        }
        Type::Pointer => format!("return ({ty})(__UINTPTR_TYPE__)v;"),
        _ => format!("return ({ty})v;"),
    };
    let _ = writeln!(
        out,
        "{ty} {name}() {{\n    static const unsigned long long values[] = {{ {}0 }};\n    static unsigned next;\n    \
         unsigned long long v = next < {} ? values[next++] : 0;\n    {convert}\n}}\n",
        list.iter().map(|value| format!("{value}, ")).collect::<String>(),
        list.len()
    );
}

/// The low 64 bits.
fn number(value: u128) -> String {
    format!("{}ull", value & u128::from(u64::MAX))
}

/// A type with the same representation; nothing if there is no result.
fn c_type(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Integer(1) => Some("_Bool"),
        Type::Integer(2..=8) => Some("unsigned char"),
        Type::Integer(9..=16) => Some("unsigned short"),
        Type::Integer(17..=32) => Some("unsigned int"),
        Type::Integer(_) => Some("unsigned long long"),
        Type::Pointer => Some("void *"),
        Type::Float => Some("float"),
        Type::Double => Some("double"),
        _ => None,
    }
}
