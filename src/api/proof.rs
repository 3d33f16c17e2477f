//! A proof as a folder of files, for tools that are not ours.
//!
//! For each formula without a solution that the verdict rests on: the formula (`.cnf`, in the format of DIMACS), a proof that
//! it has none (`.drat`), and what its variables stand for (`.map`). `README.txt` comes last and says what the files
//! are, how to check them, and what they do not cover. A folder without it is not complete; one that could not be
//! completed is removed.

use crate::boolean::cfg::Program;
use crate::checker::proof::{Proof, Unproved, held, prove, take_back};
use crate::checker::{Options, Outcome};
use crate::engine::auto::Reductions;
use crate::engine::bounded::{Lemma, Name};
use crate::ground::limits::Limits;
use crate::ground::reason::{Defect, Stop};
use crate::ground::run::Run;
use crate::ground::source::SourceFile;
use crate::sat::{self, Failure, Refutation};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// A proof that is to be written.
pub struct Request<'a> {
    /// Where to.
    pub folder: &'a Path,
    /// The text of the program.
    pub source: &'a SourceFile,
    /// The program.
    pub program: &'a Program,
    /// How it was checked.
    pub options: &'a Options,
}

/// Makes the folder, which must be new or empty.
///
/// # Errors
/// It cannot be made, or there is something in it.
pub fn reserve(folder: &Path) -> Result<(), String> {
    let shown = folder.display();
    fs::create_dir_all(folder).map_err(|error| format!("cannot make the folder `{shown}`: {error}"))?;
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(false) => Ok(()),
        Ok(true) => Err(format!("`{shown}` is not empty; a proof needs a new folder")),
        Err(error) => Err(format!("cannot read the folder `{shown}`: {error}")),
    }
}

/// Removes a folder that nothing was written to. If it cannot be removed, it stays.
pub fn withdraw(folder: &Path) {
    let _ = fs::remove_dir(folder);
}

/// Writes the proof of everything that holds.
pub fn write(request: &Request<'_>, outcome: &mut Outcome, run: Run<'_>) -> Proof {
    let mut writer =
        Writer { request, limits: run.limits, rows: Vec::new(), files: Vec::new(), problem: None };
    let proved = prove(request.program, request.options, outcome, run, &mut |lemma| writer.lemma(&lemma));
    let problem = match (writer.problem.take(), proved) {
        (None, Ok(())) => writer.finish(outcome).err().map(Problem::Write),
        (Some(problem), _) => Some(problem),
        (None, Err(unproved)) => Some(Problem::Unproved(unproved)),
    };
    let Some(problem) = problem else { return writer.written() };
    writer.files.iter().for_each(|path| drop(fs::remove_file(path)));
    withdraw(request.folder);
    if let Problem::Unproved(Unproved::Defect(defect)) = &problem {
        take_back(outcome, defect);
    }
    Proof::None(problem.to_string())
}

/// Why there is no proof.
enum Problem {
    Write(io::Error),
    Unproved(Unproved),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Write(error) => write!(f, "it cannot be written: {error}"),
            Self::Unproved(Unproved::NothingHolds) => f.write_str("there is no property that holds"),
            Self::Unproved(Unproved::Engine(engine)) => {
                write!(f, "the engine {engine} decided, which writes none; `--engine bounded` does")
            }
            Self::Unproved(Unproved::Unknown(reason)) => reason.fmt(f),
            Self::Unproved(Unproved::Defect(defect)) => defect.fmt(f),
        }
    }
}

/// A formula of the proof, for the table.
struct Row {
    name: String,
    variables: usize,
    clauses: usize,
    bytes: u64,
    shows: String,
}

/// A proof in the making.
struct Writer<'a> {
    request: &'a Request<'a>,
    limits: &'a Limits,
    rows: Vec<Row>,
    files: Vec<PathBuf>,
    problem: Option<Problem>,
}

impl Writer<'_> {
    /// Writes the files of a lemma. A problem is kept here, and stops the rest.
    fn lemma(&mut self, lemma: &Lemma) -> Result<(), Stop> {
        let problem = match self.files_of(lemma) {
            Ok(Refutation::Proved { bytes }) => {
                let (name, shows) = (lemma.name.clone(), self.told(&lemma.shows));
                let (variables, clauses) = (lemma.formula.variables(), lemma.formula.len());
                self.rows.push(Row { name, variables, clauses, bytes, shows });
                return Ok(());
            }
            Ok(Refutation::Satisfiable) => {
                let text = format!("a fresh solver has a solution of the formula `{}`", lemma.name);
                Problem::Unproved(Unproved::Defect(Defect::CertificateRejected(text)))
            }
            Err(Failure::Write(error)) => Problem::Write(error),
            Err(Failure::Stop(stop)) => Problem::Unproved(Unproved::Unknown(stop.into())),
        };
        self.problem = Some(problem);
        Err(Stop::Bound("the proof cannot be completed".to_owned()))
    }

    fn files_of(&mut self, lemma: &Lemma) -> Result<Refutation, Failure> {
        let mut formula = self.file(&lemma.name, "cnf").map_err(Failure::Write)?;
        lemma.formula.write(&mut formula).and_then(|()| formula.flush()).map_err(Failure::Write)?;
        let mut map = self.file(&lemma.name, "map").map_err(Failure::Write)?;
        for (literal, name) in &lemma.meanings {
            writeln!(map, "{} {}", literal.dimacs(), self.told(name)).map_err(Failure::Write)?;
        }
        map.flush().map_err(Failure::Write)?;
        let mut proof = self.file(&lemma.name, "drat").map_err(Failure::Write)?;
        sat::refute(&lemma.formula, &mut proof, self.limits)
    }

    fn file(&mut self, name: &str, extension: &str) -> io::Result<BufWriter<File>> {
        let path = self.request.folder.join(format!("{name}.{extension}"));
        let file = File::create(&path)?;
        self.files.push(path);
        Ok(BufWriter::new(file))
    }

    /// A name with its line.
    fn told(&self, name: &Name) -> String {
        match name.span {
            Some(span) => format!("line {}: {}", self.request.source.line(span.start), name.text),
            None => name.text.clone(),
        }
    }

    fn finish(&mut self, outcome: &Outcome) -> io::Result<()> {
        let text = self.readme(outcome);
        let mut file = self.file("README", "txt")?;
        file.write_all(text.as_bytes())?;
        file.flush()
    }

    fn written(self) -> Proof {
        let bytes = self.rows.iter().map(|row| row.bytes).sum();
        Proof::Written { folder: self.request.folder.display().to_string(), formulas: self.rows.len(), bytes }
    }

    fn readme(&self, outcome: &Outcome) -> String {
        let Request { source, program, options, .. } = self.request;
        let mut text = format!("A proof that no run of {} violates\n\n", source.name());
        for property in held(outcome) {
            let property = &program.properties[property];
            let _ = writeln!(text, "  {} (line {})", property.name, source.line(property.span.start));
        }
        text.push_str(FILES);
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
        let _ = writeln!(text, "  {:width$}  variables    clauses  proof in bytes  what it shows", "name");
        for Row { name, variables, clauses, bytes, shows } in &self.rows {
            let _ = writeln!(text, "  {name:width$}  {variables:9}  {clauses:9}  {bytes:14}  {shows}");
        }
        text.push_str(CHECKING);
        text.push_str(match options.preferences.reductions {
            Reductions::On => REDUCED,
            Reductions::Off => "",
        });
        text
    }
}

const FILES: &str = "
It rests on formulas without a solution. NAME.cnf is a formula in the format of
DIMACS, NAME.drat a proof in the format DRAT that it has no solution, and
NAME.map says what variables of the formula stand for (a negative number: the
negation of the variable).

";

const CHECKING: &str = "
To check the proofs, use any checker of DRAT proofs. With drat-trim:

  for f in *.cnf; do drat-trim $f ${f%.cnf}.drat; done

What this covers: that each of the formulas has no solution. `violation` says
that no run violates a property, as far as loops and calls were unrolled;
`complete` says that no run needs more than that. Each `loop`, `diameter`,
`recursion` and `uncut` says that a loop or a recursive procedure does nothing
beyond what was unrolled.

What it does not cover, because it is so by the construction of the formulas:
- that the formulas say what the program does. Boolero executes the program
  symbolically and simplifies formulas while it builds them. What turned out to
  be false then is a formula of one variable here;
- that the instances in a `loop` are instances of earlier unrollings, and that
  calls of a recursive procedure stand for the pieces in its `recursion`;
- loops whose next unrolling is an earlier one as it is written. They have no
  formula;
- procedures that are not opened: they stand for everything they could do.
";

const REDUCED: &str = "- the reductions before (slicing, constants): the formulas are about the reduced
  program. `--reduce off` leaves them out.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::check_program;
    use crate::engine::auto::{Preferences, Wish};
    use crate::ground::event::Silent;

    const LOOP: &str =
        "decl a, b, c; void main() begin a, b, c := T, F, F; while (*) do a, b, c := b, c, a; od
        assert(a | b | c); end";

    /// Writes the proof of a program into a new folder, under limits that the check itself does not have.
    fn written(folder: &Path, limits: &Limits) -> Proof {
        let source = SourceFile::new("test.bp", LOOP);
        let (program, _) = super::super::load_program(&source, &Default::default()).expect("well-formed");
        let preferences = Preferences { engine: Wish::Bounded, ..Preferences::default() };
        let options = &Options { preferences, ..Options::default() };
        let none = Limits::none();
        let mut outcome = check_program(&program, options, Run { limits: &none, observer: &Silent });
        reserve(folder).expect("the folder can be made");
        let request = Request { folder, source: &source, program: &program, options };
        write(&request, &mut outcome, Run { limits, observer: &Silent })
    }

    #[test]
    fn a_limit_at_any_moment_leaves_a_whole_proof_or_none() {
        let folder = std::env::temp_dir().join(format!("boolero-proof-limits-{}", std::process::id()));
        for moment in 1.. {
            match written(&folder, &Limits::firing_at(moment)) {
                Proof::None(why) => {
                    assert_eq!(why, "timeout", "at check {moment}");
                    assert!(!folder.exists(), "at check {moment}");
                }
                Proof::Written { formulas, bytes, .. } => {
                    assert!(moment > 2 && formulas >= 2 && bytes > 0);
                    assert!(folder.join("README.txt").exists());
                    break;
                }
            }
        }
        fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
