//! A schedule with few context switches for a partial order of steps.
//!
//! Given are, for each thread, its units of work in order, and for each unit how far other threads must have come
//! before it. To let a thread run as far as it can, once it runs, is never worse than to stop it early: it only
//! makes more possible. So a schedule is a sequence of threads, and the search goes level by level over the number
//! of switches, keeping the states of progress that no other one exceeds. Of those only the most advanced are kept
//! (a beam): with two threads the result is the best possible, with many it is a good one.

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;

/// How far some thread must have come: its number, and how many of its units must be done.
pub type Need = (usize, usize);

/// The units of each thread: what each of them needs of the others.
pub struct Order {
    /// By thread and position.
    pub needs: Vec<Vec<Vec<Need>>>,
    /// How many units of each thread are done before the counting begins.
    pub done: Vec<usize>,
}

/// How many states a level keeps: long schedules, and those of many threads, get a narrow beam.
fn beam(units: usize, threads: usize) -> usize {
    (64_000 / (units * threads).max(1)).clamp(1, 32)
}

/// A state of progress: what is done, and the runs that led there.
#[derive(Clone)]
struct Partial {
    done: Vec<usize>,
    runs: Vec<usize>,
}

impl Partial {
    fn total(&self) -> usize {
        self.done.iter().sum()
    }

    fn covers(&self, other: &Self) -> bool {
        self.runs.last() == other.runs.last()
            && self.done.iter().zip(&other.done).all(|(mine, theirs)| mine >= theirs)
    }
}

impl Order {
    fn is_ready(&self, done: &[usize], thread: usize) -> bool {
        let next = self.needs[thread].get(done[thread]);
        next.is_some_and(|needs| needs.iter().all(|&(other, count)| done[other] >= count))
    }

    fn is_complete(&self, done: &[usize]) -> bool {
        done.iter().zip(&self.needs).all(|(&done, units)| done == units.len())
    }

    /// Lets a thread run as far as it can.
    fn advance(&self, done: &mut [usize], thread: usize) {
        while self.is_ready(done, thread) {
            done[thread] += 1;
        }
    }

    /// The threads in the order in which they run, each as far as it can, with fewer switches than the given
    /// number; `None` if none was found.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn schedule(&self, switches: usize, limits: &Limits) -> Result<Option<Vec<usize>>, Stop> {
        let width = beam(self.needs.iter().map(Vec::len).sum(), self.needs.len());
        let mut level = vec![Partial { done: self.done.clone(), runs: Vec::new() }];
        for _ in 0..switches {
            let mut next = Vec::new();
            for partial in &level {
                limits.check()?;
                self.extend(partial, &mut next);
            }
            if let Some(complete) = next.iter().find(|partial| self.is_complete(&partial.done)) {
                return Ok(Some(complete.runs.clone()));
            }
            level = most_advanced(next, width);
        }
        Ok(None)
    }

    fn extend(&self, partial: &Partial, next: &mut Vec<Partial>) {
        for thread in (0..self.needs.len()).filter(|&thread| self.is_ready(&partial.done, thread)) {
            let mut longer = partial.clone();
            self.advance(&mut longer.done, thread);
            longer.runs.push(thread);
            next.push(longer);
        }
    }

    /// The units in the order of a schedule: thread and position. What is done before the counting comes first.
    pub fn units(&self, runs: &[usize]) -> Vec<(usize, usize)> {
        let before =
            self.done.iter().enumerate().flat_map(|(thread, &done)| (0..done).map(move |n| (thread, n)));
        let mut units: Vec<(usize, usize)> = before.collect();
        let mut done = self.done.clone();
        for &thread in runs {
            let from = done[thread];
            self.advance(&mut done, thread);
            units.extend((from..done[thread]).map(|position| (thread, position)));
        }
        units
    }
}

/// The states that no other one covers, the most advanced ones if there are too many.
fn most_advanced(mut partials: Vec<Partial>, width: usize) -> Vec<Partial> {
    partials.sort_by_key(|partial| std::cmp::Reverse(partial.total()));
    let mut kept: Vec<Partial> = Vec::new();
    for partial in partials {
        if kept.len() == width {
            break;
        }
        if !kept.iter().any(|better| better.covers(&partial)) {
            kept.push(partial);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(needs: Vec<Vec<Vec<Need>>>, switches: usize) -> Option<Vec<usize>> {
        let done = vec![0; needs.len()];
        Order { needs, done }.schedule(switches, &Limits::none()).expect("there is no limit")
    }

    #[test]
    fn independent_threads_run_one_after_the_other() {
        let free = || vec![Vec::new(); 5];
        let found = schedule(vec![free(), free(), free()], 9).expect("there is a schedule");
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn needs_are_respected_and_the_shortest_schedule_is_found() {
        // Thread 0 waits for thread 1, which waits for thread 2: best is 2, 1, 0.
        let needs = vec![vec![vec![], vec![(1, 2)]], vec![vec![], vec![(2, 1)]], vec![vec![]]];
        assert_eq!(schedule(needs.clone(), 3), Some(vec![2, 1, 0]));
        assert_eq!(schedule(needs, 2), None, "three runs have two switches, which is not fewer");
    }

    #[test]
    fn many_threads_are_no_problem() {
        // Fifty threads take turns.
        let (threads, rounds) = (50, 40);
        let unit = |thread: usize, round: usize| match thread.checked_sub(1) {
            Some(before) => vec![(before, round + 1)],
            None => vec![(threads - 1, round)],
        };
        let units = |thread| (0..rounds).map(|round| unit(thread, round)).collect();
        let found = schedule((0..threads).map(units).collect(), 4_000).expect("there is a schedule");
        assert_eq!(found.len(), threads * rounds);
    }

    #[test]
    fn an_order_that_alternates_stays_as_it_is() {
        let needs = vec![vec![vec![], vec![(1, 1)], vec![(1, 2)]], vec![vec![(0, 1)], vec![(0, 2)]]];
        assert_eq!(schedule(needs, 5), Some(vec![0, 1, 0, 1, 0]));
    }
}
