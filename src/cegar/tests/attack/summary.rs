//! How often which judgement, by check; and why there is none.

use super::judge::Judgement;
use super::recipe::Recipe;
use std::collections::BTreeMap;
use std::fmt;

/// Of one check: right, unknown, not even confirmed by the machine, failures; with a fault and without.
#[derive(Clone, Copy, Default, Debug)]
struct Row {
    faulty: [usize; 4],
    safe: [usize; 4],
}

/// What came of many programs.
#[derive(Clone, Default, Debug)]
pub(super) struct Summary {
    rows: BTreeMap<&'static str, Row>,
    /// Reasons of unknown verdicts on safe programs, by check.
    reasons: BTreeMap<(&'static str, String), usize>,
}

impl Summary {
    pub fn add(&mut self, recipe: &Recipe, judgement: &Judgement) {
        let row = self.rows.entry(recipe.name()).or_default();
        let counts = if recipe.faulty { &mut row.faulty } else { &mut row.safe };
        match judgement {
            Judgement::Right => counts[0] += 1,
            Judgement::Unknown(_) => counts[1] += 1,
            Judgement::Unconfirmed(_) => counts[2] += 1,
            _ => counts[3] += 1,
        }
        if let (Judgement::Unknown(reason), false) = (judgement, recipe.faulty) {
            *self.reasons.entry((recipe.name(), plain(reason))).or_default() += 1;
        }
    }

    fn total(&self) -> Row {
        let mut total = Row::default();
        for row in self.rows.values() {
            for kind in 0..4 {
                total.faulty[kind] += row.faulty[kind];
                total.safe[kind] += row.safe[kind];
            }
        }
        total
    }

    /// At most a quarter of the safe programs are unknown.
    pub fn is_precise(&self) -> bool {
        let [right, unknown, ..] = self.total().safe;
        unknown * 3 <= right
    }
}

/// A reason without the names, numbers and places of one program.
fn plain(reason: &str) -> String {
    let mut text =
        reason.split(": /").next().unwrap_or_default().split(", at /").next().unwrap_or_default().to_owned();
    text.truncate(text.char_indices().nth(110).map_or(text.len(), |(at, _)| at));
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, name: &str, row: &Row| {
            let ([a, b, c, d], [e, g, _, h]) = (row.faulty, row.safe);
            writeln!(f, "{name:14} {a:9} {b:8} {c:12} {d:7} {e:8} {g:8} {h:7}")
        };
        writeln!(f, "planted:        violated  unknown  unconfirmed  FAILED    holds  unknown  FAILED")?;
        for (name, row) in &self.rows {
            line(f, name, row)?;
        }
        line(f, "all", &self.total())?;
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        writeln!(f, "safe and unknown, most often because:")?;
        reasons
            .iter()
            .take(25)
            .try_for_each(|((name, reason), count)| writeln!(f, "{count:5} {name}: {reason}"))
    }
}
