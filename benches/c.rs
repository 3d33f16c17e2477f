//! C: the machine against LLVM's interpreter on the same loops, and how reading and lowering grow with the program.
//!
//! Prints one line per loop: seconds of `lli-19 --force-interpreter` and of the machine, and how many times longer the
//! first takes (start-up of `lli-19` is measured on an empty program and subtracted). Then one line per size of a
//! program of many functions: what reading and lowering take, and how much more than at half the size. What is
//! watched are the ratios. Without `lli-19` (`./setup test`) the first part is left out.

use boolero::ground::limits::Limits;
use boolero::ir::Module;
use boolero::llvm::read::clang::{CompileOptions, DataModel, compile};
use boolero::llvm::read::program::{Folder, Library, ReadOptions, read_here};
use boolero::lower::{Settings, lower};
use boolero::vm::{Machine, Settings as MachineSettings, Zeros};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const LOOPS: [(&str, &str); 4] = [
    (
        "arithmetic",
        "int main(void) { unsigned x = 1, i; for (i = 0; i < 3000000; i++) x = x * 1664525u + (x >> 3) + i; return x & 1; }",
    ),
    (
        "array",
        "int a[1000]; int main(void) { int i, j, s = 0; for (j = 0; j < 2000; j++) for (i = 0; i < 1000; i++) { a[i] += i ^ j; s += a[i]; } return s & 1; }",
    ),
    (
        "calls",
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int main(void) { return fib(25) & 1; }",
    ),
    (
        "list",
        "struct node { int value; struct node *next; } nodes[1000]; int main(void) { int i, k, s = 0; for (i = 0; i < 999; i++) { nodes[i].value = i; nodes[i].next = &nodes[i + 1]; } for (k = 0; k < 500; k++) { struct node *n; for (n = nodes; n; n = n->next) s += n->value; } return s & 1; }",
    ),
];

const SIZES: [usize; 5] = [50, 100, 200, 400, 800];

fn main() {
    let folder = Folder::new().expect("a folder for temporary files");
    println!("the machine against lli-19 --force-interpreter");
    match interpreter(&folder.0, "int main(void) { return 0; }") {
        Some(start) => LOOPS.iter().for_each(|(name, text)| compare(&folder.0, name, text, start)),
        None => println!("  lli-19 is not there: ./setup test"),
    }
    println!("reading and lowering");
    let mut before: Option<(f64, f64)> = None;
    for size in SIZES {
        let (reading, lowering) = grow(&folder.0, size);
        let ratio =
            before.map_or(String::new(), |(r, l)| format!("  x {:.2}  x {:.2}", reading / r, lowering / l));
        println!("  {size:4} functions  {:8.1} ms  {:8.1} ms{ratio}", reading * 1e3, lowering * 1e3);
        before = Some((reading, lowering));
    }
}

fn options() -> ReadOptions {
    let compile = CompileOptions { data_model: DataModel::Lp64, ..CompileOptions::default() };
    ReadOptions { compile, library: Library::Declared }
}

fn module(folder: &Path, text: &str) -> Module {
    let path = folder.join("bench.c");
    std::fs::write(&path, text).expect("the folder can be written");
    read_here(&[path], &options()).expect("well-formed")
}

/// Seconds that LLVM's interpreter takes.
fn interpreter(folder: &Path, text: &str) -> Option<f64> {
    let (source, bitcode) = (folder.join("loop.c"), folder.join("loop.bc"));
    std::fs::write(&source, text).ok()?;
    compile(&source, &bitcode, &options().compile).ok()?;
    let start = Instant::now();
    let status = Command::new("lli-19").arg("--force-interpreter").arg(&bitcode).status().ok()?;
    status.code().map(|_| start.elapsed().as_secs_f64())
}

fn compare(folder: &Path, name: &str, text: &str, start: f64) {
    let theirs = interpreter(folder, text).map_or(f64::NAN, |seconds| (seconds - start).max(1e-6));
    let module = module(folder, text);
    let mut machine = Machine::new(&module, MachineSettings::default());
    let clock = Instant::now();
    let outcome = machine.run(&mut Zeros, &Limits::none());
    let ours = clock.elapsed().as_secs_f64();
    println!(
        "  {name:10}  lli {theirs:6.2} s  machine {ours:6.2} s  x {:.1}  ({})",
        theirs / ours,
        outcome.end.name()
    );
}

/// Seconds of reading, clang not counted, and of lowering.
fn grow(folder: &Path, size: usize) -> (f64, f64) {
    let function = |number: usize| {
        format!(
            "struct s{number} {{ int a; int b[4]; }} g{number};\n\
             int f{number}(int n) {{ int i, s = 0; for (i = 0; i < n; i++) {{ g{number}.b[i & 3] += i; if (g{number}.a > s) s += n; else s ^= i; }} return s; }}\n"
        )
    };
    let calls: String = (0..size).map(|number| format!("  s += f{number}(s);\n")).collect();
    let bodies: String = (0..size).map(function).collect();
    let text = format!("{bodies}int main(void) {{ int s = 1;\n{calls}  return s; }}\n");
    let (source, bitcode) = (folder.join("grow.c"), folder.join("grow.bc"));
    std::fs::write(&source, text).expect("the folder can be written");
    compile(&source, &bitcode, &options().compile).expect("well-formed");
    let clock = Instant::now();
    let module = read_here(&[bitcode], &options()).expect("well-formed");
    let reading = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let program = lower(&module, &Settings::default()).expect("there is a main");
    std::hint::black_box(program);
    (reading, clock.elapsed().as_secs_f64())
}
