//! A checker for DRAT proofs that shares nothing with the solver: it knows unit propagation and nothing else.
//!
//! Every clause that a proof adds must follow by unit propagation from those before it (RUP): with all its literals false,
//! propagation finds a contradiction. Clauses that need more (RAT) are rejected; varisat writes none. A proof is
//! accepted if it gets to the empty clause. What a deleted clause has forced at the top stays, as in drat-trim.

use std::collections::HashMap;

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A clause is added.
    Add(Vec<i64>),
    /// A clause is deleted.
    Delete(Vec<i64>),
}

/// The clauses of a formula in the format of DIMACS.
pub fn formula(text: &str) -> Result<Vec<Vec<i64>>, String> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
    let ["p", "cnf", variables, count] = head[..] else { return Err(format!("a strange head: {head:?}")) };
    let variables: i64 = number(variables)?;
    let clauses: Vec<Vec<i64>> = lines.map(clause).collect::<Result<_, _>>()?;
    let is_known = |literal: &i64| literal.abs() <= variables;
    if !clauses.iter().flatten().all(is_known) || number(count)? != clauses.len() as i64 {
        return Err("the head does not fit the clauses".to_owned());
    }
    Ok(clauses)
}

/// The steps of a proof.
pub fn proof(text: &str) -> Result<Vec<Step>, String> {
    let step = |line: &str| match line.strip_prefix("d ") {
        Some(rest) => clause(rest).map(Step::Delete),
        None => clause(line).map(Step::Add),
    };
    text.lines().map(step).collect()
}

fn number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("no number: {text}"))
}

fn clause(line: &str) -> Result<Vec<i64>, String> {
    let mut literals: Vec<i64> = line.split_whitespace().map(number).collect::<Result<_, _>>()?;
    match literals.pop() {
        Some(0) if !literals.contains(&0) => Ok(literals),
        _ => Err(format!("no clause: {line}")),
    }
}

/// Whether a proof shows that a formula has no solution.
pub fn check(formula: &[Vec<i64>], proof: &[Step]) -> Result<(), String> {
    let mut state = State::default();
    formula.iter().for_each(|clause| state.add(clause));
    for (number, step) in proof.iter().enumerate() {
        match step {
            Step::Add(clause) if !state.follows(clause) => {
                return Err(format!("step {} does not follow: {clause:?}", number + 1));
            }
            Step::Add(clause) if clause.is_empty() => return Ok(()),
            Step::Add(clause) => state.add(clause),
            Step::Delete(clause) => state.delete(clause)?,
        }
    }
    Err("the empty clause is missing".to_owned())
}

/// The clauses at a point of the proof, and what they force.
#[derive(Default)]
struct State {
    clauses: Vec<Vec<i64>>,
    is_deleted: Vec<bool>,
    /// The clauses that watch a literal, which is one of their first two.
    watches: HashMap<i64, Vec<usize>>,
    numbers: HashMap<Vec<i64>, Vec<usize>>,
    is_true: HashMap<i64, bool>,
    trail: Vec<i64>,
    done: usize,
    is_contradictory: bool,
}

fn sorted(clause: &[i64]) -> Vec<i64> {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause.dedup();
    clause
}

impl State {
    fn value(&self, literal: i64) -> Option<bool> {
        self.is_true.get(&literal).copied()
    }

    fn set(&mut self, literal: i64) {
        self.is_true.insert(literal, true);
        self.is_true.insert(-literal, false);
        self.trail.push(literal);
    }

    fn add(&mut self, clause: &[i64]) {
        let key = sorted(clause);
        let number = self.clauses.len();
        let mut clause = key.clone();
        self.numbers.entry(key).or_default().push(number);
        // What is not false comes first, so that it is watched.
        clause.sort_by_key(|&literal| self.value(literal) == Some(false));
        let is_open = |literal: &i64| self.value(*literal) != Some(false);
        match clause.iter().filter(|literal| is_open(literal)).count() {
            0 => self.is_contradictory = true,
            1 => {
                if self.value(clause[0]).is_none() {
                    self.set(clause[0]);
                    self.is_contradictory |= !self.propagate();
                }
            }
            _ => clause[..2].iter().for_each(|&watched| {
                self.watches.entry(watched).or_default().push(number);
            }),
        }
        self.clauses.push(clause);
        self.is_deleted.push(false);
    }

    fn delete(&mut self, clause: &[i64]) -> Result<(), String> {
        let number = self.numbers.get_mut(&sorted(clause)).and_then(Vec::pop);
        let number = number.ok_or_else(|| format!("there is no such clause to delete: {clause:?}"))?;
        self.is_deleted[number] = true;
        Ok(())
    }

    /// Whether a clause follows by unit propagation.
    fn follows(&mut self, clause: &[i64]) -> bool {
        if self.is_contradictory {
            return true;
        }
        let mark = self.trail.len();
        let mut contradicts = false;
        for &literal in clause {
            match self.value(literal) {
                Some(true) => contradicts = true,
                Some(false) => {}
                None => self.set(-literal),
            }
        }
        let follows = contradicts || !self.propagate();
        for literal in self.trail.split_off(mark) {
            self.is_true.remove(&literal);
            self.is_true.remove(&-literal);
        }
        self.done = mark;
        follows
    }

    /// Sets everything that is forced. False: there is a contradiction.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.done) {
            self.done += 1;
            let watching = self.watches.remove(&-literal).unwrap_or_default();
            let mut kept = Vec::new();
            let mut contradicts = false;
            for number in watching {
                if !contradicts && !self.is_deleted[number] && self.moved(number, -literal) {
                    continue;
                }
                kept.push(number);
                if contradicts || self.is_deleted[number] {
                    continue;
                }
                let other = self.clauses[number][0];
                match self.value(other) {
                    Some(true) => {}
                    Some(false) => contradicts = true,
                    None => self.set(other),
                }
            }
            self.watches.entry(-literal).or_default().extend(kept);
            if contradicts {
                return false;
            }
        }
        true
    }

    /// Watches another literal in place of one that is false. If there is none, the other watched literal stands first.
    fn moved(&mut self, number: usize, from: i64) -> bool {
        if self.clauses[number][0] == from {
            self.clauses[number].swap(0, 1);
        }
        let rest = self.clauses[number][2..].iter();
        let Some(place) = rest.clone().position(|&literal| self.value(literal) != Some(false)) else {
            return false;
        };
        self.clauses[number].swap(1, place + 2);
        let watched = self.clauses[number][1];
        self.watches.entry(watched).or_default().push(number);
        true
    }
}
