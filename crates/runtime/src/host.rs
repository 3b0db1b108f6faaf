//! Memory and processor of the machine.

use crate::device::MemoryInfo;

/// The memory as Linux reports it; elsewhere the physical memory, all of it free.
pub(crate) fn memory() -> MemoryInfo {
    // SAFETY: sysconf has no preconditions.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    let total = if pages > 0 && size > 0 { pages as usize * size as usize } else { 4 << 30 };
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = text.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB")?;
        Some(kilobytes.parse::<usize>().ok()? << 10)
    });
    MemoryInfo { free: available.unwrap_or(total).min(total), total }
}

/// The name of the processor, else its architecture.
pub(crate) fn processor_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
