//! A race of workers whose winner is a matter of their work, and not of the clock.
//!
//! Every worker counts its work in units as it goes along ([`Limits::spend`](super::limits::Limits::spend)). A number of units,
//! its quota, is a round. The race is won by the worker that has an answer in the earliest round, and among several in the
//! same round by the first in the order of their numbers. So the winner depends on the work alone, on a fast and on a loaded machine.
//!
//! Nobody waits at the end of a round: each worker goes on as fast as it can. When one has an answer, it has won as soon as all others
//! have got past the place in the race where they could still be before it; they are told to stop then. What a loser has done beyond
//! that place depends on the clock: it must be dropped.
//!
//! A worker may begin later than others: it is counted as if it had already worked for some rounds, and waits until the first worker
//! has got there.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a worker that waits looks whether the run was stopped.
const PERIOD: Duration = Duration::from_millis(5);

/// A race.
#[derive(Debug)]
pub struct Rounds {
    workers: Mutex<Vec<Worker>>,
    changed: Condvar,
    /// The race is over: somebody has won, or a worker has panicked.
    over: AtomicBool,
}

/// How far a worker is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Worker {
    /// The round it is in.
    round: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Working,
    Answered,
    GaveUp,
}

impl Rounds {
    /// A race of so many workers. All of them are working, in round 0.
    #[must_use]
    pub fn new(workers: usize) -> Arc<Self> {
        let workers = Mutex::new(vec![Worker { round: 0, state: State::Working }; workers]);
        Arc::new(Self { workers, changed: Condvar::new(), over: AtomicBool::new(false) })
    }

    fn workers(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The worker that has won, if one has.
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        winner(&self.workers())
    }

    /// Notes something about a worker, and whether that ends the race.
    fn note(&self, worker: usize, change: impl FnOnce(&mut Worker)) {
        let mut workers = self.workers();
        change(&mut workers[worker]);
        // If it panics, there is nothing to wait for.
        if winner(&workers).is_some() || std::thread::panicking() {
            self.over.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Waits until a worker is in this round, has given up, or the race is over.
    fn wait_for(&self, worker: usize, round: u64, is_stopped: impl Fn() -> bool) {
        let mut workers = self.workers();
        while workers[worker].state == State::Working
            && workers[worker].round < round
            && !self.is_over()
            && !is_stopped()
        {
            let waited = self.changed.wait_timeout(workers, PERIOD);
            workers = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// The first worker with an answer, if no other can still be before it.
fn winner(workers: &[Worker]) -> Option<usize> {
    let places = || workers.iter().enumerate().map(|(number, worker)| ((worker.round, number), worker.state));
    let of = |state| places().filter(|place| place.1 == state).map(|place| place.0).min();
    let first = of(State::Answered)?;
    let is_decided = of(State::Working).is_none_or(|behind| first < behind);
    is_decided.then_some(first.1)
}

/// The part of a race that one worker sees.
#[derive(Debug)]
pub struct Pace {
    rounds: Arc<Rounds>,
    worker: usize,
    quota: u64,
    /// The units of work so far, with those that it is counted to have done before it began.
    made: AtomicU64,
}

impl Pace {
    /// A worker with its quota of units in a round, which begins in some round.
    #[must_use]
    pub fn new(rounds: &Arc<Rounds>, worker: usize, quota: u64, first: u64) -> Arc<Self> {
        rounds.note(worker, |worker| worker.round = first);
        let made = AtomicU64::new(first * quota);
        Arc::new(Self { rounds: Arc::clone(rounds), worker, quota, made })
    }

    /// Some units of work are done. False: the race is over.
    pub fn spend(&self, units: u64) -> bool {
        if self.rounds.is_over() {
            return false;
        }
        let before = self.made.fetch_add(units, Ordering::Relaxed);
        let round = (before + units) / self.quota;
        if round > before / self.quota {
            self.rounds.note(self.worker, |worker| worker.round = round);
        }
        !self.rounds.is_over()
    }

    /// Waits until another worker is where this one begins. False: the race is over, or the run was stopped.
    pub fn wait_for(&self, other: usize, is_stopped: impl Fn() -> bool) -> bool {
        let round = self.made.load(Ordering::Relaxed) / self.quota;
        self.rounds.wait_for(other, round, &is_stopped);
        !self.rounds.is_over() && !is_stopped()
    }

    /// The units of work so far.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
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
        let state = if self.answered { State::Answered } else { State::GaveUp };
        self.pace.rounds.note(self.pace.worker, |worker| worker.state = state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a worker does: its units of work, whether it has an answer then, the round it begins in, and a pause in each step.
    #[derive(Clone, Copy)]
    struct Task {
        units: u64,
        answered: bool,
        first: u64,
        pause: u64,
    }

    fn task(units: u64, answered: bool) -> Task {
        Task { units, answered, first: 0, pause: 0 }
    }

    /// Workers with a quota of ten: who wins.
    fn race(tasks: [Task; 2]) -> Option<usize> {
        let rounds = Rounds::new(2);
        let paces = [0, 1].map(|worker| Pace::new(&rounds, worker, 10, tasks[worker].first));
        std::thread::scope(|scope| {
            for (Task { units, answered, first, pause }, pace) in tasks.into_iter().zip(paces) {
                scope.spawn(move || {
                    let mut ending = pace.ending();
                    if first > 0 && !pace.wait_for(0, || false) {
                        return;
                    }
                    for _ in 0..units {
                        std::thread::sleep(Duration::from_micros(pause));
                        if !pace.spend(1) {
                            return;
                        }
                    }
                    ending.answered = answered;
                });
            }
        });
        rounds.winner()
    }

    /// The same, whoever is slower.
    fn in_all_speeds(tasks: [Task; 2], winner: Option<usize>) {
        for (one, other) in [(300, 0), (0, 300), (0, 0)] {
            let tasks = [Task { pause: one, ..tasks[0] }, Task { pause: other, ..tasks[1] }];
            assert_eq!(race(tasks), winner);
        }
    }

    #[test]
    fn less_work_wins_however_long_it_takes() {
        in_all_speeds([task(55, true), task(25, true)], Some(1));
        in_all_speeds([task(25, true), task(55, true)], Some(0));
    }

    #[test]
    fn in_the_same_round_the_first_wins() {
        in_all_speeds([task(28, true), task(21, true)], Some(0));
    }

    #[test]
    fn who_has_no_answer_does_not_win() {
        in_all_speeds([task(5, false), task(55, true)], Some(1));
        in_all_speeds([task(55, true), task(5, false)], Some(0));
        in_all_speeds([task(5, false), task(25, false)], None);
    }

    #[test]
    fn who_begins_later_is_counted_from_there() {
        let late = |units| Task { first: 3, ..task(units, true) };
        in_all_speeds([task(35, true), late(5)], Some(0));
        in_all_speeds([task(45, true), late(5)], Some(1));
        in_all_speeds([task(45, true), late(15)], Some(0));
        // The first one has given up before the other begins.
        in_all_speeds([task(5, false), late(5)], Some(1));
    }

    /// All races of two workers with few units, in all interleavings of their steps: the winner is the same in all of them.
    #[test]
    fn the_winner_is_the_same_in_all_interleavings() {
        for works in [[3, 7], [7, 3], [4, 4], [9, 1], [1, 9], [2, 3]] {
            let expected = usize::from(works[1] / 2 < works[0] / 2);
            for order in 0_u32..1 << 12 {
                assert_eq!(interleaved(works, order), Some(expected), "{works:?}, {order:012b}");
            }
        }
    }

    /// One race with a quota of two: each bit of the order says who makes the next step.
    fn interleaved(works: [u64; 2], order: u32) -> Option<usize> {
        let rounds = Rounds::new(2);
        let paces = [0, 1].map(|worker| Pace::new(&rounds, worker, 2, 0));
        let mut left = works.map(Some);
        for step in 0..40 {
            let worker = if step < 12 { (order >> step & 1) as usize } else { step % 2 };
            match left[worker] {
                Some(0) => {
                    paces[worker].ending().answered = true;
                    left[worker] = None;
                }
                Some(units) => left[worker] = paces[worker].spend(1).then_some(units - 1),
                None => {}
            }
        }
        rounds.winner()
    }
}
