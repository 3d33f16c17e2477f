//! Proofs that clauses contradict each other, in the format DRAT \[WHH14\].
//!
//! DRAT knows neither assumptions nor clauses that come later. So a question that a growing solver has answered is asked once
//! more, of a fresh solver that gets everything as clauses; varisat writes what it learns from them, and what it
//! forgets. Every learned clause follows by unit propagation from the clauses before it, and the last one is empty:
//! a checker needs to know nothing else.
//!
//! The proof goes through the pulse of the solver (`varisat`), which looks at the limits.

use super::varisat::{Pulse, outward};
use super::{Cnf, Effort};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use varisat::solver::ProofFormat;
use varisat::{ExtendFormula, Lit};

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refutation {
    /// The proof was written.
    Proved {
        /// How long it is.
        bytes: u64,
    },
    /// There is none: some values satisfy all clauses.
    Satisfiable,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// A limit was reached.
    Stop(Stop),
    /// The proof cannot be written.
    Write(io::Error),
}

/// Writes a proof that the clauses contradict each other.
///
/// # Errors
/// A limit was reached, or the proof cannot be written. What was written then is no proof.
pub fn refute(cnf: &Cnf, target: &mut dyn Write, limits: &Limits) -> Result<Refutation, Failure> {
    let pulse = Rc::new(Pulse::default());
    let record = RefCell::new(Record { target, bytes: 0, tail: [0; 3], error: None });
    let mut solver = varisat::Solver::new();
    solver.write_proof(Target { pulse: Rc::clone(&pulse), record: &record }, ProofFormat::Drat);
    for number in 0..cnf.len() {
        if number % 4_096 == 0 {
            limits.check().map_err(Failure::Stop)?;
        }
        let clause: Vec<Lit> = cnf.clause(number).iter().map(|&literal| outward(literal)).collect();
        solver.add_clause(&clause);
    }
    pulse.start(Effort::Unbounded, limits, cnf.variables());
    let answer = solver.solve();
    pulse.rest();
    let closed = solver.close_proof();
    drop(solver);
    let mut record = record.into_inner();
    match (answer, closed) {
        (Ok(true), _) => Ok(Refutation::Satisfiable),
        (Ok(false), Ok(())) => record.finish().map_err(Failure::Write),
        _ => Err(match pulse.stop() {
            Some(stop) => Failure::Stop(stop),
            None => Failure::Write(record.error.unwrap_or_else(|| io::ErrorKind::Other.into())),
        }),
    }
}

/// What was written so far.
struct Record<'t> {
    target: &'t mut dyn Write,
    bytes: u64,
    /// The last three bytes.
    tail: [u8; 3],
    error: Option<io::Error>,
}

impl Record<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.target.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        for &byte in bytes.iter().rev().take(3).rev() {
            self.tail = [self.tail[1], self.tail[2], byte];
        }
        Ok(())
    }

    /// A contradiction that unit propagation finds in the clauses as they are needs no proof, and varisat writes none. The empty
    /// clause stands at the end all the same.
    fn finish(&mut self) -> io::Result<Refutation> {
        if self.tail != *b"\n0\n" && self.tail != *b"\x000\n" {
            self.write(b"0\n")?;
        }
        self.target.flush()?;
        Ok(Refutation::Proved { bytes: self.bytes })
    }
}

/// The side that the solver has.
struct Target<'r, 't> {
    pulse: Rc<Pulse>,
    record: &'r RefCell<Record<'t>>,
}

impl Write for Target<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.pulse.take(bytes.len()) {
            return Err(io::ErrorKind::Other.into());
        }
        let mut record = self.record.borrow_mut();
        match record.write(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                record.error = Some(error);
                Err(io::ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
