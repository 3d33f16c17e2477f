//! Progress on standard error: one line that is overwritten, on a terminal, after the first second.

use super::ending::print_error;
use crate::ground::event::{Event, Observer};
use std::io::{IsTerminal, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When the line first appears.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is drawn.
const PERIOD: Duration = Duration::from_millis(200);
/// Goes to the start of the line and clears it.
const CLEAR: &str = "\r\x1b[K";

/// Whether notes are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notes {
    /// They are.
    Shown,
    /// They are not.
    Hidden,
}

/// Draws progress from events.
pub struct Progress {
    notes: Notes,
    start: Instant,
    line: Mutex<Line>,
}

#[derive(Default)]
struct Line {
    phase: String,
    detail: String,
    drawn: bool,
    finished: bool,
}

impl Progress {
    /// Starts watching. On a terminal a thread draws the line.
    #[must_use]
    pub fn start(notes: Notes) -> Arc<Self> {
        let progress = Arc::new(Self { notes, start: Instant::now(), line: Mutex::default() });
        if stderr().is_terminal() {
            let drawer = Arc::clone(&progress);
            // Without the thread there is no progress line; the run is the same.
            let _ = std::thread::Builder::new().name("progress".into()).spawn(move || drawer.draw());
        }
        progress
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self) {
        loop {
            std::thread::sleep(PERIOD);
            let mut line = self.lock();
            if line.finished {
                return;
            }
            if self.start.elapsed() >= PATIENCE {
                line.drawn = true;
                print_error(&format!("{CLEAR}{}", self.text(&line)));
            }
        }
    }

    fn text(&self, line: &Line) -> String {
        let parts = [line.phase.as_str(), line.detail.as_str()];
        let words: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let text = format!("{:>4} s  {}", self.start.elapsed().as_secs(), words.join(": "));
        crate::report::shortened(text, 78)
    }

    /// Removes the line for good.
    pub fn finish(&self) {
        let mut line = self.lock();
        line.finished = true;
        erase(&mut line);
    }
}

fn erase(line: &mut Line) {
    if std::mem::take(&mut line.drawn) {
        print_error(CLEAR);
    }
}

impl Observer for Progress {
    fn event(&self, event: Event) {
        let mut line = self.lock();
        match event {
            Event::Phase(phase) => {
                line.phase = phase;
                line.detail.clear();
            }
            Event::Progress(detail) => line.detail = detail,
            Event::Note(note) => {
                if self.notes == Notes::Shown {
                    erase(&mut line);
                    print_error(&format!("note: {note}\n"));
                }
            }
        }
    }
}
