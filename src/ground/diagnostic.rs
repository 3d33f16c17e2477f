//! Diagnostics: what is wrong with the input, where, and a way out.
//!
//! They are plain values; `report` renders them.

use super::source::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but is probably not what was meant.
    Warning,
}

/// What has to be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The text of the input.
    Text,
    /// An option that does not fit the input: exit code 1.
    Options,
}

/// A further place with a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark.
    pub text: String,
}

/// One thing to tell about an input file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What has to be changed.
    pub subject: Subject,
    /// The message, lower case, without a full stop.
    pub message: String,
    /// The place, with a short remark to stand under it.
    pub primary: Label,
    /// Further places.
    pub secondary: Vec<Label>,
    /// A way out.
    pub help: Option<String>,
    /// How many it counts for: more than 1 where further ones are only counted.
    pub count: usize,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        let primary = Label { span, text: String::new() };
        Self {
            severity: Severity::Error,
            subject: Subject::Text,
            message: message.into(),
            primary,
            secondary: Vec::new(),
            help: None,
            count: 1,
        }
    }

    /// An error in an option, which has no place in the text.
    #[must_use]
    pub fn option_error(message: impl Into<String>) -> Self {
        Self { subject: Subject::Options, ..Self::error(Span::default(), message) }
    }

    /// The last one of a list that was cut short: `count` further errors behind this place.
    #[must_use]
    pub fn more_errors(span: Span, count: usize) -> Self {
        let plural = if count == 1 { "" } else { "s" };
        let error = Self::error(span, format!("… and {count} more error{plural}"));
        Self { count, ..error.label("the last error shown") }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// With a remark under the place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// With a further place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// With a way out.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
