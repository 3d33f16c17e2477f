//! The HTML report in a real browser: a headless Chromium that clicks through it, driven by chromedriver (W3C WebDriver, JSON over
//! HTTP). Without `CI` the test is left out where these are not installed; `./setup test` installs them.

use super::report::{saved, scratch};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub fn trials() -> Vec<Trial> {
    vec![Trial::test("browser: a click through the report", clicked_through)]
}

fn clicked_through() -> Result<(), Failed> {
    let Some((driver, chromium)) = installed() else {
        if std::env::var_os("CI").is_some() {
            return Err("chromium or chromedriver is not installed; ./setup test installs them".into());
        }
        println!("left out: chromium or chromedriver is not installed; ./setup test installs them");
        return Ok(());
    };
    let mut browser = Browser::start(&driver, &chromium)?;
    violation(&mut browser)?;
    refinement(&mut browser)?;
    boolean_program(&mut browser)?;
    large(&mut browser)?;
    Ok(())
}

fn installed() -> Option<(PathBuf, PathBuf)> {
    let find = |name: &str| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    Some((find("chromedriver")?, find("chromium")?))
}

/// A violated program with threads: schedule, source and state move together.
fn violation(browser: &mut Browser) -> Result<(), Failed> {
    browser.open(&saved("verify examples/c-workers/broken.c --html")?)?;
    browser.expect("return document.querySelector('#headline h1').textContent", "1 property is violated.")?;
    browser.expect("return document.querySelector('#properties tbody .badge').textContent", "violated")?;
    let command = browser.text("return document.querySelector('#command').textContent")?;
    if !command.starts_with("boolero verify examples/c-workers/broken.c --html ") {
        return Err(format!("the command is {command}").into());
    }
    browser.click("#properties a[href='#/run/0/0']")?;
    browser.expect(POSITION, "1")?;
    browser.click("#forward")?;
    browser.click("#forward")?;
    browser.expect(POSITION, "3")?;
    browser.expect(CURRENT_STEP, "2")?;
    browser.expect("return location.hash", "#/run/0/2")?;
    browser.keys("\u{e012}")?; // left
    browser.expect(POSITION, "2")?;
    browser.click("#next-switch")?;
    browser.expect("return document.querySelector('.row.current').classList.contains('switch')", true)?;
    browser.keys("\u{e010}")?; // end
    browser.expect("return document.querySelector('.row.current').classList.contains('violation')", true)?;
    browser.expect("return document.querySelector('#source .row.current').dataset.line", "11")?;
    let ending = browser.text("return document.querySelector('#ending').textContent")?;
    if !ending.contains("assertion `inside == 1` fails") {
        return Err(format!("the ending is {ending}").into());
    }
    browser.expect("return [...document.querySelectorAll('#state tr')].some(row => row.cells[0].textContent == 'inside' && row.cells[1].textContent == '2')", true)?;
    browser.run("const slider = document.querySelector('#slider'); slider.value = 0; slider.dispatchEvent(new Event('input'))")?;
    browser.expect(POSITION, "1")?;
    // A link to a step opens at that step.
    browser.run("location.hash = '#/run/0/4'")?;
    browser.expect(POSITION, "5")
}

const POSITION: &str = "return document.querySelector('#position').textContent.split(' ')[1]";
const CURRENT_STEP: &str = "return document.querySelector('#schedule .row.current').dataset.step";

/// A proof: iterations, the program with invariants, graphs, light and dark.
fn refinement(browser: &mut Browser) -> Result<(), Failed> {
    browser.open(&saved("verify examples/c-lock/lock.c --hunt 0 --html")?)?;
    browser.expect("return document.querySelector('#headline h1').textContent", "All 2 properties hold.")?;
    browser.click("#tab-iterations")?;
    browser.expect("return document.querySelectorAll('#iterations tbody tr').length", 3)?;
    browser.expect("return document.querySelectorAll('#plot circle').length", 3)?;
    browser.click("#iteration-0 td")?;
    browser.expect("return document.querySelectorAll('.study .path tr.broke').length > 0", true)?;
    browser.expect("return document.querySelectorAll('.study .constraint').length > 0", true)?;
    browser.expect("return [...document.querySelectorAll('.study .new code')].some(code => code.textContent == 'locked == 0')", true)?;
    browser.click("#iteration-1 td")?;
    browser.expect("return document.querySelectorAll('#difference .added').length > 0", true)?;
    browser.keys("4")?;
    browser.expect("return document.querySelector('main').dataset.ready", "program")?;
    browser.expect("return [...document.querySelectorAll('.annotation b')].some(text => text.textContent.includes('locked'))", true)?;
    browser.click("#program .row[data-line='10']")?;
    browser.expect("return [...document.querySelectorAll('#boolean .row.current')].some(row => row.textContent.includes('lock.c:10'))", true)?;
    browser.click("#tab-graph")?;
    browser.run("location.hash = '#/graph/acquire'")?;
    browser.expect("return document.querySelectorAll('#graph .box').length > 1", true)?;
    let scale = "return document.querySelector('#graph g').getAttribute('transform')";
    let before = browser.text(scale)?;
    browser.keys("+")?;
    if before == browser.text(scale)? {
        return Err("the graph is not zoomed".into());
    }
    let theme = "return document.documentElement.dataset.theme";
    let before = browser.text(theme)?;
    browser.keys("d")?;
    if before == browser.text(theme)? {
        return Err("light stays light".into());
    }
    Ok(())
}

/// A Boolean program has no iterations, and steps like any other.
fn boolean_program(browser: &mut Browser) -> Result<(), Failed> {
    browser.open(&saved("check examples/lock-broken/lock.bp --html")?)?;
    browser.click("#tab-run")?;
    browser.keys("\u{e010}")?;
    browser.expect("return document.querySelector('.row.current').classList.contains('violation')", true)?;
    browser.expect("return document.querySelectorAll('#source .row.current').length", 1)?;
    browser.click("#tab-iterations")?;
    browser.expect("return document.querySelectorAll('.empty').length", 1)
}

/// A run of a thousand steps and a hundred iterations is small, and has elements only for what is in sight.
fn large(browser: &mut Browser) -> Result<(), Failed> {
    let page = super::report::large()?;
    let size = std::fs::metadata(&page)?.len();
    if size > 5_000_000 {
        return Err(format!("the report has {size} bytes").into());
    }
    browser.open(&page)?;
    browser.click("#tab-run")?;
    browser.expect("return document.querySelector('#slider').max >= 1000", true)?;
    browser.expect("return document.querySelectorAll('*').length < 3000", true)?;
    browser.keys("\u{e010}")?;
    browser.expect("return document.querySelector('.row.current').classList.contains('violation')", true)?;
    browser.click("#tab-iterations")?;
    browser.expect("return document.querySelectorAll('#iterations tbody tr').length >= 100", true)?;
    browser.expect("return document.querySelectorAll('*').length < 6000", true)?;
    let took = browser.run("const times = performance.getEntriesByType('navigation')[0]; return times.loadEventEnd - times.startTime")?;
    println!("a report of {size} bytes is open after {took} ms");
    Ok(())
}

/// A browser, and the session that drives it.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: PathBuf,
}

impl Browser {
    fn start(driver: &Path, chromium: &Path) -> Result<Self, Failed> {
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let output = BufReader::new(driver.stdout.take().ok_or("it is piped")?);
        let port = port_of(output)?;
        let profile = scratch("browser-profile")?;
        let mut browser = Self { driver, port, session: String::new(), profile };
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--window-size=1440,900",
            &format!("--user-data-dir={}", browser.profile.display()),
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "binary": chromium, "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        }}});
        let session = browser.ask("POST", "/session", &wanted)?;
        browser.session = session["sessionId"].as_str().ok_or("a session has an id")?.to_owned();
        Ok(browser)
    }

    /// Sends a command; the value that it gives.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, Failed> {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let body = body_of(BufReader::new(stream))?;
        let mut answer: Value = serde_json::from_str(&body).map_err(|error| format!("{error}: {body}"))?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(format!("{method} {path}: {error}: {}", value["message"]).into()),
            None => Ok(value),
        }
    }

    fn command(&self, path: &str, body: &Value) -> Result<Value, Failed> {
        self.ask("POST", &format!("/session/{}/{path}", self.session), body)
    }

    /// Opens a file, and waits until its first page is there. Nothing may have gone wrong on the page before.
    fn open(&self, page: &Path) -> Result<(), Failed> {
        self.complaints()?;
        self.command("url", &json!({ "url": format!("file://{}", page.display()) }))?;
        self.expect("return document.querySelector('main').dataset.ready", "summary")
    }

    /// What the page has complained of.
    fn complaints(&self) -> Result<(), Failed> {
        let log = self.command("se/log", &json!({ "type": "browser" }))?;
        match log.as_array().is_some_and(Vec::is_empty) {
            true => Ok(()),
            false => Err(format!("the page complains: {log}").into()),
        }
    }

    fn run(&self, script: &str) -> Result<Value, Failed> {
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    fn text(&self, script: &str) -> Result<String, Failed> {
        Ok(self.run(script)?.as_str().ok_or_else(|| format!("{script} gives no text"))?.to_owned())
    }

    /// A script gives this value, at once or soon.
    fn expect(&self, script: &str, expected: impl Into<Value>) -> Result<(), Failed> {
        let (expected, start) = (expected.into(), Instant::now());
        loop {
            let found = self.run(script);
            match found {
                Ok(found) if found == expected => return Ok(()),
                _ if start.elapsed() < Duration::from_secs(5) => {
                    std::thread::sleep(Duration::from_millis(20))
                }
                Ok(found) => return Err(format!("{script}\ngives {found}, not {expected}").into()),
                Err(error) => return Err(error),
            }
        }
    }

    fn element(&self, selector: &str) -> Result<String, Failed> {
        let found = self.command("element", &json!({ "using": "css selector", "value": selector }))?;
        let id = found.as_object().and_then(|object| object.values().next()?.as_str());
        Ok(id.ok_or("an element has an id")?.to_owned())
    }

    /// Clicks on an element, as a user does: it must be in sight.
    fn click(&self, selector: &str) -> Result<(), Failed> {
        let element = self.element(selector)?;
        self.command(&format!("element/{element}/click"), &json!({})).map(drop)
    }

    /// Presses keys.
    fn keys(&self, keys: &str) -> Result<(), Failed> {
        let element = self.element("body")?;
        self.command(&format!("element/{element}/value"), &json!({ "text": keys })).map(drop)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ending the session ends the browser; where there is none yet, the driver ends what it has started.
        if !self.session.is_empty() {
            let _ = self.ask("DELETE", &format!("/session/{}", self.session), &json!({}));
        }
        let _ = self.ask("GET", "/shutdown", &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// The body of an answer. The driver keeps the connection open, so only the length tells where it ends.
fn body_of(mut answer: impl BufRead) -> Result<String, Failed> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if answer.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
    }
    let mut body = vec![0; length];
    answer.read_exact(&mut body)?;
    Ok(String::from_utf8(body)?)
}

/// The port that chromedriver says it listens on.
fn port_of(output: impl BufRead) -> Result<u16, Failed> {
    for line in output.lines() {
        let line = line?;
        if let Some((_, port)) = line.split_once("successfully on port ") {
            return Ok(port.trim_end_matches('.').parse()?);
        }
    }
    Err("chromedriver does not tell its port".into())
}
