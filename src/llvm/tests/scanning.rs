//! `sscanf` of the machine against that of the C library.

use super::left_out;
use super::native::{self, Native};
use super::runs::{Inputs, Verdict, machine, read};
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::vm;
use std::fmt::Write as _;

/// Texts. None has a sign or a prefix without a digit, or a number that is too large: C leaves these open.
const TEXTS: [&str; 12] =
    ["", " ", "12", "-7 8", "12ab", "0x1f", "017", "  42,43", "9%3", "a", "255 -1", "a5 a6"];

/// Formats, and what they store.
const FORMATS: [(&str, &str); 14] = [
    ("%d", "&x"),
    ("%d %d", "&x, &y"),
    ("%d%d", "&x, &y"),
    ("%d,%d", "&x, &y"),
    ("%x", "&x"),
    ("%i %i", "&x, &y"),
    ("%o", "&x"),
    ("%2d%d", "&x, &y"),
    ("%*d %d", "&x"),
    ("%d%%%d", "&x, &y"),
    ("a%d", "&x"),
    (" %d ", "&x"),
    ("%3u%u", "&x, &y"),
    ("%*c%x", "&x"),
];

/// A program that reads every text by every format, and does something after each.
fn program(each: impl Fn(usize) -> String) -> String {
    let mut out = "#include <stdio.h>\n#include <assert.h>\nint main(void) {\n    int n, x, y;\n".to_owned();
    let pairs = TEXTS.iter().flat_map(|text| FORMATS.iter().map(move |format| (text, format)));
    for (number, (text, (format, targets))) in pairs.enumerate() {
        let after = each(number);
        if !after.is_empty() {
            let _ = writeln!(out, "    x = y = 1000; n = sscanf(\"{text}\", \"{format}\", {targets});");
            let _ = writeln!(out, "    {after}");
        }
    }
    out + "    return 0;\n}\n"
}

#[test]
fn sscanf_reads_what_the_library_reads() {
    let source = program(|_| "printf(\"%d %d %d\\n\", n, x, y);".to_owned());
    let Native::Ran(output) = native::run(&source, DataModel::Lp64, &[], &[]) else {
        return left_out("a C library");
    };
    let lines: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), TEXTS.len() * FORMATS.len());
    let source = program(|number| {
        let values: Vec<&str> = lines[number].split(' ').collect();
        // What is returned at the end of the text after a conversion that stores nothing is told in several ways.
        if values[0] == "-1" && FORMATS[number % FORMATS.len()].0.contains('*') {
            return String::new();
        }
        format!("assert(n == {} && x == {} && y == {});", values[0], values[1], values[2])
    });
    let module = read(&source, DataModel::Lp64, Library::Models, &[]);
    let verdict = machine(&module, vm::Settings::default(), &Inputs::default());
    assert_eq!(
        verdict,
        Verdict::Done,
        "{}",
        source.lines().enumerate().map(|(n, l)| format!("{}: {l}\n", n + 1)).collect::<String>()
    );
}
