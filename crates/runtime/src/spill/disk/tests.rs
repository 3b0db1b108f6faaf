use std::collections::VecDeque;
use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;

use super::extent::BLOCK;
use super::file::is_memory;
use super::*;
use crate::error::{ErrorKind, Result};
use crate::random::Random;

fn temporary() -> Arc<SpillFile> {
    SpillFile::open(&std::env::temp_dir()).unwrap()
}

/// Bytes that differ everywhere and from those of another seed.
fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    (0..len.div_ceil(8)).flat_map(|_| random.next().to_ne_bytes()).take(len).collect()
}

fn read(extent: &Extent, range: Range<usize>) -> Result<Vec<u8>> {
    let mut out = vec![0xAA; range.len()];
    extent.read(range, &mut out).map(|()| out)
}

/// The file under a second descriptor, as somebody who tampers with it has it.
fn reopened(file: &SpillFile) -> File {
    let path = format!("/proc/self/fd/{}", file.file.as_raw_fd());
    OpenOptions::new().read(true).write(true).open(path).unwrap()
}

fn assert_damaged<T: std::fmt::Debug>(result: Result<T>) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    assert!(error.to_string().contains("changed or damaged"), "{error}");
}

const LENGTHS: [usize; 12] = [
    0,
    1,
    4095,
    4096,
    BLOCK - 1,
    BLOCK,
    BLOCK + 1,
    2 * BLOCK - 1,
    3 * BLOCK,
    9 * BLOCK + 5,
    40 * BLOCK,
    40 * BLOCK + 77,
];

#[test]
fn what_was_written_is_read() {
    let file = temporary();
    let extents: Vec<_> = LENGTHS.iter().map(|&len| file.write(&bytes(len, len as u64)).unwrap()).collect();
    for (&len, extent) in LENGTHS.iter().zip(&extents) {
        assert_eq!(extent.len(), len);
        assert!(read(extent, 0..len).unwrap() == bytes(len, len as u64), "{len}");
    }
    assert_eq!(file.bytes_in_use(), LENGTHS.iter().sum::<usize>() as u64);
    drop(extents);
    assert_eq!(file.bytes_in_use(), 0);
}

#[test]
fn ranges_are_read() {
    let file = temporary();
    let len = 5 * BLOCK + 321;
    let data = bytes(len, 1);
    let extent = file.write(&data).unwrap();
    let mut random = Random(2);
    let edges = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 4 * BLOCK, 5 * BLOCK, len - 1, len];
    let random = std::iter::from_fn(|| {
        let (a, b) = (random.below(len as u64 + 1) as usize, random.below(len as u64 + 1) as usize);
        Some(a.min(b)..a.max(b))
    });
    let ranges = edges.iter().flat_map(|&a| edges.iter().map(move |&b| a..b)).filter(|r| r.start <= r.end);
    for range in ranges.chain(random.take(30)) {
        assert!(read(&extent, range.clone()).unwrap() == data[range.clone()], "{range:?}");
    }
}

#[test]
fn wrong_ranges_are_errors() {
    let file = temporary();
    let extent = file.write(&[1, 2, 3]).unwrap();
    let backwards = Range { start: 2, end: 1 };
    for (range, len) in [(0..4, 4), (4..4, 0), (backwards, 0), (0..2, 3), (0..3, 2), (0..usize::MAX, 3)] {
        let error = extent.read(range.clone(), &mut vec![0; len]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{range:?}");
        assert!(error.to_string().contains(&format!("{range:?}")), "{error}");
    }
}

#[test]
fn pieces_of_any_size_make_an_extent() {
    let file = temporary();
    let data = bytes(6 * BLOCK + 99, 3);
    let mut random = Random(4);
    for most in [BLOCK / 3, BLOCK, 2 * BLOCK, 7 * BLOCK] {
        let mut writer = file.writer(data.len()).unwrap();
        let mut rest = &data[..];
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.len().min(random.below(most as u64) as usize));
            writer.append(piece).unwrap();
            rest = after;
        }
        writer.append(&[]).unwrap();
        assert!(read(&writer.finish().unwrap(), 0..data.len()).unwrap() == data, "{most}");
    }
    assert_eq!(file.bytes_in_use(), 0);
}

#[test]
fn too_many_and_too_few_pieces_are_errors() {
    let file = temporary();
    let mut writer = file.writer(10).unwrap();
    writer.append(&[1; 8]).unwrap();
    assert_eq!(writer.append(&[1; 3]).unwrap_err().kind(), ErrorKind::OutOfRange);
    assert_eq!(writer.finish().unwrap_err().kind(), ErrorKind::Logic);
    let mut writer = file.writer(10).unwrap();
    writer.append(&[1; 8]).unwrap();
    drop(writer);
    assert_eq!(file.bytes_in_use(), 0);
}

#[test]
fn sizes_that_no_file_has_are_errors() {
    let file = temporary();
    for len in [usize::MAX, usize::MAX - (128 << 10), 1 << 63] {
        let error = file.writer(len).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains(&len.to_string()), "{error}");
    }
    assert_eq!(file.bytes_in_use(), 0);
    assert_eq!(read(&file.write(&[7; 5]).unwrap(), 0..5).unwrap(), [7; 5]);
}

#[test]
fn random_programs_agree_with_a_model() {
    for seed in 0..4 {
        let file = temporary();
        let mut random = Random(seed);
        let mut model: Vec<(Vec<u8>, Extent)> = Vec::new();
        for step in 0..60 {
            let pick = |random: &mut Random| random.below(model.len().max(1) as u64) as usize;
            match random.below(4) {
                0 | 1 if model.len() < 12 => {
                    let blocks = random.below(3) as usize;
                    let data = bytes(blocks * BLOCK + random.below(70_000) as usize, seed << 32 | step);
                    let extent = file.write(&data).unwrap();
                    model.push((data, extent));
                }
                2 if !model.is_empty() => drop(model.swap_remove(pick(&mut random))),
                _ if !model.is_empty() => {
                    let (data, extent) = &model[pick(&mut random)];
                    let start = random.below(data.len() as u64 + 1) as usize;
                    let end = start + random.below((data.len() - start) as u64 + 1) as usize;
                    assert!(read(extent, start..end).unwrap() == data[start..end], "seed {seed} step {step}");
                }
                _ => {}
            }
            let in_use: usize = model.iter().map(|(data, _)| data.len()).sum();
            assert_eq!(file.bytes_in_use(), in_use as u64);
        }
        for (data, extent) in &model {
            assert!(read(extent, 0..data.len()).unwrap() == *data, "seed {seed}");
        }
    }
}

#[test]
fn threads_write_read_and_drop_at_once() {
    let file = temporary();
    let pool = bytes(2 * BLOCK, 17);
    let write_read_and_drop = &|seed| {
        let mut random = Random(seed);
        let mut kept: VecDeque<(Extent, &[u8])> = VecDeque::new();
        for turn in 0..4000 {
            let most = if turn % 20 == 0 { BLOCK } else { 9000 };
            let start = random.below(BLOCK as u64) as usize;
            let data = &pool[start..=start + random.below(most as u64) as usize];
            kept.push_back((file.write(data).unwrap(), data));
            let (extent, data) = &kept[random.below(kept.len() as u64) as usize];
            assert!(read(extent, 0..data.len()).unwrap() == *data, "seed {seed} turn {turn}");
            if kept.len() > 3 {
                kept.pop_front();
            }
        }
    };
    thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || write_read_and_drop(seed));
        }
    });
    assert_eq!(file.bytes_in_use(), 0);
    // Threads share an extent as well.
    let data = bytes(5 * BLOCK, 1);
    let extent = file.write(&data).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(read(&extent, 3..data.len()).unwrap() == data[3..]));
        }
    });
}

#[test]
fn space_is_used_again_and_goes_back_to_the_disk() {
    let file = temporary();
    let data = bytes(8 * BLOCK, 9);
    let (first, second) = (file.write(&data).unwrap(), file.write(&data).unwrap());
    let both = file.bytes_on_disk().unwrap();
    assert!(both >= 16 * BLOCK as u64, "{both}");
    let length = file.file.metadata().unwrap().len();
    drop(first);
    let one = file.bytes_on_disk().unwrap();
    assert!(one < both - 7 * BLOCK as u64, "{one} of {both} bytes are left");
    let third = file.write(&data).unwrap();
    assert_eq!(file.file.metadata().unwrap().len(), length);
    assert!(read(&third, 0..data.len()).unwrap() == data);
    assert!(read(&second, 0..data.len()).unwrap() == data);
    drop((second, third));
    let none = file.bytes_on_disk().unwrap();
    assert!(none < BLOCK as u64, "{none} bytes are left");
}

#[test]
fn a_changed_byte_is_an_error_of_its_block_alone() {
    let file = temporary();
    let data = bytes(3 * BLOCK + 10, 11);
    let extent = file.write(&data).unwrap();
    let other = reopened(&file);
    for at in [0, BLOCK + 5, 2 * BLOCK - 1, 3 * BLOCK + 9] {
        other.write_all_at(&[data[at] ^ 1], at as u64).unwrap();
        let block = at / BLOCK * BLOCK;
        assert_damaged(read(&extent, 0..data.len()));
        assert_damaged(read(&extent, block..block + 1));
        assert_damaged(read(&extent, at..at + 1));
        let next = (block + BLOCK) % (4 * BLOCK);
        assert_eq!(read(&extent, next..next + 9).unwrap(), data[next..next + 9]);
        other.write_all_at(&data[at..=at], at as u64).unwrap();
        assert!(read(&extent, 0..data.len()).unwrap() == data);
    }
}

#[test]
fn a_file_cut_short_is_an_error() {
    let file = temporary();
    let data = bytes(3 * BLOCK, 12);
    let extent = file.write(&data).unwrap();
    let other = reopened(&file);
    other.set_len(2 * BLOCK as u64 + 1).unwrap();
    assert_damaged(read(&extent, 0..data.len()));
    assert_damaged(read(&extent, 2 * BLOCK..2 * BLOCK + 1));
    assert_eq!(read(&extent, BLOCK..2 * BLOCK).unwrap(), data[BLOCK..2 * BLOCK]);
    // Made as long as it was, it has zeros where the data were.
    other.set_len(3 * BLOCK as u64).unwrap();
    assert_damaged(read(&extent, 0..data.len()));
    other.set_len(0).unwrap();
    assert_damaged(read(&extent, 0..1));
    // Data written afterwards are right again.
    let again = file.write(&data).unwrap();
    assert!(read(&again, 0..data.len()).unwrap() == data);
}

#[test]
fn directories_that_take_no_file_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let check = |directory: &Path, problem: &str| {
        let error = SpillFile::open(directory).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        let text = error.to_string();
        let said = [problem, "spill_directory", directory.to_str().unwrap()];
        assert!(said.iter().all(|part| text.contains(part)), "{text}");
    };
    check(&folder.path().join("missing"), "does not exist");
    let plain = folder.path().join("plain");
    std::fs::write(&plain, "").unwrap();
    check(&plain, "is not a directory");
    let locked = folder.path().join("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o500)).unwrap();
    // SAFETY: asks for a number.
    if unsafe { libc::geteuid() } == 0 {
        println!("skipped: root may write to any directory");
    } else {
        check(&locked, "is not writable");
    }
    // A directory of the kernel's, where root cannot make files either.
    check(Path::new("/proc/self"), "");
}

/// The directory gets a file system of 4 MiB that this thread alone sees; `false` without the right.
fn mount_small_disk(directory: &Path) -> bool {
    let target = std::ffi::CString::new(directory.to_str().unwrap()).unwrap();
    let mount = |kind: &CStr, target: &CStr, flags, options: &CStr| {
        // SAFETY: all of them are strings that outlive the call.
        unsafe {
            libc::mount(kind.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast()) == 0
        }
    };
    // SAFETY: changes state of this thread alone.
    let alone = unsafe { libc::unshare(libc::CLONE_NEWNS) } == 0;
    alone
        && mount(c"none", c"/", libc::MS_REC | libc::MS_PRIVATE, c"")
        && mount(c"tmpfs", &target, 0, c"size=4m")
}

#[test]
fn a_full_disk_is_an_error_and_leaves_room_for_what_fits() {
    let folder = tempfile::tempdir().unwrap();
    let on_a_small_disk = || {
        if !mount_small_disk(folder.path()) {
            println!("skipped: mounting takes rights: {}", io::Error::last_os_error());
            return;
        }
        let file = SpillFile::open(folder.path()).unwrap();
        assert!(is_memory(&file.file));
        let data = bytes(3 << 20, 13);
        let extent = file.write(&data).unwrap();
        for len in [2 << 20, 30 << 20] {
            let error = file.write(&vec![1; len]).unwrap_err();
            assert_eq!((error.kind(), error.os_error()), (ErrorKind::Io, Some(libc::ENOSPC)));
            let text = error.to_string();
            let said = [folder.path().to_str().unwrap(), &len.to_string(), &data.len().to_string()];
            assert!(said.iter().all(|part| text.contains(part)), "{text}");
            assert_eq!(file.bytes_in_use(), data.len() as u64);
        }
        let mut writer = file.writer(2 << 20).unwrap();
        writer.append(&data[..1 << 19]).unwrap();
        writer.append(&data[..3 << 19]).unwrap_err();
        assert_eq!(writer.append(&[1]).unwrap_err().kind(), ErrorKind::Logic);
        assert_eq!(writer.finish().unwrap_err().kind(), ErrorKind::Logic);
        assert!(read(&extent, 0..data.len()).unwrap() == data);
        let fits = file.write(&data[..1 << 20]).unwrap();
        assert!(read(&fits, 0..1 << 20).unwrap() == data[..1 << 20]);
        drop(extent);
        assert!(read(&file.write(&data).unwrap(), 0..data.len()).unwrap() == data);
    };
    thread::scope(|scope| scope.spawn(on_a_small_disk).join().unwrap());
}

/// Set for a process that a test starts: its work, and the directory.
const TASK: &str = "CUPRUM_TEST_SPILL_TASK";
const DIRECTORY: &str = "CUPRUM_TEST_SPILL_DIRECTORY";

/// Runs this program again, to do `task` alone.
fn start(task: &str, directory: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "spill::disk::tests::as_another_process", "--nocapture"])
        .envs([(TASK, task.as_ref()), (DIRECTORY, directory.as_os_str())])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the process has printed that it is ready.
fn wait_until_ready(child: &mut Child) {
    let mut said = Vec::new();
    let stdout = child.stdout.as_mut().unwrap();
    while !said.ends_with(b"ready\n") {
        let mut byte = [0];
        assert_eq!(stdout.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&said));
        said.push(byte[0]);
    }
}

/// Not a test of its own, but the work of other tests' processes.
#[test]
fn as_another_process() {
    let Ok(task) = std::env::var(TASK) else { return };
    let file = SpillFile::open(Path::new(&std::env::var_os(DIRECTORY).unwrap())).unwrap();
    match task.as_str() {
        "write without end" => {
            let mut extents = vec![file.write(&[1; 100]).unwrap()];
            println!("ready");
            loop {
                extents.push(file.write(&vec![1; BLOCK]).unwrap());
                extents.truncate(20);
            }
        }
        "write and wait" => {
            let data = bytes(2 * BLOCK, 21);
            let extent = file.write(&data).unwrap();
            println!("ready");
            io::stdin().read_exact(&mut [0]).unwrap();
            assert!(read(&extent, 0..data.len()).unwrap() == data);
        }
        "write beyond the limit" => {
            let limit = libc::rlimit { rlim_cur: BLOCK as u64, rlim_max: BLOCK as u64 };
            // SAFETY: the argument is a limit; it holds for this process alone.
            assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) }, 0);
            let error = file.write(&vec![1; BLOCK + 1]).unwrap_err();
            assert_eq!((error.kind(), error.os_error()), (ErrorKind::Io, Some(libc::EFBIG)));
            assert_eq!((file.bytes_in_use(), file.bytes_on_disk().unwrap()), (0, 0));
            let extent = file.write(&vec![2; BLOCK]).unwrap();
            file.write(&[1]).unwrap_err();
            assert_eq!(read(&extent, 0..1).unwrap(), [2]);
        }
        task => panic!("no such task: {task}"),
    }
}

#[test]
fn a_limit_of_file_sizes_is_an_error_and_not_the_end() {
    let output = start("write beyond the limit", &std::env::temp_dir()).wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_killed_process_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start("write without end", folder.path());
    wait_until_ready(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn processes_share_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start("write and wait", folder.path());
    let file = SpillFile::open(folder.path()).unwrap();
    let data = bytes(2 * BLOCK, 22);
    let extent = file.write(&data).unwrap();
    wait_until_ready(&mut child);
    assert!(read(&extent, 0..data.len()).unwrap() == data);
    drop((extent, file));
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// A forked child of the test.
struct Forked(libc::pid_t);

impl Forked {
    /// Does `work` in a child, which may allocate but must not need the threads that it does not have.
    fn start(work: impl FnOnce() -> u8) -> Self {
        // SAFETY: the child does `work`, which waits for no other thread, and ends.
        let child = unsafe { libc::fork() };
        assert!(child >= 0, "{}", io::Error::last_os_error());
        if child == 0 {
            let status = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or(255);
            // SAFETY: ends the child without running the parent's code.
            unsafe { libc::_exit(status.into()) };
        }
        Self(child)
    }

    /// The result of the work; 255 for a panic.
    fn status(self) -> u8 {
        let mut status = 0;
        // SAFETY: the child is this process', and there is room for its status.
        assert_eq!(unsafe { libc::waitpid(self.0, &raw mut status, 0) }, self.0);
        assert!(libc::WIFEXITED(status), "{status}");
        libc::WEXITSTATUS(status) as u8
    }
}

#[test]
fn a_forked_child_reads_and_changes_nothing() {
    let file = temporary();
    let data = bytes(40 * BLOCK + 5, 14);
    let extent = file.write(&data).unwrap();
    let mut writer = file.writer(10).unwrap();
    let mut out = vec![0; data.len()];
    let mut inherited = Some(extent);
    let child = Forked::start(|| {
        if file.is_ours() || writer.append(&[1; 10]).is_ok() || file.write(&[1]).is_ok() {
            return 1;
        }
        let extent = inherited.take().unwrap();
        if extent.read(0..data.len(), &mut out).is_err() || out != data {
            return 2;
        }
        drop(extent);
        let own = SpillFile::open(&file.directory).unwrap();
        let extent = own.write(&data).unwrap();
        u8::from(!own.is_ours() || extent.read(0..data.len(), &mut out).is_err() || out != data) * 3
    });
    assert_eq!(child.status(), 0);
    assert!(file.is_ours());
    let extent = inherited.unwrap();
    assert!(read(&extent, 0..data.len()).unwrap() == data);
    assert_eq!(file.bytes_in_use(), (data.len() + 10) as u64);
}

#[test]
fn a_forked_child_never_reads_what_the_parent_wrote_since() {
    let file = temporary();
    let data = bytes(BLOCK + 5, 15);
    let extents = [1, 2].map(|_| file.write(&data).unwrap());
    let (mut parent_s, child_s) = std::os::unix::net::UnixStream::pair().unwrap();
    let child = Forked::start(|| {
        (&child_s).read_exact(&mut [0]).unwrap();
        let refused = |extent: &Extent| matches!(read(extent, 0..9), Err(e) if e.kind() == ErrorKind::Io);
        u8::from(!extents.iter().all(refused))
    });
    drop(extents);
    let again = file.write(&bytes(BLOCK + 5, 16)).unwrap();
    parent_s.write_all(&[1]).unwrap();
    assert_eq!(child.status(), 0);
    assert!(read(&again, 0..BLOCK + 5).unwrap() == bytes(BLOCK + 5, 16));
}
