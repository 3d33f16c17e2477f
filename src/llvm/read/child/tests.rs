//! The child under test is this very test binary: it runs one of these tests, and serves there.

use super::*;
use crate::llvm::read::clang::compile;
use crate::llvm::read::program::read_here;
use std::path::Path;

/// Is set in the child.
const SERVES: &str = "BOOLERO_TEST_SERVES";

fn read_with(path: &Path, limits: &ReadLimits) -> Result<Module, ReadError> {
    let program = std::env::current_exe().unwrap();
    let serves = format!("{SERVES}=1");
    let test = "llvm::read::child::tests::good_input_is_read_as_in_this_process";
    let arguments = [serves.as_str(), program.to_str().unwrap(), "--exact", test, "--nocapture"];
    read_by("env".as_ref(), &arguments, &[path.to_path_buf()], &ReadOptions::default(), limits)
}

fn read(path: &Path) -> Result<Module, ReadError> {
    read_with(path, &ReadLimits { time: Duration::from_secs(60), ..ReadLimits::default() })
}

fn message(path: &Path) -> String {
    match read(path) {
        Err(ReadError::Input(text)) => text,
        other => panic!("{}: {other:?}", path.display()),
    }
}

fn bitcode(folder: &Path) -> Vec<u8> {
    let (source, to) = (folder.join("good.c"), folder.join("good.bc"));
    std::fs::write(&source, "int x = 3;\nint main(void) { return x ? x : 4; }\n").unwrap();
    compile(&source, &to, &ReadOptions::default().compile).unwrap();
    std::fs::read(to).unwrap()
}

#[test]
fn good_input_is_read_as_in_this_process() {
    if std::env::var_os(SERVES).is_some() {
        std::process::exit(serve());
    }
    let folder = Folder::new().unwrap();
    bitcode(&folder.0);
    let path = folder.0.join("good.bc");
    let here = read_here(std::slice::from_ref(&path), &ReadOptions::default()).unwrap();
    assert_eq!(read(&path).unwrap(), here);
}

#[test]
fn errors_of_clang_come_through() {
    let folder = Folder::new().unwrap();
    let path = folder.0.join("bad.c");
    std::fs::write(&path, "int main(void) { return y; }\n").unwrap();
    match read(&path) {
        Err(ReadError::Clang(text)) => assert!(text.contains("undeclared identifier 'y'"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn broken_bitcode_is_an_error_that_names_the_file() {
    let folder = Folder::new().unwrap();
    let good = bitcode(&folder.0);
    let path = folder.0.join("broken.bc");
    for length in [0, 3, 4, good.len() / 3, good.len() / 2] {
        std::fs::write(&path, &good[..length]).unwrap();
        assert!(message(&path).contains("broken.bc"), "first {length} bytes");
    }
    std::fs::write(&path, "int main(void) { return 0; }\n").unwrap();
    assert!(message(&path).contains("broken.bc"));
    std::fs::write(&path, [0xff; 4096]).unwrap();
    assert!(message(&path).contains("broken.bc"));
}

#[test]
fn flipped_bits_never_end_this_process() {
    let folder = Folder::new().unwrap();
    let good = bitcode(&folder.0);
    let path = folder.0.join("flipped.bc");
    for number in 0..24 {
        let mut bytes = good.clone();
        let at = (number * 7919 + 13) % bytes.len();
        bytes[at] ^= 1 << (number % 8);
        std::fs::write(&path, &bytes).unwrap();
        // It may still be a program, perhaps another one; then it is a well-formed one.
        match read(&path) {
            Ok(module) => crate::ir::check::check(&module).unwrap(),
            Err(error) => assert!(error.to_string().contains("flipped.bc"), "{error}"),
        }
    }
}

#[test]
fn limits_hold() {
    let folder = Folder::new().unwrap();
    bitcode(&folder.0);
    let path = folder.0.join("good.bc");
    let narrow = ReadLimits { memory: 1 << 20, time: Duration::from_secs(60) };
    assert!(matches!(read_with(&path, &narrow), Err(ReadError::Input(_))));
    let hasty = ReadLimits { memory: 4 << 30, time: Duration::ZERO };
    match read_with(&path, &hasty) {
        Err(ReadError::Input(text)) => assert!(text.contains("took more than"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn nonsense_is_no_answer() {
    assert!(answer(b"running 1 test").is_none());
    let mut cut = MARK.to_vec();
    cut.extend(1_000_000u64.to_le_bytes());
    assert!(answer(&cut).is_none());
    cut.truncate(MARK.len());
    cut.extend(u64::MAX.to_le_bytes());
    assert!(answer(&cut).is_none());
}

#[test]
fn a_command_that_is_missing_is_an_error() {
    let inputs = [PathBuf::from("a.c")];
    let limits = ReadLimits::default();
    let result = read_by("/no/such/program".as_ref(), &[], &inputs, &ReadOptions::default(), &limits);
    assert!(matches!(result, Err(ReadError::Input(text)) if text.contains("a.c")));
}
