//! A program with a logger of its own; apart from the other tests, as there is one for the process.

use std::sync::Mutex;

use cuprum_runtime::log::{self as ours, Level};
use log::{LevelFilter, Log, Metadata, Record};

struct Collector(Mutex<Vec<String>>);

impl Log for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() != "elsewhere"
    }
    fn log(&self, record: &Record<'_>) {
        let line = format!("{} {} {}", record.level(), record.target(), record.args());
        self.0.lock().unwrap().push(line);
    }
    fn flush(&self) {}
}

static COLLECTOR: Collector = Collector(Mutex::new(Vec::new()));

#[test]
fn the_logger_of_the_program_gets_the_messages() {
    let path = std::env::temp_dir().join(format!("cuprum-logging-{}", std::process::id()));
    let lines = || std::mem::take(&mut *COLLECTOR.0.lock().unwrap());
    ours::warn!("to standard error");
    // The library has installed nothing, so the program can.
    log::set_logger(&COLLECTOR).unwrap();
    assert!(!ours::is_enabled(Level::Critical), "the logger lets nothing through as yet");
    log::set_max_level(LevelFilter::Info);
    assert!(
        ours::is_enabled(Level::Info) && !ours::is_enabled(Level::Debug) && !ours::is_enabled(Level::Off)
    );
    ours::info!("one {}", 1);
    ours::error!("two");
    ours::critical!("three");
    ours::write(Level::Debug, format_args!("too low"));
    assert_eq!(lines(), ["INFO cuprum one 1", "ERROR cuprum two", "ERROR cuprum three"]);
    // Its level is the logger's affair.
    let before = ours::set_level(Level::Off);
    ours::info!("four");
    assert_eq!(lines(), ["INFO cuprum four"]);
    ours::set_level(before);
    // A file that is named goes first.
    ours::to_file(&path).unwrap();
    ours::warn!("to the file");
    ours::to_stderr();
    ours::warn!("to the logger");
    assert_eq!(lines(), ["WARN cuprum to the logger"]);
    assert!(std::fs::read_to_string(&path).unwrap().ends_with("] to the file\n"));
    std::fs::remove_file(&path).unwrap();
}
