//! Witnesses: what `--witness` writes is confirmed by `--check-witness`, and no longer once something in it is changed.

use super::command::{Finished, run};
use super::report::scratch;
use libtest_mimic::{Failed, Trial};
use std::path::PathBuf;

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("witness: of a violation", violation),
        Trial::test("witness: of a proof", proof),
        Trial::test("witness: of a violation with threads", threads),
        Trial::test("witness: of nothing", nothing),
        Trial::test("witness: what is none is refused", refused),
    ]
}

const VIOLATED: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
    int main(void) {\n    int x = __VERIFIER_nondet_int();\n    unsigned y = __VERIFIER_nondet_uint();\n    if (x == -77 && y == 4000000000u)\n        reach_error();\n    return 0;\n}\n";

const PROVEN: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n    int i = 0;\n    while (i < 10) {\n        if (__VERIFIER_nondet_int())\n            i++;\n    }\n    if (i != 10)\n        reach_error();\n    return 0;\n}\n";

/// A program and its witness.
struct Witnessed {
    program: PathBuf,
    witness: PathBuf,
    text: String,
}

impl Witnessed {
    fn of(program: &str) -> Result<Self, Failed> {
        let (path, witness) = (scratch("program.c")?, scratch("witness.yml")?);
        std::fs::write(&path, program)?;
        let finished = run(&format!("verify {} --hunt 0 --witness {}", path.display(), witness.display()))?;
        let text =
            std::fs::read_to_string(&witness).map_err(|error| format!("{error}\n{}", finished.all()))?;
        Ok(Self { program: path, witness, text })
    }

    fn judged(&self, witness: &str) -> Result<Finished, Failed> {
        std::fs::write(&self.witness, witness)?;
        Ok(run(&format!("verify {} --check-witness {}", self.program.display(), self.witness.display()))?)
    }

    /// The witness is confirmed.
    fn confirmed(&self, code: i32) -> Result<(), Failed> {
        let finished = self.judged(&self.text)?;
        match finished.code == Some(code) && finished.stdout.starts_with("the witness is confirmed") {
            true => Ok(()),
            false => Err(format!("{}\n{}", self.text, finished.all()).into()),
        }
    }

    /// With this in the place of that it is not.
    fn refused(&self, old: &str, new: &str) -> Result<(), Failed> {
        let changed = self.text.replacen(old, new, 1);
        if changed == self.text {
            return Err(format!("`{old}` is not in\n{}", self.text).into());
        }
        let finished = self.judged(&changed)?;
        match finished.code == Some(5) && finished.last_line().contains("not confirmed") {
            true => Ok(()),
            false => Err(format!("{changed}\n{}", finished.all()).into()),
        }
    }
}

impl Drop for Witnessed {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.program);
        let _ = std::fs::remove_file(&self.witness);
    }
}

fn violation() -> Result<(), Failed> {
    let it = Witnessed::of(VIOLATED)?;
    it.confirmed(10)?;
    it.refused("\\\\result == -77", "\\\\result == 77")?;
    it.refused("\\\\result == 4000000000", "\\\\result == 5")?;
    it.refused("line: 8", "line: 7")?;
    it.refused("line: 6", "line: 5")?;
    it.refused("type: function_return", "type: assumption")?;
    let hash = it.text.lines().find(|line| line.contains("program.c\": ")).ok_or("there is a hash")?;
    let (name, digits) = hash.rsplit_once(' ').ok_or("a hash has a name")?;
    it.refused(hash, &format!("{name} {}", digits.replace(|c: char| c.is_ascii_digit(), "a")))
}

fn proof() -> Result<(), Failed> {
    let it = Witnessed::of(PROVEN)?;
    if !it.text.contains("type: loop_invariant") || !it.text.contains("line: 5\n") {
        return Err(format!("no invariant of the loop\n{}", it.text).into());
    }
    it.confirmed(0)?;
    let value = it.text.lines().find(|line| line.trim().starts_with("value: ")).ok_or("there is a value")?;
    it.refused(value, "      value: \"i < 10\"")?;
    // A name that is not in scope is no witness: the compiler refuses the program.
    let unknown = it.judged(&it.text.replace(value, "      value: \"j < 10\""))?;
    if unknown.code != Some(2) {
        return Err(unknown.all().into());
    }
    it.refused("line: 5\n", "line: 4\n")
}

/// GraphML: a path of edges, each of a thread, and every thread is started before it moves.
fn threads() -> Result<(), Failed> {
    let witness = scratch("witness.graphml")?;
    let finished = run(&format!("verify examples/c-workers/broken.c --witness {}", witness.display()))?;
    let text = std::fs::read_to_string(&witness).map_err(|error| format!("{error}\n{}", finished.all()))?;
    std::fs::remove_file(witness)?;
    let (nodes, edges) = (text.matches("<node ").count(), text.matches("<edge ").count());
    let violations = text.matches("<data key=\"violation\">true</data>").count();
    if nodes != edges + 1 || edges < 3 || violations != 1 {
        return Err(format!("{nodes} nodes, {edges} edges, {violations} violations\n{text}").into());
    }
    let mut known = std::collections::BTreeSet::from(["0"]);
    for edge in text.split("<edge ").skip(1) {
        let data = |key: &str| edge.split_once(&format!("<data key=\"{key}\">"))?.1.split('<').next();
        let thread = data("threadId").ok_or("an edge has a thread")?;
        if !known.contains(thread) {
            return Err(format!("thread {thread} moves before it is started\n{text}").into());
        }
        known.extend(data("createThread"));
    }
    Ok(())
}

fn nothing() -> Result<(), Failed> {
    let witness = scratch("witness.yml")?;
    let finished =
        run(&format!("verify examples/c-workers/safe.c --hunt 0 --witness {}", witness.display()))?;
    match finished.code == Some(0) && finished.stderr.contains("no witness is written") && !witness.exists() {
        true => Ok(()),
        false => Err(finished.all().into()),
    }
}

fn refused() -> Result<(), Failed> {
    let witness = scratch("witness.yml")?;
    for text in ["", "x: 1", "- entry_type: 3", "[", "- 1"] {
        std::fs::write(&witness, text)?;
        let finished = run(&format!("verify examples/c-lock/lock.c --check-witness {}", witness.display()))?;
        let told = finished.stderr.starts_with("error: ") || finished.last_line().contains("not confirmed");
        if !told || !matches!(finished.code, Some(2 | 5)) {
            return Err(format!("{text}\n{}", finished.all()).into());
        }
    }
    Ok(std::fs::remove_file(witness)?)
}
