//! Verifies a C file through the library, and prints verdicts and runs: `cargo run -- FILE.c`.

use boolero::{Input, Options, Refusal, Silent};

fn main() -> Result<(), Refusal> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "examples/c-workers/broken.c".to_owned());
    let found = boolero::verify(&Input::file(file), &Options::default(), &mut Silent)?;
    for (property, verdict) in found.verdicts() {
        println!("{}: {}", property.id, verdict.word());
    }
    for (property, violation) in found.violations() {
        println!("a run that violates {}:\n{}", property.id, found.tell(violation));
    }
    println!("result: {}", found.overall());
    Ok(())
}
