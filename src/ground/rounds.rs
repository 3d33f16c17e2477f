//! Rounds: several workers advance in step, so that the first one to have an answer is a matter of their work and not of
//! the clock.
//!
//! Work is counted in checks of the limits ([`Limits::check`](super::limits::Limits::check)), which every worker makes as
//! it goes along. In every round each worker may make as many checks as its quota says, and then waits for the others. If
//! some worker has an answer at the end of a round, the race is over: the first of them in the order of their numbers has
//! won, and the others are told to stop. A worker that has an answer and no other before it in that order need not
//! wait: it has won.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a worker that waits looks whether the run was stopped.
const PERIOD: Duration = Duration::from_millis(5);

/// A race in rounds.
#[derive(Debug)]
pub struct Rounds {
    state: Mutex<State>,
    changed: Condvar,
    /// The race is over: what `state` says, without a lock.
    over: AtomicBool,
}

#[derive(Debug)]
struct State {
    round: u64,
    workers: Vec<Worker>,
    over: bool,
}

/// What a worker is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Worker {
    Working,
    Waiting,
    /// It has ended, with or without an answer.
    Done(bool),
}

impl Rounds {
    /// A race of so many workers. All of them are working.
    #[must_use]
    pub fn new(workers: usize) -> Arc<Self> {
        let state = State { round: 0, workers: vec![Worker::Working; workers], over: false };
        Arc::new(Self { state: Mutex::new(state), changed: Condvar::new(), over: AtomicBool::new(false) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The worker that has won, if one has.
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        let state = self.state();
        state.workers.iter().position(|&worker| worker == Worker::Done(true)).filter(|_| state.over)
    }

    /// A worker waits for the next round. False: the race is over.
    fn wait(&self, worker: usize, is_stopped: impl Fn() -> bool) -> bool {
        let mut state = self.state();
        let round = state.round;
        state.workers[worker] = Worker::Waiting;
        self.advance(&mut state);
        while !state.over && state.round == round && !is_stopped() {
            let waited = self.changed.wait_timeout(state, PERIOD);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.workers[worker] == Worker::Waiting {
            state.workers[worker] = Worker::Working;
        }
        !state.over
    }

    /// A worker has ended.
    fn end(&self, worker: usize, answered: bool) {
        let mut state = self.state();
        state.workers[worker] = Worker::Done(answered);
        // If it panics, there is nothing to wait for.
        state.over |= std::thread::panicking();
        self.advance(&mut state);
    }

    /// Ends the race or the round, if all that matter are there.
    fn advance(&self, state: &mut State) {
        state.advance();
        self.over.store(state.over, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

impl State {
    fn advance(&mut self) {
        let first =
            self.workers.iter().position(|&worker| matches!(worker, Worker::Working | Worker::Done(true)));
        match first {
            // All that come before it wait or have given up: they cannot win this round.
            Some(first) if self.workers[first] == Worker::Done(true) => self.over = true,
            Some(_) => {}
            None => {
                self.round += 1;
                for worker in self.workers.iter_mut().filter(|worker| **worker == Worker::Waiting) {
                    *worker = Worker::Working;
                }
            }
        }
    }
}

/// The part of a race that one worker sees.
#[derive(Debug)]
pub struct Pace {
    rounds: Arc<Rounds>,
    worker: usize,
    quota: u64,
    made: AtomicU64,
}

impl Pace {
    /// A worker with its quota of checks in a round.
    #[must_use]
    pub fn new(rounds: &Arc<Rounds>, worker: usize, quota: u64) -> Arc<Self> {
        Arc::new(Self { rounds: Arc::clone(rounds), worker, quota, made: AtomicU64::new(0) })
    }

    /// One check. False: the race is over. `is_stopped` tells whether the run was stopped while this waits.
    pub fn tick(&self, is_stopped: impl Fn() -> bool) -> bool {
        if self.rounds.over.load(Ordering::Relaxed) {
            return false;
        }
        let made = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        !made.is_multiple_of(self.quota) || self.skip(is_stopped)
    }

    /// Leaves the rest of this round to the others. False: the race is over.
    pub fn skip(&self, is_stopped: impl Fn() -> bool) -> bool {
        self.rounds.wait(self.worker, is_stopped)
    }

    /// What tells the others when the worker ends, whatever ends it.
    #[must_use]
    pub fn ending(&self) -> Ending<'_> {
        Ending { pace: self, answered: false }
    }
}

/// Ends a worker when it is dropped.
pub struct Ending<'a> {
    pace: &'a Pace,
    /// Whether it has an answer.
    pub answered: bool,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.pace.rounds.end(self.pace.worker, self.answered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Workers that need this much work, with a quota of ten and a pause in each step: who wins.
    fn race(work: [(u64, bool, u64); 2]) -> Option<usize> {
        let rounds = Rounds::new(2);
        std::thread::scope(|scope| {
            for (worker, (checks, answered, pause)) in work.into_iter().enumerate() {
                let pace = Pace::new(&rounds, worker, 10);
                scope.spawn(move || {
                    let mut ending = pace.ending();
                    for _ in 0..checks {
                        std::thread::sleep(Duration::from_micros(pause));
                        if !pace.tick(|| false) {
                            return;
                        }
                    }
                    ending.answered = answered;
                });
            }
        });
        rounds.winner()
    }

    #[test]
    fn less_work_wins_however_long_it_takes() {
        for (slow, fast) in [(300, 0), (0, 300), (0, 0)] {
            assert_eq!(race([(55, true, slow), (25, true, fast)]), Some(1));
            assert_eq!(race([(25, true, slow), (55, true, fast)]), Some(0));
        }
    }

    #[test]
    fn in_the_same_round_the_first_wins() {
        for (slow, fast) in [(300, 0), (0, 300)] {
            assert_eq!(race([(28, true, slow), (21, true, fast)]), Some(0));
        }
    }

    #[test]
    fn who_has_no_answer_does_not_win() {
        assert_eq!(race([(5, false, 0), (55, true, 0)]), Some(1));
        assert_eq!(race([(55, true, 0), (5, false, 0)]), Some(0));
        assert_eq!(race([(5, false, 0), (25, false, 0)]), None);
    }
}
