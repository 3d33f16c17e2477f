//! SV-COMP's task definitions: `task.yml`, formats 1.0 to 2.x.
//!
//! A task names its input files, relative to itself, and properties with the verdicts that are expected of them. Format
//! 2 also says which data model C has (`options: {language: C, data_model: ILP32}`); where a task says nothing, the
//! caller's choice holds, and if there is none, ILP32, as in the competition.

use super::ReadError;
use super::clang::DataModel;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// C files, as paths that can be opened.
    pub inputs: Vec<PathBuf>,
    /// What is asked.
    pub properties: Vec<TaskProperty>,
    /// The data model, if the task says it.
    pub data_model: Option<DataModel>,
}

/// A property of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskProperty {
    /// The property file.
    pub file: PathBuf,
    /// The text of the property file; nothing if it cannot be read.
    pub text: Option<String>,
    /// The verdict that is expected.
    pub expected: Option<bool>,
    /// Which part of the property is violated (`valid-deref`).
    pub subproperty: Option<String>,
}

impl TaskProperty {
    /// Its name: `unreach-call` for `unreach-call.prp`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
    }
}

#[derive(Deserialize)]
struct RawTask {
    format_version: Version,
    input_files: Files,
    #[serde(default)]
    properties: Vec<RawProperty>,
    #[serde(default)]
    options: Option<RawOptions>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Version {
    Text(String),
    Number(f64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Files {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct RawProperty {
    property_file: String,
    #[serde(default)]
    expected_verdict: Option<bool>,
    #[serde(default)]
    subproperty: Option<String>,
}

#[derive(Deserialize)]
struct RawOptions {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    data_model: Option<String>,
}

/// Reads a task definition.
///
/// # Errors
/// The file cannot be read, is no task, or is a task for another language.
pub fn read_task(path: &Path) -> Result<Task, ReadError> {
    let text = std::fs::read_to_string(path).map_err(|error| ReadError::input(path, &error.to_string()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&text, folder).map_err(|message| ReadError::input(path, &message))
}

fn parse(text: &str, folder: &Path) -> Result<Task, String> {
    let raw: RawTask = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
    check_version(&raw.format_version)?;
    let inputs: Vec<PathBuf> = match raw.input_files {
        Files::One(name) => vec![folder.join(name)],
        Files::Many(names) => names.iter().map(|name| folder.join(name)).collect(),
    };
    if inputs.is_empty() {
        return Err("the task has no input file".to_owned());
    }
    let properties = raw.properties.into_iter().map(|property| read_property(property, folder)).collect();
    Ok(Task { inputs, properties, data_model: data_model(raw.options)? })
}

fn check_version(version: &Version) -> Result<(), String> {
    let text = match version {
        Version::Text(text) => text.clone(),
        Version::Number(number) => format!("{number:?}"),
    };
    match text.split('.').next() {
        Some("1" | "2") => Ok(()),
        _ => Err(format!("task format {text} is unknown; 1.0 and 2.0 are read")),
    }
}

fn read_property(raw: RawProperty, folder: &Path) -> TaskProperty {
    let file = folder.join(&raw.property_file);
    let text = std::fs::read_to_string(&file).ok();
    TaskProperty { file, text, expected: raw.expected_verdict, subproperty: raw.subproperty }
}

fn data_model(options: Option<RawOptions>) -> Result<Option<DataModel>, String> {
    let Some(options) = options else { return Ok(None) };
    if let Some(language) = options.language.filter(|language| language != "C") {
        return Err(format!("the task is written in {language}, not in C"));
    }
    match options.data_model.as_deref() {
        None => Ok(None),
        Some("ILP32") => Ok(Some(DataModel::Ilp32)),
        Some("LP64") => Ok(Some(DataModel::Lp64)),
        Some(other) => Err(format!("the data model {other} is unknown; ILP32 and LP64 are")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_format() {
        let text = "format_version: '1.0'\n# a comment\ninput_files: 'a.i'\nproperties:\n  \
                    - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n  \
                    - property_file: ../properties/coverage-branches.prp\n";
        let task = parse(text, Path::new("folder")).unwrap();
        assert_eq!(task.inputs, [PathBuf::from("folder/a.i")]);
        assert_eq!(task.data_model, None);
        assert_eq!(task.properties.len(), 2);
        assert_eq!(task.properties[0].name(), "unreach-call");
        assert_eq!(task.properties[0].expected, Some(false));
        assert_eq!(task.properties[1].expected, None);
    }

    #[test]
    fn the_second_format() {
        let text = "format_version: 2.0\ninput_files: [a.c, b.c]\nproperties:\n  \
                    - property_file: valid-memsafety.prp\n    expected_verdict: false\n    subproperty: valid-deref\n\
                    options:\n  language: C\n  data_model: LP64\n";
        let task = parse(text, Path::new("")).unwrap();
        assert_eq!(task.inputs, [PathBuf::from("a.c"), PathBuf::from("b.c")]);
        assert_eq!(task.data_model, Some(DataModel::Lp64));
        assert_eq!(task.properties[0].subproperty.as_deref(), Some("valid-deref"));
    }

    #[test]
    fn what_is_no_task_of_ours() {
        let java = "format_version: '2.0'\ninput_files: A.java\noptions:\n  language: Java\n";
        assert!(parse(java, Path::new("")).unwrap_err().contains("Java"));
        let newer = "format_version: '3.0'\ninput_files: a.c\n";
        assert!(parse(newer, Path::new("")).unwrap_err().contains("3.0"));
        let odd = "format_version: '2.0'\ninput_files: a.c\noptions: {data_model: ILP64}\n";
        assert!(parse(odd, Path::new("")).unwrap_err().contains("ILP64"));
        assert!(parse("- 1\n- 2\n", Path::new("")).is_err());
    }

    #[test]
    fn a_task_that_is_missing() {
        let error = read_task(Path::new("no/such/task.yml")).unwrap_err();
        assert!(matches!(error, ReadError::Input(text) if text.starts_with("no/such/task.yml: ")));
    }
}
