//! The solver varisat.
//!
//! varisat has neither a budget nor a way to interrupt it. But it can write a proof while it works, and it gives up as
//! soon as that cannot be written. So it writes its proof to a [`Pulse`], which keeps nothing of it: it counts the bytes,
//! looks at the limits, and refuses to take more when there is a reason to stop. Every conflict writes the clause that
//! was learned from it, and between two conflicts there are only finitely many decisions; so the solver always
//! notices. (It buffers eight thousand bytes; on very large formulas that may take longer than the grace period
//! of the limits, and then the watchdog of the process has the last word.)
//!
//! A solver that gave up cannot be used again. All clauses are kept, and a new one is made from them when the next
//! question comes. The proof is in varisat's own format: DRAT knows neither assumptions nor clauses that come later (`refute` writes it).

use super::{Answer, Cnf, Effort, Literal, Solver, Variable};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use varisat::solver::ProofFormat;
use varisat::{ExtendFormula, Lit, Var};

/// varisat, and what is needed to make it anew.
#[derive(Default)]
pub struct Varisat {
    clauses: Cnf,
    solver: Option<Inner>,
    values: Vec<bool>,
    failed: Vec<Literal>,
}

/// A running solver, and the pulse it writes to.
struct Inner {
    solver: varisat::Solver<'static>,
    pulse: Rc<Pulse>,
    /// How many clauses it has got.
    clauses: usize,
}

/// What the proof is written to.
#[derive(Default)]
pub(super) struct Pulse {
    limits: RefCell<Option<Limits>>,
    left: Cell<u64>,
    /// What a byte costs, in units of work.
    price: Cell<u64>,
    stop: RefCell<Option<Stop>>,
}

impl Pulse {
    /// A question begins.
    pub(super) fn start(&self, effort: Effort, limits: &Limits, variables: usize) {
        self.price.set(price(variables));
        *self.limits.borrow_mut() = Some(limits.clone());
        *self.stop.borrow_mut() = None;
        self.left.set(match effort {
            Effort::Unbounded => u64::MAX,
            Effort::Learned(bytes) => bytes,
        });
    }

    /// Between questions, everything may be written.
    pub(super) fn rest(&self) {
        *self.limits.borrow_mut() = None;
    }

    /// Takes some bytes, if the solver may go on.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let limits = self.limits.borrow();
        let Some(limits) = &*limits else { return true };
        if let Err(stop) = limits.spend(self.price.get() * bytes as u64) {
            *self.stop.borrow_mut() = Some(stop);
            return false;
        }
        let left = self.left.get().checked_sub(bytes as u64);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Why the solver was stopped, if a limit was the reason.
    pub(super) fn stop(&self) -> Option<Stop> {
        self.stop.take()
    }
}

/// What a byte of what is learned costs, in units of work ([`Limits::spend`]): a solver works the longer for one conflict, the more
/// variables it has to assign.
fn price(variables: usize) -> u64 {
    4 + variables as u64 / 32_768
}

/// What a question costs besides: every variable is assigned, and new clauses are entered.
fn entry_price(variables: usize, clauses: usize) -> u64 {
    64 + variables as u64 + clauses as u64 * 10
}

/// The side of the pulse that the solver has.
struct Target(Rc<Pulse>);

impl io::Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.take(bytes.len()) { Ok(bytes.len()) } else { Err(io::ErrorKind::Other.into()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn outward(literal: Literal) -> Lit {
    Lit::from_var(Var::from_index(literal.variable().number()), literal.value())
}

fn inward(literal: Lit) -> Literal {
    let number = u32::try_from(literal.index()).expect("it is one of our variables");
    Variable(number).literal(literal.is_positive())
}

impl Inner {
    fn new() -> Self {
        let pulse = Rc::new(Pulse::default());
        let mut solver = varisat::Solver::new();
        solver.write_proof(Target(Rc::clone(&pulse)), ProofFormat::Varisat);
        Self { solver, pulse, clauses: 0 }
    }

    /// Gives it the clauses that it does not have yet.
    fn feed(&mut self, clauses: &Cnf) {
        let mut clause: Vec<Lit> = Vec::new();
        for number in self.clauses..clauses.len() {
            clause.clear();
            clause.extend(clauses.clause(number).iter().map(|&literal| outward(literal)));
            self.solver.add_clause(&clause);
        }
        self.clauses = clauses.len();
    }
}

impl Varisat {
    /// The solver gave up: a new one is made for the next question.
    fn gave_up(&mut self) -> Result<Answer, Stop> {
        let stop = self.solver.take().and_then(|inner| inner.pulse.stop());
        stop.map_or(Ok(Answer::OutOfEffort), Err)
    }

    fn satisfiable(&mut self, model: &[Lit]) -> Answer {
        let count = self.variables();
        self.values.clear();
        self.values.resize(count, false);
        for literal in model.iter().filter(|literal| literal.index() < count) {
            self.values[literal.index()] = literal.is_positive();
        }
        Answer::Satisfiable
    }
}

impl Solver for Varisat {
    fn new_variable(&mut self) -> Variable {
        Variable(u32::try_from(self.clauses.new_variable()).expect("there are few enough variables"))
    }

    fn variables(&self) -> usize {
        self.clauses.variables()
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.clauses.push(clause);
    }

    fn clauses(&self) -> &Cnf {
        &self.clauses
    }

    fn solve(&mut self, assumptions: &[Literal], effort: Effort, limits: &Limits) -> Result<Answer, Stop> {
        let variables = self.variables();
        let inner = self.solver.get_or_insert_with(Inner::new);
        limits.spend(entry_price(variables, self.clauses.len() - inner.clauses))?;
        inner.feed(&self.clauses);
        let assumed: Vec<Lit> = assumptions.iter().map(|&literal| outward(literal)).collect();
        inner.solver.assume(&assumed);
        inner.pulse.start(effort, limits, variables);
        let result = inner.solver.solve();
        inner.pulse.rest();
        match result {
            Err(_) => self.gave_up(),
            Ok(true) => {
                let model = inner.solver.model().unwrap_or_default();
                Ok(self.satisfiable(&model))
            }
            Ok(false) => {
                let core = inner.solver.failed_core().unwrap_or_default();
                self.failed = core.iter().map(|&literal| inward(literal)).collect();
                Ok(Answer::Unsatisfiable)
            }
        }
    }

    fn value(&self, literal: Literal) -> bool {
        self.values.get(literal.variable().number()).is_some_and(|&value| value) == literal.value()
    }

    fn failed(&self) -> &[Literal] {
        &self.failed
    }
}
