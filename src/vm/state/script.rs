//! What a run asks during a step: all answers, one list after the other.
//!
//! A step is made with the first possibility of each question. Then the last question that has another one gets
//! it, and the step is made again from the same state, until nothing is left: depth first.

use crate::vm::choices::{Choice, ChoiceError, ChoiceKind, Chooser, Chosen, Domain};
use crate::vm::value::mask128;
use std::cell::RefCell;

/// Which answers are tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answers {
    /// All numbers, where a question has at most so many; others have no answer.
    All(u64),
    /// These numbers, cut to the width that is asked for: whoever wants that assumes that there are no others.
    Among(Vec<i128>),
}

/// How much of the possibilities is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tried {
    All,
    /// Those that there are by assumption.
    Assumed,
    /// One of many.
    One,
}

/// A question, and which of its possibilities was taken.
#[derive(Clone, Debug)]
struct Level {
    taken: usize,
    count: usize,
    chosen: Chosen,
}

#[derive(Debug, Default)]
struct Inner {
    levels: Vec<Level>,
    next: usize,
    left_out: Option<String>,
    assumed: bool,
}

/// Answers a step's questions; shared with whoever makes the steps.
#[derive(Debug)]
pub struct Script {
    answers: Answers,
    inner: RefCell<Inner>,
}

impl Script {
    /// Nothing was asked yet.
    #[must_use]
    pub fn new(answers: Answers) -> Self {
        Self { answers, inner: RefCell::default() }
    }

    /// A step is about to be made for the first time.
    pub(super) fn clear(&self) {
        let mut inner = self.inner.borrow_mut();
        inner.levels.clear();
        inner.next = 0;
    }

    /// Whether there are other answers; then the step is to be made again.
    pub(super) fn advance(&self) -> bool {
        let mut inner = self.inner.borrow_mut();
        let asked = inner.next;
        inner.levels.truncate(asked);
        inner.next = 0;
        while let Some(level) = inner.levels.last_mut() {
            if level.taken + 1 < level.count {
                level.taken += 1;
                return true;
            }
            inner.levels.pop();
        }
        false
    }

    /// What the step has asked, with the answers.
    #[must_use]
    pub fn chosen(&self) -> Vec<Chosen> {
        let inner = self.inner.borrow();
        inner.levels[..inner.next].iter().map(|level| level.chosen.clone()).collect()
    }

    /// Why not all answers were tried, if that was so since the last call.
    pub fn left_out(&self) -> Option<String> {
        self.inner.borrow_mut().left_out.take()
    }

    /// Whether numbers were left out as it was asked for, since the last call.
    pub fn assumed(&self) -> bool {
        std::mem::take(&mut self.inner.borrow_mut().assumed)
    }

    fn possibilities(&self, choice: &Choice) -> Option<(Vec<u128>, Tried)> {
        match (&choice.domain, &self.answers) {
            (Domain::Among(values), _) => {
                Some((values.iter().map(|&value| u128::from(value)).collect(), Tried::All))
            }
            (Domain::Address { suggestion, .. }, _) => Some((vec![u128::from(*suggestion)], Tried::One)),
            (Domain::Bits(1), _) => Some((vec![0, 1], Tried::All)),
            (Domain::Bits(bits), Answers::All(most)) => {
                let count = 1u64.checked_shl(*bits).filter(|count| *bits < 64 && count <= most)?;
                Some(((0..u128::from(count)).collect(), Tried::All))
            }
            (Domain::Bits(bits), Answers::Among(numbers)) => Some((cut(numbers, *bits), Tried::Assumed)),
        }
    }
}

/// Numbers as those of so many bits, each once.
fn cut(numbers: &[i128], bits: u32) -> Vec<u128> {
    let mut values = Vec::new();
    for &number in numbers {
        let value = number as u128 & mask128(bits);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    if values.is_empty() { vec![0] } else { values }
}

/// What is asked, in words.
fn told(choice: &Choice) -> String {
    let what = match choice.kind {
        ChoiceKind::Input => "an input",
        ChoiceKind::Uninitialised => "uninitialised bytes",
        ChoiceKind::Undefined => "an undefined value",
        ChoiceKind::Address => "the address of an object",
        _ => "a result",
    };
    match (&choice.domain, choice.name.as_str()) {
        (Domain::Bits(bits), "") => format!("{what} of {bits} bits"),
        (Domain::Bits(bits), name) => format!("{what} of {bits} bits (`{name}`)"),
        (_, name) => format!("{what} (`{name}`)"),
    }
}

impl Chooser for &Script {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        let Some((values, tried)) = self.possibilities(choice) else {
            return Err(ChoiceError { number: 0, text: told(choice) });
        };
        let mut inner = self.inner.borrow_mut();
        inner.assumed |= tried == Tried::Assumed;
        if tried == Tried::One && inner.left_out.is_none() {
            inner.left_out = Some(told(choice));
        }
        let number = inner.next;
        if number == inner.levels.len() {
            inner.levels.push(Level { taken: 0, count: values.len(), chosen: Chosen::new(choice, 0) });
        }
        inner.next += 1;
        let level = &mut inner.levels[number];
        let value = values[level.taken];
        level.chosen = Chosen::new(choice, value);
        Ok(value)
    }
}
