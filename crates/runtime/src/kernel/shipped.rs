//! Machine code that was compiled before the program runs: a folder with one entry for each family and
//! architecture, so that a first launch needs neither a compiler nor its time.
//!
//! An entry holds all kernels of a family. It is named by everything its code depends on but the
//! compiler's version, so an entry of other sources is not found rather than used, and it is checked like
//! an entry of the [cache](super::disk_cache).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use super::architecture::Architecture;
use super::declaration::{Family, Kernel};
use super::disk_cache::DiskCache;
use super::image::{OPTIONS, compile_together, for_debugger};
use super::key::Key;
use super::source::HEADERS;
use crate::context::Context;
use crate::driver::{Driver, Image, ModuleHandle};
use crate::error::{Error, Result, ResultExt};
use crate::fork::Mutex;
use crate::log;
use crate::parallel;

/// The architectures that machine code is shipped for. Code for 8.0 runs on 8.6 and 8.9 too, but not on 9.0.
pub const ARCHITECTURES: [u32; 4] = [80, 90, 100, 120];

static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Names the folder that [`ship`] filled. To be called before the first launch.
///
/// Kernels that are not there are compiled as if nothing had been shipped.
pub fn set_shipped_folder(folder: PathBuf) {
    *FOLDER.lock() = Some(folder);
}

/// Compiles all kernels of the families for the [architectures](ARCHITECTURES) into `folder`, which is
/// made where it does not exist, and deletes files of other sources. Entries that are there stay.
/// Returns how many bytes of machine code there are.
///
/// Needs no GPU. Fails with [`Cuda`](crate::ErrorKind::Cuda) where there is no compiler, and with
/// [`Io`](crate::ErrorKind::Io) where the folder cannot be written.
pub fn ship(folder: &Path, families: &[&'static Family]) -> Result<u64> {
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let store = DiskCache::read_only(folder.to_owned());
    let wanted: Vec<_> =
        families.iter().flat_map(|&family| ARCHITECTURES.map(|number| (family, number))).collect();
    let entries: Vec<(Key, u64)> = parallel::map_items(wanted, &Context::current(), |(family, number)| {
        let kernels = family.kernels();
        let key = key(family, &kernels, number);
        if let Some(image) = store.get(key) {
            return Ok((key, image.bytes.len() as u64));
        }
        let image = compile_together(&kernels, number, &OPTIONS)
            .context(|| format!("the kernels of {} for {}", family.name(), Architecture::Sm(number)))?;
        store.write(key, &image).map_err(|e| Error::io(folder, e))?;
        Ok((key, image.bytes.len() as u64))
    })?;
    let (keys, sizes): (Vec<Key>, Vec<u64>) = entries.into_iter().unzip();
    store.retain(&keys).map_err(|e| Error::io(folder, e))?;
    Ok(sizes.iter().sum())
}

/// The cache key of the kernels of a family for one architecture, whatever compiled them.
fn key(family: &Family, kernels: &[Kernel], number: u32) -> Key {
    let architecture = Architecture::Sm(number).to_string();
    let instantiations: Vec<String> = kernels.iter().map(Kernel::instantiation).collect();
    let mut parts: Vec<&str> = vec!["shipped", &architecture, &family.source.text];
    parts.extend(instantiations.iter().map(String::as_str));
    parts.extend(HEADERS.iter().flat_map(|&(name, text)| [name, text]));
    parts.extend(OPTIONS);
    Key::of(&parts.into_iter().map(str::as_bytes).collect::<Vec<_>>())
}

/// A family's machine code on a device, and the names that its kernels have there.
type Module = (ModuleHandle, Arc<[String]>);

/// The shipped machine code of a family, loaded on the first call; `None` where there is none that runs
/// on a GPU of this compute capability.
pub(super) fn module(
    family: &'static Family,
    compute_capability: u32,
    driver: &'static dyn Driver,
    device: u32,
) -> Result<Option<Module>> {
    type Modules = HashMap<(usize, u32), Option<Module>>;
    static MODULES: LazyLock<Mutex<Modules>> = LazyLock::new(Mutex::default);
    let Some(folder) = FOLDER.lock().clone().filter(|_| !for_debugger()) else {
        return Ok(None);
    };
    // Locked while the code is read, so that it is read once.
    let mut modules = MODULES.lock();
    let slot = (std::ptr::from_ref(family) as usize, device);
    if let Some(known) = modules.get(&slot) {
        return Ok(known.clone());
    }
    let module = match find(&folder, family, compute_capability) {
        None => {
            log::debug!("no machine code of {} is shipped for sm_{compute_capability}", family.name());
            None
        }
        Some(image) => {
            let module = driver.load_module(device, &image.bytes);
            let module = module.context(|| format!("shipped machine code of {}", family.name()))?;
            Some((module, image.names.into()))
        }
    };
    Ok(modules.entry(slot).or_insert(module).clone())
}

/// The entry of a family that runs on GPUs of a compute capability: code runs on later revisions of the
/// generation it is for.
pub(super) fn find(folder: &Path, family: &'static Family, compute_capability: u32) -> Option<Image> {
    let (kernels, store) = (family.kernels(), DiskCache::read_only(folder.to_owned()));
    let runs = |number: &u32| number / 10 == compute_capability / 10 && *number <= compute_capability;
    let mut best = ARCHITECTURES.into_iter().rev().filter(runs);
    let image = best.find_map(|number| store.get(key(family, &kernels, number)));
    image.filter(|image| image.names.len() == kernels.len())
}
