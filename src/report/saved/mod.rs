//! The saved run: everything that is told of a run, as one value that can be written to a file and read again.
//!
//! Reports for people and for other tools (HTML, SARIF, DOT) are made of this value alone, so `boolero report` makes them from the
//! file later just as `boolero verify --html` does at once. `grammar/run.schema.json` describes the file; the field `schema`
//! changes when it does. A run is saved for C programs and for Boolean programs; what only one of them has is empty for the other.
//!
//! A run of a hundred iterations must stay small. So what is told often stands in a table once and is named by its number: files,
//! statements, predicates. Of the Boolean programs only the first is whole, the others are differences to the one before. What
//! still does not fit the budgets of [`budget`] is left out, and the list `left_out` says so.
//!
//! | file | what |
//! |---|---|
//! | `recorder` | listens to the loop and keeps what it tells |
//! | `tables` | files, statements and predicates by number |
//! | `difference` | a text as a difference to another one |
//! | `invariants` | what was proven at each location, as C expressions |
//! | `truths` | which predicates hold at the steps of a run of C |
//! | `c`, `boolean` | the saved run of a verification, and of a check |
//! | `budget` | how much is kept |
//! | `read` | a saved run from a file, refused if it is none |

mod boolean;
pub mod budget;
mod c;
mod difference;
mod invariants;
mod read;
mod recorder;
mod tables;
mod truths;

pub use boolean::saved_check;
pub use c::saved_verification;
pub use difference::{Hunk, applied, difference};
pub use read::read;
pub use recorder::Recorder;
pub use tables::sha256;

use crate::ground::verdict::Overall;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The version of the schema.
pub const SCHEMA: u32 = 1;
/// What the file says it is.
pub const KIND: &str = "boolero-run";

/// A saved run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct SavedRun {
    /// Always [`KIND`].
    pub kind: String,
    /// Always [`SCHEMA`].
    pub schema: u32,
    /// What made it.
    pub tool: Tool,
    /// The words of the command line, without the name of the program.
    pub command: Vec<String>,
    /// `c` or `boolean`.
    pub language: String,
    /// What was asked for, and how the work was to be done.
    pub settings: IndexMap<String, String>,
    /// The files of the program.
    pub files: Vec<File>,
    /// The verdict on everything.
    pub result: Answer,
    /// What the verdict rests on.
    pub assumptions: Vec<String>,
    /// Places where a check that was asked for does not look.
    pub not_checked: Vec<String>,
    /// How the proof was checked again.
    pub certificate: Option<CertificateText>,
    /// The properties that were asked for.
    pub properties: Vec<Property>,
    /// What threads run.
    pub threads: Vec<Template>,
    /// Statements of the model, by number.
    pub statements: Vec<Statement>,
    /// The automata of the model.
    pub procedures: Vec<Procedure>,
    /// Predicates, by number.
    pub predicates: Vec<Predicate>,
    /// The iterations, in order.
    pub iterations: Vec<Iteration>,
    /// Runs that violate properties.
    pub counterexamples: Vec<Counterexample>,
    /// What was proven at locations.
    pub invariants: Vec<Invariant>,
    /// Figures of the run.
    pub figures: IndexMap<String, u64>,
    /// Seconds that each phase took.
    pub seconds: IndexMap<String, f64>,
    /// What was left out to keep this small.
    pub left_out: Vec<String>,
}

/// What made a saved run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// A file of the program.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Its name, as the compiler was told.
    pub name: String,
    /// The hash of its contents, if it could be read.
    pub sha256: Option<String>,
    /// Its contents, if they could be read and are not too long.
    pub text: Option<String>,
}

/// A place in a file: the number of the file, line and column from 1. A column that is not known is 0.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Spot(pub usize, pub u32, pub u32);

/// A verdict.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
    /// Why it is unknown.
    pub reason: Option<String>,
}

/// Whether and how a proof was checked again.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct CertificateText {
    /// Whether the proof stands.
    pub checked: bool,
    /// What was checked, or why not.
    pub text: String,
}

/// A property.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Property {
    /// Its id.
    pub id: String,
    /// `assertion`, `error`, or the name of a fault.
    pub kind: String,
    /// What is claimed.
    pub text: String,
    /// The procedure that it is in.
    pub procedure: String,
    /// Where.
    pub place: Option<Spot>,
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
    /// Why it is unknown.
    pub reason: Option<String>,
}

/// What some threads run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// The procedure.
    pub routine: String,
    /// How many there can be; none: any number.
    pub most: Option<usize>,
    /// Where they are started.
    pub started_at: Vec<Spot>,
}

/// A statement of the model: an edge of an automaton.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Hash, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The procedure.
    pub procedure: String,
    /// The location where it starts,
    pub from: String,
    /// and where it leads.
    pub to: String,
    /// What it does, in words of C.
    pub text: String,
    /// The place that it comes from.
    pub place: Option<Spot>,
    /// The last line that it comes from.
    pub last_line: u32,
    /// The procedure that it calls or starts.
    pub calls: Option<String>,
    /// The property that it violates.
    pub violates: Option<String>,
}

/// An automaton.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub place: Option<Spot>,
    /// The locations: their names and the lines that come next there, 0 if unknown.
    pub locations: IndexMap<String, u32>,
    /// Its statements.
    pub statements: Vec<usize>,
}

/// A predicate.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Hash, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    /// What it says, in C.
    pub text: String,
    /// The procedure whose local variables it mentions.
    pub procedure: Option<String>,
    /// The iteration that it was first tracked in,
    pub iteration: usize,
    /// and why.
    pub reason: String,
    /// The lines of the locations where it is tracked; empty: everywhere in its scope.
    pub lines: Vec<u32>,
}

/// An iteration of the loop.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Iteration {
    /// The predicates that are tracked.
    pub predicates: Vec<usize>,
    /// How many steps are excluded.
    pub exclusions: usize,
    /// Statements of the Boolean program.
    pub statements: usize,
    /// Questions to the solver,
    pub queries: u64,
    /// and those that were answered from memory.
    pub cache_hits: u64,
    /// The engine that checked the Boolean program.
    pub engine: String,
    /// How many new predicates came from each source.
    pub sources: IndexMap<String, usize>,
    /// What came of it.
    pub result: String,
    /// Seconds that each phase took.
    pub seconds: IndexMap<String, f64>,
    /// The Boolean program, as a difference to that of the iteration before; none if it was left out.
    pub program: Option<Vec<Hunk>>,
    /// Counterexamples of the Boolean program, and what was made of them.
    pub studies: Vec<Study>,
}

/// A counterexample of the Boolean program.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// What it violates: the id of a property, or what is not modelled.
    pub violates: String,
    /// Its steps; none if they were left out.
    pub path: Option<Vec<PathStep>>,
    /// How many steps from the start have no run; none if there is a run.
    pub prefix: Option<usize>,
    /// Constraints that contradict each other: first those that were refuted, then others.
    pub contradictions: Vec<Vec<Constraint>>,
    /// Predicates that came of it.
    pub predicates: Vec<usize>,
    /// Steps that are excluded because of it, in words.
    pub excluded: Vec<String>,
    /// What came of it, in words.
    pub result: String,
}

/// A step of a path through the model: the thread, the statement, 1 if this is the return from it, and the predicates that have
/// another value behind it: twice the number of the predicate, and one more if it is true.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct PathStep(pub usize, pub usize, pub u8, pub Vec<usize>);

/// A constraint of a path.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// The number of its step.
    pub step: usize,
    /// What must hold there.
    pub text: String,
}

/// A run that violates a property.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Counterexample {
    /// The property.
    pub property: String,
    /// The seed, if the run was found at random.
    pub seed: Option<u64>,
    /// How many threads make it.
    pub threads: usize,
    /// How often the running thread changes.
    pub switches: usize,
    /// Its steps.
    pub steps: Vec<Step>,
    /// How it ends, in words.
    pub ending: String,
    /// The statements of the model that it takes, if they are known.
    pub statements: Vec<usize>,
}

/// A step of a run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The thread.
    pub thread: usize,
    /// The procedure.
    pub procedure: String,
    /// Where.
    pub place: Option<Spot>,
    /// How deep calls nest there, from 0.
    pub depth: usize,
    /// `statement`, `branch`, `store`, `call`, `sync` (locks, joins and the like), `return`, `choice`, `output`, `start`, `fault`, `gap` or
    /// `violation`.
    pub kind: String,
    /// What happens, in words.
    pub text: String,
    /// Variables that get values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Predicates known to be true or false behind it, where that is new: twice the number, and one more if it is true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<usize>,
}

/// A variable that gets a value.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Its name.
    pub name: String,
    /// The value.
    pub value: String,
    /// The thread whose variable it is; none if all threads see it, or nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<usize>,
}

/// What was proven at a location.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// The procedure.
    pub procedure: String,
    /// The name of the location.
    pub location: String,
    /// The line that comes next there.
    pub place: Option<Spot>,
    /// Whether a loop begins there.
    pub is_loop: bool,
    /// What holds there, as a C expression over predicates. It may be weaker than what was proven.
    pub text: String,
    /// Whether it says all that was proven.
    pub exact: bool,
    /// Whether all of it is C, as a compiler understands it there: each predicate was read again, and is the same.
    pub is_c: bool,
}

/// What the command line says of a run.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Its words.
    pub command: Vec<String>,
    /// What was asked for, and how the work was to be done.
    pub settings: IndexMap<String, String>,
    /// How long it took.
    pub elapsed: std::time::Duration,
}

/// The verdict on everything.
fn answer(overall: &Overall) -> Answer {
    let (verdict, reason) = match overall {
        Overall::Holds => ("holds", None),
        Overall::Violated => ("violated", None),
        Overall::Unknown(reason) => ("unknown", Some(reason.to_string())),
    };
    Answer { verdict: verdict.to_owned(), reason }
}
