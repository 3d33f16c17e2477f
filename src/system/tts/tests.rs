use super::*;
use crate::system::net::ControlId;

fn read(text: &str) -> Result<Net, Vec<Diagnostic>> {
    parse(&SourceFile::new("test.tts", text))
}

fn net(text: &str) -> Net {
    read(text).expect("the system is well-formed")
}

fn place(number: usize) -> PlaceId {
    PlaceId::new(number)
}

fn only(text: &str) -> Transition {
    let net = net(text);
    assert_eq!(net.transitions.len(), 1);
    net.transitions.iter().next().expect("there is one").clone()
}

#[test]
fn a_step_takes_and_gives_one_thread() {
    let step = only("2 3 # sizes\n\n# a comment\n0 1 -> 1 2\n");
    assert_eq!((step.from, step.to), (ControlId::new(0), ControlId::new(1)));
    assert_eq!((step.take, step.sweep, step.give), (vec![(place(1), 1)], vec![], vec![(place(2), 1)]));
    assert_eq!(step.line, 4);
}

#[test]
fn moves_of_other_threads_are_choices_per_state() {
    let step = only("1 4\n0 1 -> 0 2 0 ~> 3 0 ~> 0 2 ~> 2 3 ~> 1");
    let moves = |states: &[usize]| Sweep::Move(states.iter().map(|&state| place(state)).collect());
    assert_eq!(step.sweep, [(place(0), moves(&[0, 3])), (place(3), moves(&[1]))]);
}

#[test]
fn a_transfer_needs_no_thread() {
    let transfer = only("2 2\n0 0 ~> 1 1");
    assert_eq!((transfer.take, transfer.give), (vec![], vec![]));
    assert_eq!(transfer.sweep, [(place(0), Sweep::Move(vec![place(1)]))]);
}

#[test]
fn a_spawn_keeps_its_thread() {
    let spawn = only("3 3\r\n1 1 +> 2 2\r\n");
    assert_eq!((spawn.take, spawn.give), (vec![(place(1), 1)], vec![(place(1), 1), (place(2), 1)]));
    assert_eq!(only("1 1\n0 0 +> 0 0").give, [(place(0), 2)]);
}

#[test]
fn targets_and_initial_states_are_multisets() {
    let net = net("3 20");
    let targets = parse_targets(&net, &SourceFile::new("test.prop", "2|5,1,5 # both\n\n0|\n1"));
    let targets = targets.expect("they are well-formed");
    assert_eq!(targets[0].tokens, [(place(1), 1), (place(5), 2)]);
    assert_eq!((targets[0].control, targets.len()), (ControlId::new(2), 3));
    let initial = |text| parse_initial(&net, text).expect("it is well-formed");
    assert_eq!(initial("0|0").tokens, [(place(0), 1)]);
    assert_eq!(initial("0/0").unbounded, [place(0)]);
    assert_eq!(initial("0/0").tokens, []);
    let mixed = initial("0|0,1/10,7,10");
    assert_eq!(mixed.tokens, [(place(0), 1), (place(1), 1)]);
    assert_eq!(mixed.unbounded, [place(7), place(10)]);
}

#[test]
fn malformed_files_are_refused() {
    for text in [
        "",
        "# nothing\n",
        "2",
        "2 x",
        "0 1",
        "1 0",
        "2 2 2",
        "99999999999999999999999 1",
        "1 4294967296",
        "2 2\n0",
        "2 2\n0 0",
        "2 2\n0 0 -",
        "2 2\n0 0 -> 1",
        "2 2\n0 0 -> 2 0",
        "2 2\n0 0 -> 0 2",
        "2 2\n0 0 -> 0 99999999999999999999",
        "2 2\n0 0 => 0 1",
        "2 2\n0 0 -> 0 1 1",
        "2 2\n0 0 -> 0 1 1 -> 0",
        "2 2\n0 0 -> 0 1 1 ~>",
        "2 2\n0 0 -> 0 1 1 ~> 7",
        "2 2\n0 0 ~> 0 1 1 ~> 0",
        "2 2\n0 0 +> 0 1 1 ~> 0",
        "2 2\n-1 0 -> 0 1",
        "2 2\nä 0 -> 0 1",
    ] {
        assert!(read(text).is_err(), "{text:?}");
    }
    let many = format!("1 1\n{}", "x\n".repeat(100));
    let errors = read(&many).expect_err("no line is a transition");
    assert_eq!(errors.iter().map(|error| error.count).sum::<usize>(), 100);
    let net = net("2 2");
    for text in ["", "2|0", "0|2", "0|0,", "0|,0", "0/0/0", "0|0|0", "x", "0 0", "0|0\n0|0", "0/0|0"] {
        assert!(parse_initial(&net, text).is_err(), "{text:?}");
    }
    for text in ["", "2|0", "0/0", "0|0 0"] {
        assert!(parse_targets(&net, &SourceFile::new("test.prop", text)).is_err(), "{text:?}");
    }
}

#[test]
fn a_million_states_cost_nothing() {
    let net = net("1000000 1000000\n999999 0 -> 0 999999");
    assert_eq!((net.controls.len(), net.places.len(), net.transitions.len()), (1_000_000, 1_000_000, 1));
    assert_eq!(net.places.name(place(999_999)), "999999");
}
