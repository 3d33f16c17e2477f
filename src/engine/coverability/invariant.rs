//! Linear invariants, found on demand.
//!
//! Give every place and control state a weight of at least zero such that no step increases the weight of a marking.
//! Then no marking can be reached that weighs more than every initial one. Such weights are the answers of a linear
//! program: the *state equation* [ELM+14] asks for numbers of firings, at least zero, that lead from the initial
//! tokens to at least those of an element of the backward search. If there are none, Farkas' lemma has weights that
//! show it. They are kept, and most later elements are excluded by weights that are there already.
//!
//! The program is solved by the dual simplex method in floating point, starting from the slack basis. That may go wrong in the last digits, so weights are rounded to integers and tested exactly, in integers,
//! before they are used. What does not pass is not used: soundness rests on the test alone.
//!
//! Sweeps: a moved token may become any token of its choice, none of which may weigh more; each such move is a firing of
//! its own.

use super::index::NetIndex;
use super::marking::count;
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{ControlId, Net, PlaceId, Sweep, Transition};

/// Programs with more cells than this are not asked: one question takes too long.
const CELLS: usize = 1 << 22;
/// Nets with more places and control states than this are not asked either.
const ROWS: usize = 1 << 15;
/// How many cells one question may look at.
const QUESTION: u64 = 1 << 26;
/// How many cells may be looked at before a question must have been answered.
const BUDGET: i64 = 1 << 24;
/// How many cells more may be looked at for each one that led to an answer.
const REWARD: i64 = 4;
/// Numbers below this are zero.
const TINY: f64 = 1e-7;
/// Pivots after which a program is given up; from half of them on Bland's rule keeps it from turning in circles.
const PIVOTS: usize = 400;

/// The columns of the program: what a firing adds, by row. Rows are places, then control states.
type Column = Vec<(usize, i64)>;

/// Weights that no step increases.
struct Weights {
    by_row: Vec<i64>,
    /// The most that an initial marking weighs.
    initial: i128,
}

/// The invariants of a net.
pub(super) struct Invariants<'a> {
    places: usize,
    rows: usize,
    net: &'a Net,
    columns: Vec<Column>,
    known: Vec<Weights>,
    /// Rows that a column has an entry in.
    in_use: Vec<bool>,
    /// How many cells may yet be looked at without an answer.
    budget: i64,
    work: u64,
}

impl<'a> Invariants<'a> {
    /// No invariant yet.
    pub(super) fn new(index: &NetIndex<'a>) -> Self {
        let net = index.net;
        let (places, controls) = (net.places.len(), net.controls.len());
        let rows = places + controls;
        let useful = net.initial.len() == 1 && rows <= ROWS;
        let mut columns = if useful { columns(net) } else { Vec::new() };
        columns.sort_unstable();
        columns.dedup();
        let mut in_use = vec![false; rows];
        columns.iter().flatten().for_each(|&(row, _)| in_use[row] = true);
        let cells = in_use.iter().filter(|used| **used).count().saturating_mul(columns.len());
        let budget = if useful && cells <= CELLS { BUDGET } else { 0 };
        Self { places, rows, net, columns, known: Vec::new(), in_use, budget, work: 0 }
    }

    /// Work done, in comparisons.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Whether an invariant shows that no marking with at least these tokens can be reached.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn exclude(
        &mut self,
        control: ControlId,
        tokens: &[(PlaceId, u32)],
        limits: &Limits,
    ) -> Result<bool, Stop> {
        self.work += self.known.len() as u64;
        if self.known.iter().any(|weights| self.weight(weights, control, tokens) > weights.initial) {
            return Ok(true);
        }
        if self.budget <= 0 {
            return Ok(false);
        }
        let before = self.budget;
        let Some(weights) = self.question(control, tokens, limits)? else { return Ok(false) };
        if self.weight(&weights, control, tokens) <= weights.initial {
            return Ok(false);
        }
        self.budget = before + REWARD * (before - self.budget);
        self.known.push(weights);
        Ok(true)
    }

    fn weight(&self, weights: &Weights, control: ControlId, tokens: &[(PlaceId, u32)]) -> i128 {
        let of_tokens = |&(place, number): &(PlaceId, u32)| {
            i128::from(weights.by_row[place.index()]) * i128::from(number)
        };
        i128::from(weights.by_row[self.places + control.index()]) + tokens.iter().map(of_tokens).sum::<i128>()
    }

    /// Weights against a marking that have passed the test.
    fn question(
        &mut self,
        control: ControlId,
        tokens: &[(PlaceId, u32)],
        limits: &Limits,
    ) -> Result<Option<Weights>, Stop> {
        let initial = &self.net.initial[0];
        let mut slack = vec![0.0; self.rows];
        initial.tokens.iter().for_each(|&(place, number)| slack[place.index()] += f64::from(number));
        tokens.iter().for_each(|&(place, number)| slack[place.index()] -= f64::from(number));
        slack[self.places + initial.control.index()] += 1.0;
        slack[self.places + control.index()] -= 1.0;
        // An unbounded place can offer whatever is asked for.
        initial.unbounded.iter().for_each(|&place| slack[place.index()] = f64::INFINITY);
        let mut program = Program::new(&self.columns, &self.in_use, slack);
        let answer = program.farkas(limits)?;
        self.work += program.cells / 16;
        self.budget -= i64::try_from(program.cells).unwrap_or(i64::MAX);
        Ok(answer.and_then(|weights| integers(&weights, self.rows)).and_then(|by_row| self.tested(by_row)))
    }

    /// Weights, if no step increases them and no initial marking is without bound.
    fn tested(&self, by_row: Vec<i64>) -> Option<Weights> {
        let initial = &self.net.initial[0];
        let weightless = |place: &PlaceId| by_row[place.index()] == 0;
        let fits = by_row.iter().all(|&weight| weight >= 0)
            && initial.unbounded.iter().all(weightless)
            && self.net.transitions.iter().all(|transition| self.never_increases(&by_row, transition));
        let mut weights = Weights { by_row, initial: 0 };
        weights.initial = self.weight(&weights, initial.control, &initial.tokens);
        fits.then_some(weights)
    }

    fn never_increases(&self, by_row: &[i64], transition: &Transition) -> bool {
        let of = |tokens: &[(PlaceId, u32)]| -> i128 {
            let weight = |entry: &(PlaceId, u32)| i128::from(by_row[entry.0.index()]) * i128::from(entry.1);
            tokens.iter().map(weight).sum()
        };
        let control = |control: ControlId| i128::from(by_row[self.places + control.index()]);
        let moved = |(place, sweep): &(PlaceId, Sweep)| match sweep {
            Sweep::Move(targets) => {
                targets.iter().all(|target| by_row[target.index()] <= by_row[place.index()])
            }
            Sweep::Lose | Sweep::Forbid => true,
        };
        of(&transition.give) + control(transition.to) <= of(&transition.take) + control(transition.from)
            && transition.sweep.iter().all(moved)
    }
}

/// The effects of the transitions, and of single moved tokens.
fn columns(net: &Net) -> Vec<Column> {
    let places = net.places.len();
    let mut columns = Vec::new();
    for transition in net.transitions.iter() {
        let mut column = Column::new();
        for &(place, number) in &transition.give {
            let change = i64::from(number) - i64::from(count(&transition.take, place));
            column.extend((change != 0).then_some((place.index(), change)));
        }
        for &(place, number) in transition.take.iter().filter(|entry| count(&transition.give, entry.0) == 0) {
            column.push((place.index(), -i64::from(number)));
        }
        if transition.from != transition.to {
            column.push((places + transition.from.index(), -1));
            column.push((places + transition.to.index(), 1));
        }
        columns.push(column);
        for (place, sweep) in &transition.sweep {
            if let Sweep::Move(targets) = sweep {
                let others = targets.iter().filter(|target| *target != place);
                columns.extend(others.map(|target| vec![(place.index(), -1), (target.index(), 1)]));
            }
        }
    }
    columns
}

/// A tableau: basic variables as affine combinations of the others, which are zero.
struct Program {
    /// By row: the constant, then the coefficients.
    rows: Vec<Row>,
    /// What stands in each column.
    nonbasic: Vec<Variable>,
    /// How many cells were looked at.
    cells: u64,
}

struct Row {
    basic: Variable,
    constant: f64,
    coefficients: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Firings(usize),
    Slack(usize),
}

impl Program {
    /// Rows that are satisfied and stay so are left out.
    fn new(columns: &[Column], in_use: &[bool], slack: Vec<f64>) -> Self {
        let mut position = vec![usize::MAX; slack.len()];
        let mut rows = Vec::new();
        for (number, constant) in slack.into_iter().enumerate() {
            if constant != f64::INFINITY && (in_use[number] || constant < 0.0) {
                position[number] = rows.len();
                let coefficients = vec![0.0; columns.len()];
                rows.push(Row { basic: Variable::Slack(number), constant, coefficients });
            }
        }
        for (number, column) in columns.iter().enumerate() {
            for &(row, change) in column.iter().filter(|entry| position[entry.0] != usize::MAX) {
                rows[position[row]].coefficients[number] = change as f64;
            }
        }
        Self { rows, nonbasic: (0..columns.len()).map(Variable::Firings).collect(), cells: 0 }
    }

    /// Weights by row if the program has no solution.
    fn farkas(&mut self, limits: &Limits) -> Result<Option<Vec<f64>>, Stop> {
        for pivots in 0..PIVOTS {
            limits.check()?;
            if self.cells > QUESTION {
                break;
            }
            self.cells += (self.rows.len() * self.nonbasic.len()) as u64;
            let Some(row) = self.violated(pivots) else { return Ok(None) };
            match self.entering(row, pivots) {
                Some(column) => self.pivot(row, column),
                None => return Ok(Some(self.weights(row))),
            }
        }
        Ok(None)
    }

    fn violated(&self, pivots: usize) -> Option<usize> {
        let violated = (0..self.rows.len()).filter(|&row| self.rows[row].constant < -TINY);
        if pivots < PIVOTS / 2 {
            violated.min_by(|&one, &other| self.rows[one].constant.total_cmp(&self.rows[other].constant))
        } else {
            violated.min_by_key(|&row| self.rows[row].basic)
        }
    }

    fn entering(&self, row: usize, pivots: usize) -> Option<usize> {
        let coefficients = &self.rows[row].coefficients;
        let mut entering = (0..coefficients.len()).filter(|&column| coefficients[column] > TINY);
        if pivots < PIVOTS / 2 {
            entering.next()
        } else {
            entering.min_by_key(|&column| self.nonbasic[column])
        }
    }

    /// Exchanges a basic variable with another.
    fn pivot(&mut self, row: usize, column: usize) {
        let pivot = self.rows[row].coefficients[column];
        let leaving = self.rows[row].basic;
        let solved = &mut self.rows[row];
        solved.constant /= -pivot;
        solved.coefficients.iter_mut().for_each(|coefficient| *coefficient /= -pivot);
        solved.coefficients[column] = 1.0 / pivot;
        solved.basic = std::mem::replace(&mut self.nonbasic[column], leaving);
        let constant = solved.constant;
        let coefficients = std::mem::take(&mut solved.coefficients);
        for (number, other) in self.rows.iter_mut().enumerate() {
            if number == row || other.coefficients[column].abs() < TINY {
                continue;
            }
            let factor = std::mem::replace(&mut other.coefficients[column], 0.0);
            other.constant += factor * constant;
            for (mine, theirs) in other.coefficients.iter_mut().zip(&coefficients) {
                *mine += factor * theirs;
            }
        }
        self.rows[row].coefficients = coefficients;
    }

    /// The row is negative whatever the others are: the weights of the rows it was made of.
    fn weights(&self, row: usize) -> Vec<f64> {
        let slacks = self.nonbasic.iter().zip(&self.rows[row].coefficients);
        let own = std::iter::once((self.rows[row].basic, 1.0));
        let mut weights: Vec<f64> = Vec::new();
        for (variable, weight) in slacks.map(|(&variable, &coefficient)| (variable, -coefficient)).chain(own)
        {
            if let Variable::Slack(number) = variable {
                weights.resize(weights.len().max(number + 1), 0.0);
                weights[number] = weight;
            }
        }
        weights
    }
}

/// Weights as integers: a common denominator is looked for among the small ones.
fn integers(weights: &[f64], rows: usize) -> Option<Vec<i64>> {
    let whole = |&weight: &f64| (weight - weight.round()).abs() < 1e-5 && weight.abs() < 1e9;
    let scaled = |factor: u32| weights.iter().map(move |weight| weight * f64::from(factor));
    let factor = (1..=60).find(|&factor| scaled(factor).all(|weight| whole(&weight)))?;
    let mut integers: Vec<i64> = scaled(factor).map(|weight| weight.round() as i64).collect();
    integers.resize(rows, 0);
    Some(integers)
}
