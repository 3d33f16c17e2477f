//! Small pieces of C, compiled and read: what must be found in the text of the [`ir`](crate::ir).

use super::clang::{CompileOptions, DataModel, compile, find};
use super::link::{Named, link};
use super::program::{Folder, Library, ReadOptions, read_here};
use super::{ReadError, bitcode, debug, layout, shapes};
use crate::ir::Module;
use std::path::PathBuf;

mod corpus;
mod linking;
mod oracle;
mod scopes;

/// Writes files into a folder of their own.
fn written(folder: &Folder, files: &[(&str, &str)]) -> Vec<PathBuf> {
    let write = |&(name, text): &(&str, &str)| {
        let path = folder.0.join(name);
        std::fs::write(&path, text).expect("a temporary file can be written");
        path
    };
    files.iter().map(write).collect()
}

fn options(data_model: DataModel, library: Library) -> ReadOptions {
    ReadOptions { compile: CompileOptions { data_model, ..CompileOptions::default() }, library }
}

fn read_files(files: &[(&str, &str)], options: &ReadOptions) -> Result<Module, ReadError> {
    let folder = Folder::new()?;
    let module = read_here(&written(&folder, files), options)?;
    crate::ir::check::check(&module).expect("what is read is well-formed");
    Ok(module)
}

/// The text of a program for 32 bits.
fn text(c: &str) -> String {
    read_files(&[("t.c", c)], &options(DataModel::Ilp32, Library::Declared)).expect(c).to_string()
}

/// The text of a program for 64 bits.
fn text64(c: &str) -> String {
    read_files(&[("t.c", c)], &options(DataModel::Lp64, Library::Declared)).expect(c).to_string()
}

/// The text of a program in LLVM's language.
fn text_of_llvm(ll: &str) -> String {
    let layout = "target datalayout = \"e-m:e-p:32:32-i128:128-f64:32:64-f80:32-n8:16:32-S128\"\n";
    let ll = format!("{layout}{ll}");
    read_files(&[("t.ll", &ll)], &options(DataModel::Ilp32, Library::Declared)).expect(&ll).to_string()
}

/// Asserts that a text contains all of these.
#[track_caller]
fn has(text: &str, all: &[&str]) {
    for wanted in all {
        assert!(text.contains(wanted), "no {wanted:?} in\n{text}");
    }
}

#[test]
fn messages_are_text_and_name_their_file_once() {
    assert_eq!(super::plain("a.bc: error: Malformed block\n", "a.bc"), "Malformed block");
    assert_eq!(super::plain("a.ll:3:1: error: no", "a.ll"), "3:1: error: no");
    assert_eq!(super::plain("x\u{1}\u{fffd}y\tz", "a.ll"), "x??y?z");
    let long = "w".repeat(1_000);
    assert_eq!(super::plain(&long, "a.ll").chars().count(), super::LONGEST + 1);
}
