use super::*;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::parse::parse;
use crate::ground::source::SourceFile;

fn template(text: &str) -> Result<Template, Refusal> {
    let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
    let (program, _) = check(&syntax, &CheckOptions::default()).expect("the program is well-formed");
    Template::new(&program, &Limits::none())
}

#[test]
fn recursion_is_refused_by_name() {
    let text = "void f() begin g(); end void g() begin f(); end void main() begin f(); end";
    let cycle = ["f", "g", "f"].map(str::to_owned).to_vec();
    assert_eq!(template(text), Err(Refusal::Recursion(cycle)));
}

#[test]
fn recursion_that_control_cannot_reach_is_no_obstacle() {
    let text = "void f() begin f(); end void main() begin skip; end";
    assert!(template(text).is_ok());
}

#[test]
fn calls_from_two_places_are_two_chains_over_the_same_slots() {
    let text = "bool id(x) begin return x; end void main() begin decl a; a := id(a); a := id(!a); end";
    let template = template(text).expect("no recursion");
    assert_eq!(template.slots, 2);
    let inner = template.locations.iter().filter(|location| location.frames.len() == 2);
    assert!(inner.clone().count() >= 2 && inner.into_iter().all(|location| location.top().base == 1));
}

#[test]
fn a_slot_is_live_until_it_is_last_read() {
    let text = "decl g; void main() begin decl a; a := *; g := a; g := F; end";
    let template = template(text).expect("no recursion");
    let live: Vec<&[usize]> = template.locations.iter().map(|location| &location.live[..]).collect();
    assert_eq!(live, [&[][..], &[0], &[], &[]]);
}

#[test]
fn exponentially_many_chains_are_refused() {
    let mut text = String::from("void f0() begin skip; end\n");
    for level in 1..40 {
        text += &format!("void f{level}() begin f{0}(); f{0}(); end\n", level - 1);
    }
    text += "void main() begin f39(); end";
    assert!(matches!(template(&text), Err(Refusal::Stopped(Stop::Bound(_)))));
}
