//! The ghosts: which tallies are worth it, and the updates that keep them.

use super::super::templates::Count;
use super::super::{Action, Assumption, Block, ProcedureId, Program, Role, Scope, Variable};
use super::find::{Counter, Sums, Survey, is_small};
use super::seeds::compared;
use super::{Account, LARGEST, MOST_THREADS, Share, Shares, Tally};
use crate::term::arithmetic::{mask, to_signed};
use crate::term::{Sort, Symbol, Term};
use std::collections::BTreeMap;

/// Finds counters that threads share or draw numbers from, and keeps account of them. Calls must be in place.
pub fn keep(program: &mut Program) {
    let entry = &program.procedures[program.entry];
    let mut first = entry.edges.iter().filter(|edge| edge.from == entry.entry);
    if !first.all(|edge| matches!(edge.action, Action::Block(_))) {
        return;
    }
    let survey = Survey::of(program);
    for counter in survey.counters(program) {
        if let Some(bound) = draws(program, &counter).then(|| bound(program, &survey, &counter)).flatten() {
            keep_numbers(program, &survey, &counter, bound);
        } else if let Some(first) = counter.first.filter(|_| shares(program, &survey, &counter)) {
            keep_shares(program, &survey, &counter, first);
        }
    }
}

/// Whether threads draw numbers from a counter: it only counts up, and what was drawn is compared with something shared.
fn draws(program: &Program, counter: &Counter) -> bool {
    let up = counter.changes.values().all(|change| change.range.0 >= 0 && change.range.1 > 0);
    up && counter.shares.keys().any(|&template| !compared(program, template, counter.symbol).is_empty())
}

/// Why a counter does not wrap around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    /// The program sees to it itself: no edge that draws is taken when the counter has its greatest value.
    Program,
    /// All that threads draw in a run is less than the greatest value.
    Draws,
    /// The same, if no more than [`MOST_THREADS`] threads are ever started.
    Threads,
}

/// Why a counter that starts at zero or above does not wrap around; none if it may. From −1 to 0 it does not wrap around
/// in C, but in bits it does.
fn bound(program: &mut Program, survey: &Survey, counter: &Counter) -> Option<Bound> {
    let Sort::Bits(width) = program.store.sort_of_symbol(counter.symbol) else { return None };
    let first = to_signed(width, counter.first?);
    if first < 0 {
        return None;
    }
    let draws: Vec<_> = counter.changes.iter().map(|(&edge, change)| (edge, change.range.1)).collect();
    let may_wrap = |program: &mut Program| {
        draws.iter().any(|&(edge, most)| most > 1 || may_be_greatest(program, counter.symbol, edge))
    };
    if !may_wrap(program) {
        return Some(Bound::Program);
    }
    let (mut sum, mut reason) = (first, Bound::Draws);
    for (template, &count) in &survey.counts {
        let most = greatest(counter.shares.get(template)?.as_ref()?);
        let threads = match count {
            Count::AtMost(count) => count.min(MOST_THREADS),
            Count::Any if most == 0 => 0,
            Count::Any => {
                reason = Bound::Threads;
                MOST_THREADS
            }
        };
        sum += most * threads as i128;
    }
    (sum < mask(width).cast_signed()).then_some(reason)
}

/// The greatest sum of changes on any way through a template.
fn greatest(sums: &Sums) -> i128 {
    sums.iter().flatten().map(|&(_, most)| most).max().unwrap_or(0)
}

/// Whether threads that there may be any number of add to a counter and take away from it, never more than they added.
fn shares(program: &Program, survey: &Survey, counter: &Counter) -> bool {
    let bounded = counter.shares.iter().all(|(template, sums)| {
        let may_be = |&(least, most): &(i128, i128)| {
            least.abs().max(most) <= LARGEST && (survey.once.contains(template) || least >= 0)
        };
        sums.as_ref().is_some_and(|sums| sums.iter().flatten().all(may_be))
    });
    let taken_back = counter
        .changes
        .iter()
        .any(|((template, _), change)| change.range.0 < 0 && !survey.once.contains(template));
    let width = program.store.sort_of_symbol(counter.symbol);
    let Sort::Bits(width) = width else { return false };
    bounded && taken_back && counter.first.is_some_and(|first| is_small(width, first))
}

fn keep_numbers(program: &mut Program, survey: &Survey, counter: &Counter, bound: Bound) {
    let Sort::Bits(width) = program.store.sort_of_symbol(counter.symbol) else { return };
    let name = program.store.name(counter.symbol).to_owned();
    let none = program.store.bits(width + 1, 1 << width);
    let mut numbers = BTreeMap::new();
    for &template in &survey.templates {
        let sort = Sort::Bits(width + 1);
        numbers.insert(template, local(program, template, format!("<drawn from {name}>"), sort, none));
    }
    for (&(template, edge), change) in &counter.changes {
        let Program { store, procedures, .. } = &mut *program;
        let (number, old) = (numbers[&template], store.symbol(counter.symbol));
        let (kept, drawn) = (store.symbol(number), store.zero_extend(width + 1, old));
        let zero = store.bits(width, 0);
        let nothing = store.equal(change.amount, zero);
        let value = store.choose(nothing, kept, drawn);
        let greatest = store.bits(width, mask(width) - change.range.1.cast_unsigned());
        let wraps_here = store.unsigned_less(greatest, old);
        let goes_on = store.not(wraps_here);
        if let Action::Block(block) = &mut procedures[template].edges[edge].action {
            block.updates.push((number, value));
            // It never wraps: where the guard does not say so, the bound does.
            if bound != Bound::Program {
                block.guard = store.and(block.guard, goes_on);
            }
        }
    }
    if bound == Bound::Threads {
        program.assumptions.insert(Assumption::ThreadsInAll(MOST_THREADS));
    }
    program.tallies.push(Tally {
        counter: counter.symbol,
        locked: counter.locked.clone(),
        account: Account::Numbers(numbers),
    });
}

/// Whether an edge can be taken when a counter has its greatest value, for all that its guard says.
fn may_be_greatest(
    program: &mut Program,
    counter: Symbol,
    (template, edge): (ProcedureId, super::super::EdgeId),
) -> bool {
    let Program { store, procedures, .. } = program;
    let Action::Block(Block { guard, .. }) = procedures[template].edges[edge].action else { return true };
    let Sort::Bits(width) = store.sort_of_symbol(counter) else { return true };
    let greatest = store.bits(width, mask(width));
    let then = store.substitute(guard, &[(counter, greatest)]);
    store.truth(then) != Some(false)
}

fn keep_shares(program: &mut Program, survey: &Survey, counter: &Counter, first: u128) {
    let sort = program.store.sort_of_symbol(counter.symbol);
    let Sort::Bits(width) = sort else { return };
    let name = program.store.name(counter.symbol).to_owned();
    let zero = program.store.bits(width, 0);
    let (mut once, mut many) = (BTreeMap::new(), BTreeMap::new());
    for (&template, sums) in &counter.shares {
        let Some(ranges) = sums.clone() else { continue };
        if ranges.iter().flatten().all(|&range| range == (0, 0)) {
            continue;
        }
        if survey.once.contains(&template) {
            let routine = super::super::templates::routine_name(program, template);
            let symbol = global(program, format!("<share of {routine} in {name}>"), sort, zero);
            once.insert(template, Share { symbol, ranges });
        } else {
            let symbol = local(program, template, format!("<share in {name}>"), sort, zero);
            many.insert(template, Share { symbol, ranges });
        }
    }
    for (&(template, edge), change) in &counter.changes {
        let Program { store, procedures, .. } = &mut *program;
        let Some(share) = once.get(&template).or_else(|| many.get(&template)) else { continue };
        let before = store.symbol(share.symbol);
        let value = store.add(before, change.amount);
        if let Action::Block(block) = &mut procedures[template].edges[edge].action {
            block.updates.push((share.symbol, value));
        }
    }
    if counter.locked.is_none() {
        program.assumptions.insert(Assumption::ThreadsInAll(MOST_THREADS));
    }
    let shares = Shares { first, once, many };
    program.tallies.push(Tally {
        counter: counter.symbol,
        locked: counter.locked.clone(),
        account: Account::Shares(shares),
    });
}

fn ghost(program: &mut Program, name: String, sort: Sort, scope: Scope) -> Symbol {
    program.variables.push(Variable { scope, ty: None, role: Role::Ghost });
    program.store.fresh(name, sort)
}

/// A ghost of every thread that runs a template, with the value that it begins with.
fn local(program: &mut Program, template: ProcedureId, name: String, sort: Sort, value: Term) -> Symbol {
    let symbol = ghost(program, name, sort, Scope::Local(template));
    program.procedures[template].locals.push(symbol);
    if template == program.entry {
        set_first(program, symbol, value);
        return symbol;
    }
    program.procedures[template].parameters.push(symbol);
    for procedure in program.procedures.iter_mut() {
        for edge in procedure.edges.iter_mut() {
            if let Action::Start { procedure, arguments } = &mut edge.action
                && *procedure == template
            {
                arguments.push(value);
            }
        }
    }
    symbol
}

/// A ghost of all threads.
fn global(program: &mut Program, name: String, sort: Sort, value: Term) -> Symbol {
    let symbol = ghost(program, name, sort, Scope::Global);
    set_first(program, symbol, value);
    symbol
}

/// Sets a variable before anything else happens.
fn set_first(program: &mut Program, symbol: Symbol, value: Term) {
    let entry = &mut program.procedures[program.entry];
    let first = entry.entry;
    for edge in entry.edges.iter_mut().filter(|edge| edge.from == first) {
        if let Action::Block(block) = &mut edge.action {
            block.updates.push((symbol, value));
        }
    }
}
