//! clang: from C to bitcode.
//!
//! Nothing may be optimised and nothing may be lost: `-O0` without `optnone`, names of values kept, full debug
//! information, warnings silent. Old C must compile (output of CIL, K&R style, kernel code): GNU C11 with GNU's rules for
//! `inline`, and what clang 19 made errors by default are warnings again, silent ones.
//!
//! With GNU's old rules a plain `inline` function is emitted, and an `extern inline` one is not: its body is a hint for
//! the optimiser, and the function is defined elsewhere. It stays a declaration.
//!
//! `-fno-builtin`: calls of `malloc`, `printf` or `memcpy` stay calls, for the models and the machine to give them their
//! meaning; otherwise clang would fold `strlen("abc")`, turn `memcpy` into an intrinsic, and complain about redeclared
//! library functions. `__builtin_…` keep their meaning. `-fno-stack-protector` and the like are not needed: those are
//! passes. `-fwrapv` is not given: `nsw` marks what is undefined. `-ffp-contract=off`: no fused operations, and nothing of
//! `-ffast-math`.
//!
//! `shl` does not say whether C shifts a signed integer. If somebody asks for overflows, `-fsanitize=shift-base` guards
//! signed left shifts, and [`shifts`](super::shifts) folds each guard into a mark on its shift. The guards are small without
//! a runtime (`-fsanitize-minimal-runtime`), and only there if they are needed.

use super::ReadError;
use super::source::asynchronous::{self, Probes, Told, started};
use super::source::{cprover, mend};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The widths of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    #[default]
    Ilp32,
    /// `long` and pointers have 64 bits.
    Lp64,
}

/// What clang is told besides the file.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct CompileOptions {
    /// The widths of C's types.
    pub data_model: DataModel,
    /// `-I`.
    pub include: Vec<PathBuf>,
    /// `-D`.
    pub define: Vec<String>,
    /// `-std=`; GNU C11 if nothing is said.
    pub standard: Option<String>,
    /// Further flags of clang.
    pub flags: Vec<String>,
    /// Further flags of single files, which a compilation database has.
    pub flags_of: BTreeMap<PathBuf, Vec<String>>,
    /// Whether it matters which left shifts are of signed integers.
    pub signed_shifts: bool,
}

/// What makes old code compile as it was meant.
const LENIENT: [&str; 12] = [
    "-w",
    "-Wno-everything",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
    "-Wno-error=main-return-type",
    "-fgnu89-inline",
    "-ferror-limit=20",
];

/// What keeps the program as it is written.
const FAITHFUL: [&str; 9] = [
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-fno-discard-value-names",
    "-fno-builtin",
    "-fno-pic",
    "-g",
    "-c",
    "-emit-llvm",
];

/// What keeps floating-point arithmetic exact, whatever other flags say.
const EXACT: [&str; 2] = ["-fno-fast-math", "-ffp-contract=off"];

/// How often a file is changed and read again.
const ROUNDS: usize = 20;

/// What guards left shifts of signed integers.
const GUARDED: [&str; 2] = ["-fsanitize=shift-base", "-fsanitize-minimal-runtime"];

/// Compiles a `.c` or `.i` file to bitcode.
///
/// # Errors
/// clang's own words, or that there is no clang.
pub fn compile(source: &Path, bitcode: &Path, options: &CompileOptions) -> Result<(), ReadError> {
    let text = std::fs::read_to_string(source).ok();
    if text.as_ref().is_some_and(|text| text.contains(asynchronous::LABEL)) {
        return compile_threads(source, bitcode, options);
    }
    let refused = match compile_file(source, source, bitcode, options, &[]) {
        Err(ReadError::Clang(said)) => said,
        other => return other,
    };
    let Some(text) = text else { return Err(ReadError::Clang(refused)) };
    if let Some(result) = mended(source, &text, refused.clone(), bitcode, options) {
        return result;
    }
    Err(match cprover::refused(&text) {
        Some(problem) => {
            ReadError::Input(format!("{}: {problem}. clang says:\n{}", source.display(), refused.trim_end()))
        }
        None => ReadError::Clang(with_hint(refused, options)),
    })
}

/// Changes a text until clang takes it; nothing if it does not.
fn mended(
    source: &Path,
    text: &str,
    mut said: String,
    bitcode: &Path,
    options: &CompileOptions,
) -> Option<Result<(), ReadError>> {
    let mut text = text.to_owned();
    // clang tells only some of its errors at once.
    for _ in 0..ROUNDS {
        text = mend::mended(&text, &said)?;
        match compile_text(source, &text, bitcode, options) {
            Err(ReadError::Clang(other)) => said = other,
            other => return Some(other),
        }
    }
    None
}

/// Compiles a file with labels that start threads.
fn compile_threads(source: &Path, bitcode: &Path, options: &CompileOptions) -> Result<(), ReadError> {
    let Some(text) = preprocess(source, options) else {
        return compile_file(source, source, bitcode, options, &[]);
    };
    let mut told = Told::default();
    loop {
        let changed = |probes| started(&text, &told, probes).map_err(ReadError::Input);
        match compile_text(source, &changed(Probes::Set)?, bitcode, options) {
            Ok(()) => return compile_text(source, &changed(Probes::None)?, bitcode, options),
            Err(ReadError::Clang(said)) if told.learn(&said) => {}
            Err(ReadError::Clang(said)) => {
                let name = source.display();
                return Err(ReadError::Input(format!(
                    "{name}: a statement after `{}…:` is not understood as a thread; start it with pthread_create. clang says:\n{}",
                    asynchronous::LABEL,
                    said.trim_end()
                )));
            }
            Err(other) => return Err(other),
        }
    }
}

/// What clang says where the widths of types are wrong.
const WIDTHS: [&str; 6] = [
    "static assertion failed",
    "static_assert",
    "typedef redefinition with different types ('unsigned",
    "__int128 is not supported",
    "does not match variable size",
    "gnu/stubs-32.h",
];

/// What clang says, with a hint where the widths of types may be wrong.
fn with_hint(said: String, options: &CompileOptions) -> String {
    let negative = said.contains("array with a negative size") || said.contains("array size is negative");
    if !negative && !WIDTHS.iter().any(|sign| said.contains(sign)) {
        return said;
    }
    let (now, other) = match options.data_model {
        DataModel::Ilp32 => ("32", "--64"),
        DataModel::Lp64 => ("64", "--32"),
    };
    format!(
        "{}\nnote: `long` and pointers have {now} bits here; if the program was made for others, `{other}` says so\n",
        said.trim_end()
    )
}

/// Compiles a text, which may be another one than the source's own.
fn compile_file(
    source: &Path,
    text: &Path,
    bitcode: &Path,
    options: &CompileOptions,
    more: &[&OsStr],
) -> Result<(), ReadError> {
    let clang = find()?;
    let mut command = Command::new(&clang);
    command.args(arguments(options, source)).args(more).arg("-o").arg(bitcode).arg(named(text));
    finished(&clang, &mut command)
}

/// Compiles another text in place of a file's: all places are told as of that file.
fn compile_text(
    source: &Path,
    text: &str,
    bitcode: &Path,
    options: &CompileOptions,
) -> Result<(), ReadError> {
    let extension = source.extension().unwrap_or(OsStr::new("c"));
    let changed = bitcode.with_extension(extension);
    let name = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let failed = |error: std::io::Error| ReadError::Environment(format!("{}: {error}", changed.display()));
    std::fs::write(&changed, format!("# 1 \"{name}\"\n{text}")).map_err(failed)?;
    let folder = source.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    compile_file(source, &changed, bitcode, options, &[OsStr::new("-iquote"), folder.as_os_str()])
}

/// The text of a source behind the preprocessor; nothing if it is no source, or clang refuses it.
#[must_use]
pub fn preprocess(source: &Path, options: &CompileOptions) -> Option<String> {
    if !matches!(super::program::input_kind(source), Ok(super::program::InputKind::Source)) {
        return None;
    }
    let mut command = Command::new(find().ok()?);
    command.arg("-E").args(LENIENT).args(language(options, &[source.to_path_buf()])).arg(named(source));
    let output = command.stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Compiles and links a program that the processor runs, with clang's sanitizers if they are wanted.
///
/// # Errors
/// clang's own words, or that there is no clang.
pub fn link(
    sources: &[PathBuf],
    program: &Path,
    options: &CompileOptions,
    sanitizers: bool,
) -> Result<(), ReadError> {
    let clang = find()?;
    let mut command = Command::new(&clang);
    command.args(["-O0", "-g"]).args(LENIENT).args(language(options, sources));
    if sanitizers {
        command.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    command.arg("-o").arg(program).args(sources.iter().map(|source| named(source))).args(["-pthread", "-lm"]);
    finished(&clang, &mut command)
}

fn finished(clang: &Path, command: &mut Command) -> Result<(), ReadError> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| ReadError::Environment(format!("{}: {error}", clang.display())))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = if said.trim().is_empty() { format!("clang: {}", output.status) } else { said };
    Err(ReadError::Clang(text))
}

/// A file name that clang does not take for an option.
fn named(source: &Path) -> PathBuf {
    if source.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(source)
    } else {
        source.to_path_buf()
    }
}

fn arguments(options: &CompileOptions, source: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = FAITHFUL.iter().chain(&LENIENT).map(OsString::from).collect();
    all.extend(language(options, &[source.to_path_buf()]));
    all.extend(EXACT.iter().map(OsString::from));
    if options.signed_shifts {
        all.extend(GUARDED.iter().map(OsString::from));
    }
    all
}

/// What the program is to be taken for, with the flags of these files.
fn language(options: &CompileOptions, sources: &[PathBuf]) -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::new();
    // The triple is named, so that the host does not matter.
    all.push(match options.data_model {
        DataModel::Ilp32 => "--target=i386-pc-linux-gnu".into(),
        DataModel::Lp64 => "--target=x86_64-pc-linux-gnu".into(),
    });
    all.extend(cprover::macros().map(OsString::from));
    all.push(format!("-std={}", options.standard.as_deref().unwrap_or("gnu11")).into());
    for folder in &options.include {
        all.push("-I".into());
        all.push(folder.into());
    }
    all.extend(options.define.iter().map(|define| OsString::from(format!("-D{define}"))));
    let own = sources.iter().filter_map(|source| options.flags_of.get(source)).flatten();
    all.extend(own.chain(&options.flags).map(OsString::from));
    all
}

/// The clang to use: `BOOLERO_CLANG`, or `clang-19`, or a `clang` of version 19.
///
/// # Errors
/// There is none; what helps is in the text.
pub fn find() -> Result<PathBuf, ReadError> {
    if let Some(chosen) = std::env::var_os("BOOLERO_CLANG").filter(|name| !name.is_empty()) {
        return Ok(PathBuf::from(chosen));
    }
    // Asking each time would cost as much as compiling.
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(search).clone().ok_or_else(|| {
        ReadError::Environment("no clang 19 found: run ./setup, or let BOOLERO_CLANG name it".to_owned())
    })
}

fn search() -> Option<PathBuf> {
    let right = |version: String| version.split('.').next() == Some("19");
    let found = ["clang-19", "clang"].into_iter().find(|name| version(Path::new(name)).is_some_and(right));
    found.map(PathBuf::from)
}

/// The version that a clang says it has.
#[must_use]
pub fn version(clang: &Path) -> Option<String> {
    let output = Command::new(clang).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let rest = text.split("clang version ").nth(1)?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}
