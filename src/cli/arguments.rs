//! The command line as it is written: commands, options, their help.

use super::reports::{ReportOf, Saving};
use super::values;
use crate::boolean::check::InitialThreads;
use crate::engine::Threads;
use crate::ground::fault::Fault;
use crate::vm::state::Answers;
use clap::builder::styling::AnsiColor;
use clap::builder::{PossibleValue, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXIT_CODES: &str = "\
Exit codes:
  0    every property holds (or the command did its work)
  1    the command line is wrong, or does not fit the input; `fmt --check` found a file to format
  2    the input cannot be read or is malformed
  5    unknown: undecided, or a limit was reached
  6    Boolero itself is wrong; please report it
  10   a property is violated
  130  interrupted

`boolero FILE` is `boolero check FILE` if it ends in .bp, .tts or .spec, `boolero verify FILE` if
it is C: .c, .i, .bc, .ll, the .yml file of an SV-COMP task, or compile_commands.json. Called
`boom`, it is `boolero boom`.";

/// A verifier for C programs and a model checker for Boolean programs
#[derive(Parser, Debug)]
#[command(name = "boolero", version, styles = STYLES, after_help = EXIT_CODES)]
#[command(arg_required_else_help = true, max_term_width = 100, args_override_self = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: Color,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide the properties of a Boolean program, or whether a net covers its targets
    Check(Check),
    /// Prove a C program correct, or find a bug, by predicate abstraction and refinement
    ///
    /// `holds` rests on what the line `assumptions: …` lists, and on nothing else. That is, at most: faults that `--checks` does
    /// not ask for do not happen; functions without a body do what `--undefined-functions` says, and pointers that they
    /// return point to none of the program's objects; memory is sequentially consistent; there are no more threads than
    /// `--threads` says, or than numbers of threads; memory never runs out, unless `--malloc-may-fail` is given, and no thread
    /// fails to start. Where a check that was asked for does not look, the result is `unknown`.
    Verify(Box<Verify>),
    /// Compile a C program together with a harness, and run it: native code, to see the failure that `verify` found
    Replay(Replay),
    /// Make the Boolean program of a C program and given predicates
    Abstract(Box<Abstract>),
    /// List the properties of a Boolean program or a C program
    List(List),
    /// Run a C program in a machine that notices every fault
    Run(Run),
    /// Verify a Linux device driver for rules such as "who takes a lock gives it back"
    ///
    /// The driver is one C file. It is compiled against Boolero's model of the kernel and called by a harness that follows what the
    /// driver registers. The harness is sequential: clients, interrupts, timers and work take turns.
    Driver(Driver),
    /// Format Boolean programs
    Fmt(Fmt),
    /// Print a program or a net in another form
    Emit(Emit),
    /// Take the place of BOOM: its options and its output, as SATABS expects them
    Boom(Boom),
    /// Make reports of a saved run: a page to look at, SARIF, graphs
    Report(ReportOf),
    /// Check that everything Boolero needs is there, and tries it out
    Doctor,
    /// Reads bitcode in a process of its own
    #[command(name = "__read", hide = true)]
    ReadModule,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, in the format of man(1)
    Man,
}

/// Which program is meant, and which properties it has.
#[derive(Args, Debug, Clone)]
pub struct Input {
    /// The Boolean program, or a net (`.tts`, `.spec`); `-` is standard input
    pub file: PathBuf,
    /// Labels that must not be reached, besides SLIC_ERROR
    #[arg(long, value_name = "LABEL,…", value_delimiter = ',')]
    pub error_label: Vec<String>,
    /// The procedure to start with, instead of `main` (or `init` and `thread0`, `thread1`, …)
    #[arg(long, value_name = "PROCEDURE")]
    pub entry: Option<String>,
    /// How many copies of it run at first: a number, or `unbounded`
    #[arg(long, value_name = "K|unbounded", default_value = "1", value_parser = values::initial_threads)]
    pub initial_threads: InitialThreads,
}

/// What belongs to a thread transition system besides its file.
#[derive(Args, Debug, Clone)]
pub struct NetInput {
    /// For a `.tts` file: the states that must not be covered, such as 2|0,1 (shared state 2 with a thread in local
    /// state 0 and one in 1), one per line
    #[arg(long, value_name = "FILE.prop")]
    pub target: Option<PathBuf>,
    /// For a `.tts` file: where it starts; 0|0 is one thread in local state 0, 0/0 any number of threads there, 0|0,1/5
    /// both (default: 0/0)
    #[arg(long, value_name = "STATE")]
    pub init: Option<String>,
}

/// How a C program is read, and what is asked of it.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "C programs")]
pub struct CInput {
    /// Further files of a C program
    #[arg(value_name = "FILES")]
    pub more: Vec<PathBuf>,
    /// Which file of a compilation database is meant, by the end of its path
    #[arg(long = "file", value_name = "NAME,…", value_delimiter = ',')]
    pub of_database: Vec<PathBuf>,
    /// Flags for clang: `-include x.h`, `-isystem folder`, `-funsigned-char`
    #[arg(last = true, value_name = "FLAGS", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// Where to look for headers
    #[arg(short = 'I', value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// The language (default: gnu11)
    #[arg(long = "std", value_name = "STANDARD")]
    pub standard: Option<String>,
    /// `int`, `long` and pointers have 32 bits
    #[arg(long = "32", conflicts_with = "lp64")]
    pub ilp32: bool,
    /// `long` and pointers have 64 bits (default; for task files: what they say, else 32 bits)
    #[arg(long = "64")]
    pub lp64: bool,
    /// Faults that must not happen
    #[arg(long, value_name = "FAULT,…", value_enum, value_delimiter = ',')]
    pub checks: Vec<FaultName>,
    /// Functions that must not be called, besides reach_error and __VERIFIER_error
    #[arg(long, value_name = "FUNCTION,…", value_delimiter = ',')]
    pub error_function: Vec<String>,
    /// What a function without a body does (default: unknown; for task files: pure)
    #[arg(long, value_name = "WHAT", value_enum)]
    pub undefined_functions: Option<UndefinedName>,
    /// What assembly does that is not understood (default: unknown)
    #[arg(long, value_name = "WHAT", value_enum)]
    pub assembly: Option<AssemblyName>,
    /// What pointers from outside lead to (default: any; with `--undefined-functions` and for task files: fresh)
    #[arg(long, value_name = "WHAT", value_enum)]
    pub external_pointers: Option<PointersName>,
    /// `malloc` may return a null pointer
    #[arg(long)]
    pub malloc_may_fail: bool,
}

/// What a function without a body does.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndefinedName {
    /// Nobody knows: a run that calls it has no verdict
    Unknown,
    /// It returns anything, and changes what its arguments and global variables that are not static lead to; unknown if it may call back
    Havoc,
    /// It returns anything, and does nothing else; a pointer that it returns points to none of the program's objects.
    /// Functions of C and POSIX that do more are never taken for pure
    Pure,
}

/// What assembly does that is not understood.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssemblyName {
    /// Nobody knows: a run that gets to it has no verdict
    Unknown,
    /// Its outputs are arbitrary; if it clobbers memory, so is what its operands and global variables that are not static lead to
    Havoc,
}

/// What pointers from outside lead to: those that functions without a body return, and that the function to start with gets.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointersName {
    /// They are null, or lead to an object of their own; that they lead to one of the program's has no verdict
    Any,
    /// They are null, or lead to objects of their own
    Fresh,
    /// They are null
    Null,
}

/// What `--checks` names. The names and their help are in the table of faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultName {
    /// All of them.
    All,
    /// None of them.
    None,
    /// This one.
    One(Fault),
}

impl ValueEnum for FaultName {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<FaultName>> = LazyLock::new(|| {
            [FaultName::All, FaultName::None].into_iter().chain(Fault::all().map(FaultName::One)).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::All => ("all", "All of them"),
            Self::None => ("none", "None of them"),
            Self::One(fault) => (fault.name(), fault.row().help),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// `boolero run`
#[derive(Args, Debug, Clone)]
pub struct Run {
    /// The program: `.c`, `.i`, `.bc`, `.ll`, the `.yml` file of an SV-COMP task, or `compile_commands.json`
    pub file: PathBuf,
    /// How it is read.
    #[command(flatten)]
    pub c: CInput,
    /// The function to start with
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    /// Labels that must not be reached
    #[arg(long, value_name = "LABEL,…", value_delimiter = ',')]
    pub error_label: Vec<String>,
    /// Take inputs, schedule and all other choices from this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "runs"])]
    pub choices: Option<PathBuf>,
    /// Write the choices of the run to this file, so that it can be run again
    #[arg(long, value_name = "FILE")]
    pub save_choices: Option<PathBuf>,
    /// Choose at random, from this seed on
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub seed: u64,
    /// So many runs, with the seeds that follow; the first one that goes wrong is told
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub runs: u64,
    /// Give up a run after so many steps
    #[arg(long, value_name = "NUMBER", default_value = "10000000")]
    pub steps: u64,
    /// Tell every line that is executed, with values
    #[arg(long)]
    pub trace: bool,
    /// Make all runs: every schedule, and all inputs that `--inputs` allows; tell how they end
    #[arg(long, conflicts_with_all = ["choices", "seed", "runs"])]
    pub all: bool,
    /// With `--all`: which numbers are tried for inputs: `exact` (all, where there are at most 256), `small` (0, 1, 2, -1), or a list
    #[arg(long, value_name = "exact|small|N,…", default_value = "exact", value_parser = values::answers, requires = "all")]
    pub inputs: Answers,
    /// With `--all`: what a thread does in one step
    #[arg(long, value_enum, value_name = "REDUCTION", default_value = "all", requires = "all")]
    pub reduction: StepsName,
    /// With `--all`: give up beyond so many states
    #[arg(long, value_name = "NUMBER", requires = "all")]
    pub states: Option<usize>,
    /// With `--all`: write the states and the steps between them as a graph for Graphviz
    #[arg(long, value_name = "FILE.dot", requires = "all")]
    pub dot: Option<PathBuf>,
    /// Give up after this time: 500ms, 60s, 1.5m, 2h (default: never)
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub timeout: Option<Duration>,
    /// Give up when this much memory is used: 512MiB, 4GiB (default: never)
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,
}

/// `boolero driver`
#[derive(Args, Debug, Clone)]
pub struct Driver {
    /// The driver: one `.c` file
    pub file: PathBuf,
    /// The rules: names of those that are built in, or files that end in `.rule` (default: all that are built in)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub rule: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Where to look for headers, besides those that are built in
    #[arg(short = 'I', long = "include", value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
    /// Write the harness into this file, and stop
    #[arg(long, value_name = "FILE.c")]
    pub emit_harness: Option<PathBuf>,
    /// Give up a rule after this time
    #[arg(long, value_name = "TIME", value_parser = values::duration, default_value = "60s")]
    pub timeout: Duration,
    /// Give up a rule when this much memory is used: 512MiB, 4GiB (default: never)
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,
    /// So many random runs first look for violations of each rule
    #[arg(long, value_name = "RUNS", default_value = "2000")]
    pub hunt: u64,
    /// How much of the runs that violate a rule to show
    #[arg(long, value_enum, default_value = "short")]
    pub trace: TraceLength,
    /// Print only the table and the result line
    #[arg(short, long)]
    pub quiet: bool,
}

/// `boolero check`
#[derive(Args, Debug, Clone)]
pub struct Check {
    /// The program.
    #[command(flatten)]
    pub input: Input,
    /// What belongs to a net.
    #[command(flatten)]
    pub net: NetInput,
    /// Look only at runs in which the running thread changes at most K times: decides recursive threads, too
    #[arg(long, value_name = "K", value_parser = values::context_switches)]
    pub context_bound: Option<usize>,
    /// How to work, and what to tell.
    #[command(flatten)]
    pub work: Work,
    /// With `--engine bounded`: unroll loops at most so often (rounded up to a power of two; default: 2048)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub unroll: Option<u32>,
    /// Write a proof of what holds into this new folder: formulas (DIMACS) without a solution, with a DRAT proof for each.
    /// Of the engine `bounded`, or of `auto` where that engine decides
    #[arg(long, value_name = "FOLDER")]
    pub proof: Option<PathBuf>,
    /// What to save.
    #[command(flatten)]
    pub saving: Saving,
}

/// How to work, and what to tell.
#[derive(Args, Debug, Clone)]
pub struct Work {
    /// Decide only these properties (`boolero list` tells the ids)
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub property: Vec<String>,
    /// The engine to use
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: EngineName,
    /// The BDD library that symbolic engines use
    #[arg(long, value_enum, value_name = "LIBRARY", default_value = "biodivine")]
    pub bdd: BddName,
    /// Whether the program is reduced (sliced, constants propagated, skips removed) before an engine other than `explicit` sees it; `verify` slices the C
    /// program, too
    #[arg(long, value_enum, default_value = "on")]
    pub reduce: Switch,
    /// Which orders of independent steps the engines counter and interleaving leave out
    #[arg(long, value_enum, value_name = "REDUCTION", default_value = "ample")]
    pub por: PartialOrderName,
    /// How many threads may run at a time: a number, or `unbounded`
    #[arg(long, value_name = "N|unbounded", default_value = "unbounded", value_parser = values::threads)]
    pub threads: Threads,
    /// Give up after this time: 500ms, 60s, 1.5m, 2h (default: never)
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub timeout: Option<Duration>,
    /// Give up when this much memory is used: 512MiB, 4GiB (default: never)
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,
    /// How much of a counterexample to show
    #[arg(long, value_enum, default_value = "short")]
    pub trace: TraceLength,
    /// Write the report as JSON; `-` is standard output, instead of the text
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Print the figures of the run, one per line, with time and memory
    #[arg(long)]
    pub stats: bool,
    /// Print only the result line
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Tell what is chosen and why
    #[arg(short, long)]
    pub verbose: bool,
}

/// Which C program is meant, and which properties it has.
#[derive(Args, Debug, Clone)]
pub struct CProgram {
    /// The program: `.c`, `.i`, `.bc`, `.ll`, the `.yml` file of an SV-COMP task, or `compile_commands.json`
    pub file: PathBuf,
    /// How it is read.
    #[command(flatten)]
    pub c: CInput,
    /// Labels that must not be reached
    #[arg(long, value_name = "LABEL,…", value_delimiter = ',')]
    pub error_label: Vec<String>,
    /// The function to start with
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    /// Predicates to start with, one per line: `i < 4`, or `open: dev->lock == 0` in the function open
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,
    /// What else to start with
    #[arg(long, value_enum, value_name = "WHAT", default_value = "none")]
    pub initial: InitialName,
    /// How precise abstractions are
    #[arg(long, value_enum, value_name = "PRECISION", default_value = "auto")]
    pub abstraction: AbstractionName,
}

/// `boolero verify`
#[derive(Args, Debug, Clone)]
pub struct Verify {
    /// The program.
    #[command(flatten)]
    pub input: CProgram,
    /// How to work, and what to tell.
    #[command(flatten)]
    pub work: Work,
    /// Where new predicates may come from
    #[arg(long, value_enum, value_name = "SOURCE", default_value = "auto")]
    pub refine: RefineName,
    /// Give up after so many iterations
    #[arg(long, value_name = "NUMBER", default_value = "1000")]
    pub max_iterations: usize,
    /// Do not check proofs again
    #[arg(long)]
    pub no_certificate: bool,
    /// Make so many random runs first, to find what is easily found; 0: none, not even the only run of a program without choices
    #[arg(long, value_name = "RUNS", default_value = "2000")]
    pub hunt: u64,
    /// Stop at the first violation; other properties may stay open
    #[arg(long)]
    pub stop_at_first: bool,
    /// Write the Boolean program of every iteration into this folder
    #[arg(long, value_name = "FOLDER")]
    pub save_iterations: Option<PathBuf>,
    /// Write a row for every iteration: predicates, queries, times
    #[arg(long, value_name = "FILE")]
    pub iterations_csv: Option<PathBuf>,
    /// Write the choices of the run that violates a property, for `boolero run --choices`
    #[arg(long, value_name = "FILE")]
    pub save_choices: Option<PathBuf>,
    /// Write a file of C with the inputs of the run that violates a property, for `boolero replay`
    #[arg(long, value_name = "FILE.c")]
    pub harness: Option<PathBuf>,
    /// Check this property of SV-COMP instead: calls, overflow, memory safety, memory cleanup, data races
    #[arg(long, value_name = "FILE.prp")]
    pub spec: Option<PathBuf>,
    /// End with the line that SV-COMP expects: true, false(unreach-call), false(valid-deref), unknown
    #[arg(long)]
    pub svcomp: bool,
    /// Verify nothing, but judge a witness of SV-COMP in YAML: a violation, or invariants
    #[arg(long, value_name = "WITNESS.yml", conflicts_with_all = ["json", "save_run", "html", "sarif", "dot", "witness", "svcomp"])]
    pub check_witness: Option<PathBuf>,
    /// What to save.
    #[command(flatten)]
    pub saving: Saving,
}

/// `boolero replay`
#[derive(Args, Debug, Clone)]
pub struct Replay {
    /// The program: `.c`, `.i`, the `.yml` file of an SV-COMP task, or `compile_commands.json`
    pub file: PathBuf,
    /// The harness that `boolero verify --harness` has written
    #[arg(long, value_name = "FILE.c")]
    pub harness: PathBuf,
    /// How the program is read.
    #[command(flatten)]
    pub c: CInput,
    /// Give up after this time
    #[arg(long, value_name = "TIME", value_parser = values::duration, default_value = "10s")]
    pub timeout: Duration,
}

/// `boolero abstract`
#[derive(Args, Debug, Clone)]
pub struct Abstract {
    /// The program.
    #[command(flatten)]
    pub input: CProgram,
}

/// What predicates to start with.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialName {
    /// None
    None,
    /// All conditions of the program
    Guards,
    /// The conditions of its properties
    Asserts,
}

/// How precise abstractions are.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbstractionName {
    /// Few facts at a time; steps that turn out to be wrong are excluded one by one
    Auto,
    /// Each predicate by itself
    Cartesian,
    /// All predicates of a block together
    Boolean,
}

/// Where predicates may come from. Steps that are wrong by themselves are excluded in any case.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefineName {
    /// Whatever excludes the counterexample: guards, values, bounds of loops, weakest preconditions
    Auto,
    /// Weakest preconditions
    Wp,
    /// Conditions of the counterexample
    Guards,
    /// Nowhere: only steps are excluded, over the predicates that there are to start with
    Steps,
}

/// `boolero list`
#[derive(Args, Debug, Clone)]
pub struct List {
    /// The program.
    #[command(flatten)]
    pub input: Input,
    /// How a C program is read.
    #[command(flatten)]
    pub c: CInput,
    /// Write the list as JSON; `-` is standard output, instead of the text
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `boolero fmt`
#[derive(Args, Debug, Clone)]
pub struct Fmt {
    /// The files to rewrite; `-` formats standard input to standard output
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; print the names of files that are not formatted, and exit with 1 if there is one
    #[arg(long)]
    pub check: bool,
}

/// `boolero emit`
#[derive(Args, Debug, Clone)]
pub struct Emit {
    /// The form
    #[arg(value_enum)]
    pub form: Form,
    /// The program.
    #[command(flatten)]
    pub input: Input,
    /// What belongs to a net.
    #[command(flatten)]
    pub net: NetInput,
    /// How a C program is read.
    #[command(flatten)]
    pub c: CInput,
    /// Of a C program: one edge per basic block, not larger blocks
    #[arg(long)]
    pub basic_blocks: bool,
}

/// `boolero boom`
#[derive(Args, Debug, Clone)]
pub struct Boom {
    /// The Boolean program; `-` is standard input
    pub file: Option<PathBuf>,
    /// Another way to name it
    #[arg(long, value_name = "FILE")]
    pub input_file: Option<PathBuf>,
    /// Print the steps of a failure
    #[arg(short = 't', long)]
    pub trace: bool,
    /// How many threads may run at a time (default: 2, as in BOOM)
    #[arg(long, value_name = "N")]
    pub threadbound: Option<usize>,
    /// Any number of threads
    #[arg(long)]
    pub karp_miller: bool,
    /// Accepted, without effect
    #[arg(long)]
    pub stats: bool,
    /// Accepted, without effect
    #[arg(long)]
    pub parallel: bool,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The engines.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineName {
    /// Chosen by what the program uses
    Auto,
    /// One state after the other, with the call stack in the state
    Explicit,
    /// Procedure summaries as BDDs: exact for recursion
    Summary,
    /// Unrolling and SAT: violations that are near, however many variables there are; proofs by universal summaries
    Bounded,
    /// Symbolic counter abstraction: threads are counted, not told apart
    Counter,
    /// Plain symbolic exploration of N threads
    Interleaving,
    /// k-induction for N threads by SAT: proofs by few steps from any state
    Induction,
    /// Any number of threads, and nets: forwards, with any number of tokens where a run can be repeated
    #[value(name = "karp_miller", alias = "karp-miller")]
    KarpMiller,
    /// Any number of threads, and nets: backwards from the violations; for programs in step with a forward search
    Backward,
    /// Any number of threads: 1, 2, 3, … of them, until more reach nothing new
    Cutoff,
    /// `verify` only: the refinement loop (as `auto`)
    Cegar,
    /// `verify` only: all states of a program that starts threads, if there are at most 100,000; else the refinement loop
    Both,
    /// `verify` only: all states of the C program, one after the other
    States,
}

/// What a thread does in one step, from little to much.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepsName {
    /// One instruction: nothing is reduced
    None,
    /// Instructions up to the next access to memory or jump
    Tau,
    /// Instructions up to the next access to memory, or where the thread has been in this step
    TauPlus,
    /// Up to the next access to what is not local, or had its address stored once
    Shared,
    /// Up to the next access to what other threads can reach
    Visible,
    /// The same, and registers that nobody reads any more do not count
    All,
}

/// The BDD libraries.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum BddName {
    /// biodivine-lib-bdd
    Biodivine,
    /// OxiDD
    Oxidd,
}

/// The partial-order reductions.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartialOrderName {
    /// None: counterexamples are as short as any
    None,
    /// Steps that no other thread can notice are taken at once
    Local,
    /// Steps that no other thread will ever notice are taken first
    Ample,
    /// As ample, and threads that never depend on each other are explored apart
    Persistent,
    /// As ample, and threads run on until they depend on each other
    Cartesian,
}

/// On or off.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

/// How much of a counterexample to show.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceLength {
    /// Nothing
    None,
    /// What matters
    Short,
    /// Every step
    Full,
}

/// What can be emitted.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Control-flow graphs of a Boolean program as text, one line per node
    Cfg,
    /// Control-flow graphs of a Boolean program, or automata of a C program, for Graphviz
    Dot,
    /// Control-flow automata of a C program as text
    Cfa,
    /// A C program as constrained Horn clauses in SMT-LIB
    Smt,
    /// A C program as Boolero has read it, instruction by instruction
    Ir,
    /// A net, or a Boolean program as a net, as thread transition system, for bfc
    Tts,
    /// A net, or a Boolean program as a net, as Petri net in mist's format
    Mist,
    /// The Karp–Miller tree of a small Boolean program, for Graphviz
    #[value(name = "karp_miller", alias = "karp-miller")]
    KarpMiller,
}
