//! The library, as an outside program uses it.

use super::*;
use crate::ground::event::{Event, Silent};
use crate::ground::exit::Exit;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::ground::source::SourceFile;
use crate::ground::verdict::Overall;
use crate::ir::undefined::Fault;
use crate::llvm::read::program::Folder;
use std::path::PathBuf;

/// A file of C, as long as the folder is there.
fn file(text: &str) -> (Folder, PathBuf) {
    let folder = Folder::new().expect("there is room");
    let path = folder.0.join("test.c");
    std::fs::write(&path, text).expect("there is room");
    (folder, path)
}

const BROKEN: &str = "#include <assert.h>\nint main(void) { int x = 3; x = x - 3; assert(x); return 0; }\n";

#[test]
fn a_violated_assertion_has_a_run() {
    let (_folder, path) = file(BROKEN);
    let found = verify(&Input::file(path), &Options::default(), &mut Silent).expect("it is C");
    assert_eq!(found.overall(), Overall::Violated);
    let (property, violation) = found.violations().next().expect("a violation");
    assert_eq!(property.id, "main.assert.1");
    assert!(found.tell(violation).contains("line 2"), "{}", found.tell(violation));
}

#[test]
fn faults_count_if_they_are_asked_for() {
    let (_folder, path) = file("int main(void) { int a[2]; a[2] = 0; return 0; }");
    let quiet = verify(&Input::file(&path), &Options::default(), &mut Silent).expect("it is C");
    assert_eq!(quiet.overall(), Overall::Holds);
    let input = Input::file(&path).checking([Fault::Bounds]);
    let found = verify(&input, &Options::default(), &mut Silent).expect("it is C");
    assert_eq!(found.overall(), Overall::Violated);
}

#[test]
fn what_is_wrong_is_refused() {
    let refusal = verify(&Input::file("nowhere.c"), &Options::default(), &mut Silent).expect_err("not there");
    assert_eq!(refusal.exit(), Exit::Input);
    assert!(refusal.to_string().starts_with("cannot read `nowhere.c`"), "{refusal}");
    let (_folder, path) = file(BROKEN);
    let input = Input { properties: vec!["main.assert.9".to_owned()], ..Input::file(&path) };
    let refusal = verify(&input, &Options::default(), &mut Silent).expect_err("no such property");
    assert_eq!(refusal.exit(), Exit::Usage);
}

fn boolean(text: &str) -> BooleanInput {
    let source = SourceFile::new("test.bp", text);
    BooleanInput::Program { source, options: Default::default(), properties: Vec::new() }
}

/// Counts what it is told.
#[derive(Default)]
struct Counting {
    ready: usize,
    events: usize,
}

impl Observer for Counting {
    fn ready(&mut self) {
        self.ready += 1;
    }

    fn event(&mut self, _: Event) {
        self.events += 1;
    }
}

#[test]
fn boolean_programs_are_checked_under_limits() {
    let input = boolean("decl a := F; void main() begin a := !a; assert(!a); end");
    let mut counting = Counting::default();
    let found = check(&input, &CheckingOptions::default(), &mut counting).expect("it is well-formed");
    assert_eq!(found.overall(), Overall::Violated);
    assert!(counting.ready == 1 && counting.events > 0);
    let limited = CheckingOptions { limits: Limits::firing_at(1), ..CheckingOptions::default() };
    let found = check(&input, &limited, &mut Silent).expect("it is well-formed");
    assert_eq!(found.overall(), Overall::Unknown(Stop::Timeout.into()));
    let refusal = check(&boolean("void main() begin a := T; end"), &limited, &mut Silent).expect_err("no a");
    assert!(refusal.to_string().starts_with("test.bp:1: "), "{refusal}");
}

#[test]
fn nets_need_a_target() {
    let source = SourceFile::new("test.tts", "1 2\n0 0 -> 0 1");
    let net = |targets| BooleanInput::Net {
        source: source.clone(),
        format: NetFormat::Tts,
        initial: Some("0|0".to_owned()),
        targets,
    };
    let refusal = check(&net(None), &CheckingOptions::default(), &mut Silent).expect_err("no target");
    assert_eq!(refusal.exit(), Exit::Usage);
    let two = Some(SourceFile::new("test.prop", "0|1,1"));
    let found = check(&net(two), &CheckingOptions::default(), &mut Silent).expect("it is well-formed");
    assert_eq!(found.overall(), Overall::Holds);
}
