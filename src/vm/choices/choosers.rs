//! Four choosers: a given list, random values, zeros, and one that writes down what another one says.

use super::{Choice, ChoiceError, ChoiceKind, Chooser, Chosen, Domain};

/// Answers from a list.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    list: &'a [Chosen],
    next: usize,
}

impl<'a> Given<'a> {
    /// Answers from this list.
    #[must_use]
    pub fn new(list: &'a [Chosen]) -> Self {
        Self { list, next: 0 }
    }

    /// What the run did not ask for.
    #[must_use]
    pub fn rest(&self) -> &'a [Chosen] {
        &self.list[self.next..]
    }

    fn mismatch(&self, choice: &Choice) -> Option<String> {
        let wanted = describe(choice.kind, &choice.name);
        let Some(given) = self.list.get(self.next) else {
            return Some(format!("the list ends here, and the run asks for {wanted}"));
        };
        if given.kind != choice.kind || given.name != choice.name {
            return Some(format!("the run asks for {wanted}, not {}", describe(given.kind, &given.name)));
        }
        let outside = !choice.domain.contains(fitted(given, choice));
        outside.then(|| format!("{:#x} is no possible value for {wanted}", given.value))
    }
}

/// Files say negative numbers without their width.
fn fitted(given: &Chosen, choice: &Choice) -> u128 {
    match choice.domain {
        Domain::Bits(bits) if given.bits != bits => super::format::fit(given.value, bits),
        _ => given.value,
    }
}

fn describe(kind: ChoiceKind, name: &str) -> String {
    if name.is_empty() { kind.name().to_owned() } else { format!("{} {name}", kind.name()) }
}

impl Chooser for Given<'_> {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        if let Some(text) = self.mismatch(choice) {
            return Err(ChoiceError { number: self.next + 1, text });
        }
        self.next += 1;
        Ok(fitted(&self.list[self.next - 1], choice))
    }
}

/// Always zero, or the first possibility.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zeros;

impl Chooser for Zeros {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        Ok(match &choice.domain {
            Domain::Bits(_) => 0,
            Domain::Among(values) => u128::from(values[0]),
            Domain::Address { suggestion, .. } => u128::from(*suggestion),
        })
    }
}

/// Random values from a seed: small and extreme ones more often than others.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// How many more times the thread that was chosen last is chosen again.
    patience: u64,
    last: u64,
    taste: Taste,
    turns: Option<Turns>,
}

/// In some runs threads take turns: some bugs need one order to the end.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Turns {
    /// How often a thread is chosen again before the next one is.
    more: u64,
    /// Whether the first thread only goes on when no other can.
    main_waits: bool,
}

/// Which numbers a run prefers. Programs that assume much of many inputs need runs that stay small throughout.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Taste {
    Small,
    Mixed,
}

impl Random {
    /// From this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Self { state: seed, patience: 0, last: 0, taste: Taste::Mixed, turns: None };
        if random.below(3) == 0 {
            random.taste = Taste::Small;
        }
        if random.below(6) == 0 {
            let more = if random.below(2) == 0 { random.below(4) } else { random.below(8) };
            random.turns = Some(Turns { more, main_waits: random.below(2) == 0 });
            // First some threads are started.
            random.patience = if random.below(2) == 0 { random.below(4) } else { random.below(24) };
        }
        random
    }

    /// SplitMix64 \[SLF14\].
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    fn number(&mut self, bits: u32) -> u128 {
        let all = super::super::value::mask128(bits);
        if self.taste == Taste::Small && self.below(16) > 0 {
            return u128::from(self.below(4)) & all;
        }
        let small = u128::from(self.below(8));
        let value = match self.below(8) {
            0..=2 => small,
            3 => small.wrapping_neg(),
            // Around the least and the greatest signed number.
            4 => (all >> 1).wrapping_add(small).wrapping_sub(3),
            5 => u128::from(self.below(256)),
            _ => u128::from(self.next()) << 64 | u128::from(self.next()),
        };
        value & all
    }

    /// Threads run for a while before they are switched: many bugs need few switches \[MQ07\].
    fn thread(&mut self, enabled: &[u64]) -> u64 {
        if self.patience > 0 && enabled.contains(&self.last) {
            self.patience -= 1;
            return self.last;
        }
        if let Some(Turns { more, main_waits }) = self.turns {
            let first = usize::from(main_waits && enabled[0] == 0 && enabled.len() > 1);
            let after = enabled[first..].iter().copied().find(|&thread| thread > self.last);
            self.last = after.unwrap_or(enabled[first]);
            self.patience = more;
            return self.last;
        }
        // The first thread often starts others: there are enough of them sooner or later.
        let first = usize::from(enabled[0] == 0 && enabled.len() > 2 && self.below(4) > 0);
        let others = &enabled[first..];
        self.last = others[self.below(others.len() as u64) as usize];
        self.patience = if self.below(2) == 0 { 0 } else { self.below(12) };
        self.last
    }
}

impl Chooser for Random {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        // What is rare in reality is rare here.
        let rare = matches!(choice.kind, ChoiceKind::Allocation | ChoiceKind::Exchange)
            || (choice.kind == ChoiceKind::Wake && choice.name == "spurious");
        Ok(match &choice.domain {
            Domain::Among(_) if rare => u128::from(self.below(16) == 0),
            Domain::Among(values) if choice.kind == ChoiceKind::Thread => u128::from(self.thread(values)),
            Domain::Among(values) => u128::from(values[self.below(values.len() as u64) as usize]),
            Domain::Bits(bits) => self.number(*bits),
            Domain::Address { suggestion, align } => u128::from(suggestion + align * self.below(4)),
        })
    }
}

/// Writes down what another chooser says.
pub struct Recorder<'a> {
    inner: &'a mut dyn Chooser,
    /// What was chosen so far.
    pub list: Vec<Chosen>,
}

impl<'a> Recorder<'a> {
    /// Records this chooser.
    pub fn new(inner: &'a mut dyn Chooser) -> Self {
        Self { inner, list: Vec::new() }
    }
}

impl Chooser for Recorder<'_> {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        let value = self.inner.choose(choice)?;
        self.list.push(Chosen::new(choice, value));
        Ok(value)
    }

    fn begins(&mut self, name: &str) {
        self.inner.begins(name);
    }

    fn changes(&mut self) {
        self.inner.changes();
    }

    fn allocates(&mut self, object: usize, line: Option<u32>) {
        self.inner.allocates(object, line);
    }

    fn reached(&mut self, thread: u32, instructions: u64) {
        self.inner.reached(thread, instructions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(bits: u32) -> Choice {
        Choice {
            kind: ChoiceKind::Input,
            name: "int".into(),
            domain: Domain::Bits(bits),
            place: None,
            spot: None,
        }
    }

    #[test]
    fn a_recorded_list_answers_the_same_questions() {
        let mut random = Random::new(7);
        let mut recorder = Recorder::new(&mut random);
        let answers: Vec<u128> = (1..60).map(|bits| recorder.choose(&input(bits)).unwrap()).collect();
        let list = recorder.list;
        let mut given = Given::new(&list);
        let again: Vec<u128> = (1..60).map(|bits| given.choose(&input(bits)).unwrap()).collect();
        assert_eq!(answers, again);
        assert!(given.choose(&input(1)).unwrap_err().text.starts_with("the list ends"));
    }

    #[test]
    fn some_runs_prefer_small_numbers() {
        let small = |seed: u64| {
            let mut random = Random::new(seed);
            (0..6).all(|_| random.choose(&input(32)).unwrap() < 4)
        };
        let runs = (0..200).filter(|seed| small(*seed)).count();
        assert!((20..150).contains(&runs), "{runs}");
    }

    #[test]
    fn a_list_that_does_not_fit_is_refused() {
        let list = [Chosen::new(&input(32), 256)];
        assert!(Given::new(&list).choose(&input(8)).is_err());
        let thread = Choice {
            kind: ChoiceKind::Thread,
            name: String::new(),
            domain: Domain::Among(vec![0, 1]),
            place: None,
            spot: None,
        };
        assert!(Given::new(&list).choose(&thread).is_err());
    }
}
