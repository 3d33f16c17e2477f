//! A saved run as one HTML file, which works from disk, without a network.
//!
//! The file carries the saved run as JSON and the scripts below, which draw a page when it is looked at: the summary, the
//! counterexample as a debugger, the history of refinement, the program with its invariants, and graphs. Long lists have elements
//! only for the rows in sight, so that a run of thousands of steps opens at once.
//!
//! | file in `assets` | what |
//! |---|---|
//! | `report.css` | all styles, light and dark |
//! | `base.js` | elements, the data, long lists |
//! | `summary.js`, `debugger.js`, `history.js`, `program.js`, `graphs.js` | a page each |
//! | `layout.js` | where the nodes of a graph are drawn: in layers, with few crossings \[STT81\] |
//! | `main.js` | which page is shown, keys, light and dark |

use super::saved::SavedRun;

const STYLE: &str = include_str!("assets/report.css");

/// In this order: each uses those before it.
const SCRIPTS: [&str; 8] = [
    include_str!("assets/base.js"),
    include_str!("assets/summary.js"),
    include_str!("assets/debugger.js"),
    include_str!("assets/history.js"),
    include_str!("assets/program.js"),
    include_str!("assets/layout.js"),
    include_str!("assets/graphs.js"),
    include_str!("assets/main.js"),
];

/// Nothing but the styles, the scripts and the data of the file itself is ever loaded.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// The page.
#[must_use]
pub fn html(run: &SavedRun) -> String {
    let title = run.files.first().map_or("boolero", |file| &*file.name);
    let data = serde_json::to_string(run).expect("a saved run is JSON");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title} · {verdict} · Boolero</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<header></header>\n<main></main>\n\
         <noscript>This report needs JavaScript; `boolero report` makes others of the saved run.</noscript>\n\
         <script type=\"application/json\" id=\"run\">{data}</script>\n\
         <script>\n\"use strict\";\n{scripts}</script>\n</body>\n</html>\n",
        title = escaped(title),
        verdict = escaped(&run.result.verdict),
        data = in_script(&data),
        scripts = SCRIPTS.concat(),
    )
}

/// JSON that ends no script, whatever is in it.
fn in_script(data: &str) -> String {
    data.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::saved::File;

    #[test]
    fn nothing_in_the_data_ends_the_script_or_the_title() {
        let name = "</title></script><script>alert(1)</script>".to_owned();
        let run = SavedRun {
            files: vec![File { name, sha256: None, text: Some("\u{2028}<!--".to_owned()) }],
            ..SavedRun::default()
        };
        let page = html(&run);
        assert_eq!(page.matches("</script>").count(), 2);
        assert_eq!(page.matches("</title>").count(), 1);
        assert!(!page.contains("alert(1)</script>") && !page.contains("<!--"));
    }

    #[test]
    fn nothing_is_loaded() {
        // `url(#…)` is a part of the page itself.
        let page = html(&SavedRun::default()).replace("url(#", "");
        for word in ["src=", "@import", "url(", "fetch(", "href=\"http"] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
