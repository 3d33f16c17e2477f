//! Parts of a state as words.

/// A part of a state: a thread, an object, what the environment keeps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// The same as that part of the state that was loaded.
    Same(usize),
    /// These of [`Saved::words`].
    New(std::ops::Range<usize>),
}

/// A state as words, in parts. The buffers are used again and again.
#[derive(Clone, Default, Debug)]
pub struct Saved {
    /// The words of all parts that are new.
    pub words: Vec<u64>,
    /// The parts, in order.
    pub parts: Vec<Part>,
}

impl Saved {
    /// Nothing yet.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.parts.clear();
    }

    /// The words since the last part are a part.
    pub(super) fn end_part(&mut self, start: usize) {
        self.parts.push(Part::New(start..self.words.len()));
    }

    /// The words of a part; of those that are the same, as the loaded state has them.
    #[must_use]
    pub fn part<'a>(&'a self, number: usize, loaded: impl Fn(usize) -> &'a [u64]) -> &'a [u64] {
        match &self.parts[number] {
            Part::Same(other) => loaded(*other),
            Part::New(range) => &self.words[range.clone()],
        }
    }
}

/// Adds bytes, eight to a word.
pub(super) fn pack(words: &mut Vec<u64>, bytes: &[u8]) {
    let (whole, rest) = bytes.as_chunks::<8>();
    words.extend(whole.iter().map(|chunk| u64::from_le_bytes(*chunk)));
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words.push(u64::from_le_bytes(last));
    }
}

/// Reads words in order.
pub(super) struct Reader<'w> {
    words: &'w [u64],
    at: usize,
}

impl<'w> Reader<'w> {
    pub fn new(words: &'w [u64]) -> Self {
        Self { words, at: 0 }
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        let word = self.words[self.at];
        self.at += 1;
        word
    }

    /// The next word, as a count.
    pub fn count(&mut self) -> usize {
        self.word() as usize
    }

    /// The next bytes, as [`pack`] wrote them.
    pub fn bytes(&mut self, into: &mut Vec<u8>, length: usize) {
        into.clear();
        into.reserve(length.next_multiple_of(8));
        for _ in 0..length.div_ceil(8) {
            into.extend_from_slice(&self.word().to_le_bytes());
        }
        into.truncate(length);
    }
}
