//! Writes a net in mist's format, as [`super::mist`] reads it.
//!
//! Control states become variables that hold one token among them, if there is more than one. A variable's next value
//! is the sum of the variables whose tokens come to it, and a number that makes up for what is taken and given.

use super::net::{ControlId, Net, PlaceId, Sweep, Target, Transition};
use crate::ground::index::Index;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Words that are no names in mist's format.
const KEYWORDS: [&str; 7] = ["vars", "rules", "init", "target", "invariants", "true", "in"];

/// The text.
///
/// # Errors
/// What mist's format cannot say.
pub fn print(net: &Net) -> Result<String, String> {
    let names = Names::new(net);
    let mut rules = String::new();
    for transition in net.transitions.iter() {
        let rule = rule(&names, transition).map_err(|why| format!("line {}: {why}", transition.line))?;
        rules.push_str(&rule);
    }
    let mut text = String::from("vars\n");
    for name in names.all() {
        let _ = writeln!(text, "  {name}");
    }
    let _ = writeln!(text, "\nrules\n{rules}");
    let _ = writeln!(text, "init\n  {}\n", initial(net, &names)?);
    text.push_str("target\n");
    if net.targets.is_empty() {
        return Err("there is no target".to_owned());
    }
    for target in &net.targets {
        let _ = writeln!(text, "  {}", self::target(&names, target)?);
    }
    Ok(text)
}

/// What the variables are called.
struct Names {
    places: Vec<String>,
    /// The control states that occur; none if there is only one.
    controls: BTreeMap<ControlId, String>,
}

impl Names {
    fn new(net: &Net) -> Self {
        let own: Vec<String> = net.places.ids().map(|place| net.places.name(place).into_owned()).collect();
        let different: BTreeSet<&str> = own.iter().map(String::as_str).collect();
        let usable = different.len() == own.len() && own.iter().all(|name| is_name(name));
        let places = if usable { own } else { (0..own.len()).map(|number| format!("l{number}")).collect() };
        let mut controls = BTreeMap::new();
        if net.controls.len() > 1 {
            let mut prefix = "s".to_owned();
            // No name of a place begins with this.
            while places.iter().any(|place| place.starts_with(&prefix)) {
                prefix.push('_');
            }
            let used = net.transitions.iter().flat_map(|transition| [transition.from, transition.to]);
            let used = used.chain(net.initial.iter().map(|initial| initial.control));
            let used = used.chain(net.targets.iter().map(|target| target.control));
            controls = used.map(|control| (control, format!("{prefix}{}", control.index()))).collect();
        }
        Self { places, controls }
    }

    fn place(&self, place: PlaceId) -> &str {
        &self.places[place.index()]
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        self.controls.values().chain(&self.places)
    }
}

fn is_name(text: &str) -> bool {
    let first = text.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    first && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !KEYWORDS.contains(&text)
}

fn rule(names: &Names, transition: &Transition) -> Result<String, String> {
    let (mut guards, mut updates) = (Vec::new(), Vec::new());
    if let (Some(from), Some(to)) = (names.controls.get(&transition.from), names.controls.get(&transition.to))
    {
        guards.push(format!("{from} >= 1"));
        if from != to {
            updates.push(format!("{from}' = {from} - 1"));
            updates.push(format!("{to}' = {to} + 1"));
        }
    }
    let effects = effects(transition)?;
    for (&place, effect) in &effects {
        let name = names.place(place);
        match (effect.forbids, effect.take) {
            (true, take) => guards.push(format!("{name} = {take}")),
            (false, 0) => {}
            (false, take) => guards.push(format!("{name} >= {take}")),
        }
        if effect.sources != [place] || effect.constant != 0 {
            updates.push(format!("{name}' = {}", sum(names, effect)));
        }
    }
    if guards.is_empty() {
        guards.push("true".to_owned());
    }
    Ok(format!("  {} ->\n    {};\n", guards.join(", "), updates.join(",\n    ")))
}

/// What a rule does with a variable.
#[derive(Default)]
struct Effect {
    take: u32,
    forbids: bool,
    /// The variables whose tokens come here.
    sources: Vec<PlaceId>,
    constant: i64,
}

fn effects(transition: &Transition) -> Result<BTreeMap<PlaceId, Effect>, String> {
    let mut effects: BTreeMap<PlaceId, Effect> = BTreeMap::new();
    let mut destinations: BTreeMap<PlaceId, Option<PlaceId>> = BTreeMap::new();
    for (place, sweep) in &transition.sweep {
        let destination = match sweep {
            Sweep::Move(targets) => match targets.as_slice() {
                [only] => Some(*only),
                _ => return Err("tokens choose between places".to_owned()),
            },
            Sweep::Lose => None,
            Sweep::Forbid => Some(*place),
        };
        destinations.insert(*place, destination);
        let forbids = *sweep == Sweep::Forbid;
        effects.insert(*place, Effect { forbids, ..Effect::default() });
        effects.extend(
            destination
                .filter(|target| !effects.contains_key(target))
                .map(|target| (target, Effect::default())),
        );
    }
    for &(place, count) in &transition.take {
        effects.entry(place).or_default().take = count;
    }
    for &(place, count) in &transition.give {
        effects.entry(place).or_default().constant = count.into();
    }
    let takes: Vec<(PlaceId, u32)> = effects.iter().map(|(&place, effect)| (place, effect.take)).collect();
    for (place, take) in takes {
        let destination = destinations.get(&place).copied().unwrap_or(Some(place));
        if let Some(effect) = destination.and_then(|destination| effects.get_mut(&destination)) {
            effect.sources.push(place);
            effect.constant -= i64::from(take);
        }
    }
    Ok(effects)
}

fn sum(names: &Names, effect: &Effect) -> String {
    let sources: Vec<&str> = effect.sources.iter().map(|&source| names.place(source)).collect();
    let sources = sources.join(" + ");
    match effect.constant {
        number if sources.is_empty() => number.to_string(),
        0 => sources,
        number if number < 0 => format!("{sources} - {}", -number),
        number => format!("{sources} + {number}"),
    }
}

fn initial(net: &Net, names: &Names) -> Result<String, String> {
    let [initial] = net.initial.as_slice() else {
        return Err(format!("there are {} initial sets, and not one", net.initial.len()));
    };
    let mut parts: Vec<String> = Vec::new();
    for (&control, name) in &names.controls {
        parts.push(format!("{name} = {}", u8::from(control == initial.control)));
    }
    let tokens: BTreeMap<PlaceId, u32> = initial.tokens.iter().copied().collect();
    for place in net.places.ids() {
        let mark = if initial.unbounded.binary_search(&place).is_ok() { ">=" } else { "=" };
        parts.push(format!("{} {mark} {}", names.place(place), tokens.get(&place).copied().unwrap_or(0)));
    }
    Ok(parts.join(", "))
}

fn target(names: &Names, target: &Target) -> Result<String, String> {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(names.controls.get(&target.control).map(|name| format!("{name} >= 1")));
    parts.extend(target.tokens.iter().map(|&(place, count)| format!("{} >= {count}", names.place(place))));
    if parts.is_empty() {
        // Every configuration covers it.
        let any = names.all().next().ok_or("there is no variable")?;
        parts.push(format!("{any} >= 0"));
    }
    Ok(parts.join(", "))
}
