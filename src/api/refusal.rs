//! Why an input is refused: it is wrong, or the options do not fit it.

use crate::ground::diagnostic::{Diagnostic, Subject};
use crate::ground::exit::Exit;
use crate::ground::source::SourceFile;
use crate::llvm::read::ReadError;
use std::fmt;

/// Why an input is refused.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The input is wrong; one message for each error.
    Input(Vec<String>),
    /// clang refused it; what clang wrote.
    Clang(String),
    /// The text of a Boolean program or net is wrong, or the options do not fit it: errors with their places.
    Text(Box<SourceFile>, Vec<Diagnostic>),
    /// The options do not fit the input.
    Options(String),
}

impl Refusal {
    /// The input is wrong.
    #[must_use]
    pub fn input(message: String) -> Self {
        Self::Input(vec![message])
    }

    /// How a process ends that can do nothing else.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Input(_) | Self::Clang(_) => Exit::Input,
            Self::Options(_) => Exit::Usage,
            Self::Text(_, errors) => {
                let only_options = errors.iter().all(|error| error.subject == Subject::Options);
                if only_options { Exit::Usage } else { Exit::Input }
            }
        }
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Clang(text) => Self::Clang(text),
            ReadError::Input(text) | ReadError::Environment(text) => Self::input(text),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(messages) => f.write_str(&messages.join("\n")),
            Self::Clang(text) => f.write_str(text.trim_end()),
            Self::Options(message) => f.write_str(message),
            Self::Text(source, errors) => {
                let line = |error: &Diagnostic| {
                    let line = source.line(error.primary.span.start);
                    format!("{}:{line}: {}", source.name(), error.message)
                };
                f.write_str(&errors.iter().map(line).collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

impl std::error::Error for Refusal {}
