//! Faults of the processor inside a kernel become failures of its launch; the process goes on.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::failure::{CALLS, Place};
use super::fiber::{self, Stacks, Thread};

const SIGNALS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// The processor's report.
pub(super) struct Fault {
    signal: c_int,
    address: usize,
    /// The instruction, then words of the stack, some of which say where it was called from.
    code: [usize; CALLS],
    pub(super) thread: *mut Thread,
}

/// The parts of the running launch that the handler of signals needs.
pub(super) struct Escape {
    pub(super) stacks: *mut Stacks,
    /// The variable from which the kernel reads the running thread.
    pub(super) current: *mut *mut Thread,
    /// The addresses of the module's code.
    pub(super) module_code: Range<usize>,
    /// The stack pointer at which the launcher goes on.
    pub(super) launcher: usize,
    pub(super) fault: Option<Fault>,
}

impl Fault {
    pub(super) fn place(&self) -> Place {
        Place::Calls(self.code)
    }

    pub(super) fn describe(&self) -> String {
        match self.signal {
            libc::SIGFPE => "an integer is divided by zero".to_owned(),
            libc::SIGILL => "an instruction that this processor does not have".to_owned(),
            // SAFETY: the thread that ran, whose stack is never given back.
            _ if unsafe { &*self.thread }.guard().contains(&self.address) => format!(
                "a stack overflow: a thread's local memory is limited to {} KiB here",
                fiber::STACK_BYTES >> 10
            ),
            _ => format!("an illegal memory access at {:#x}", self.address),
        }
    }
}

thread_local! {
    /// The launch that runs on this thread.
    static RUNNING: Cell<*mut Escape> = const { Cell::new(null_mut()) };
    /// The stack of the signal handler, if the thread has none already.
    static SIGNAL_STACK: Box<[u8]> = signal_stack();
}

fn signal_stack() -> Box<[u8]> {
    vec![0; 64 << 10].into_boxed_slice()
}

/// Runs something in which faults on the stacks of fibers end the launch.
///
/// # Safety
/// `run` switches from the launcher's stack, saved in `launcher`, to a fiber.
pub(super) unsafe fn watch(launch: *mut Escape, run: impl FnOnce()) {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(install);
    // A thread that ends does the rest of the work on its streams when its own stack is gone already.
    let mut other: Option<Box<[u8]>> = None;
    // SAFETY: the structures are plain data that sigaltstack fills and reads; the stack lives as long as
    // the thread or this call, and is taken away from the signals below.
    unsafe {
        let mut before = MaybeUninit::<libc::stack_t>::zeroed().assume_init();
        libc::sigaltstack(std::ptr::null(), &raw mut before);
        let has_stack = before.ss_flags & libc::SS_DISABLE == 0;
        if !has_stack {
            let (start, len) =
                SIGNAL_STACK.try_with(|stack| (stack.as_ptr(), stack.len())).unwrap_or_else(|_| {
                    let stack = other.insert(signal_stack());
                    (stack.as_ptr(), stack.len())
                });
            let ours = libc::stack_t { ss_sp: start as *mut c_void, ss_flags: 0, ss_size: len };
            libc::sigaltstack(&raw const ours, null_mut());
        }
        RUNNING.set(launch);
        run();
        RUNNING.set(null_mut());
        if !has_stack {
            libc::sigaltstack(&raw const before, null_mut());
        }
    }
}

/// The handlers that were there before, in the order of [`SIGNALS`].
static PREVIOUS: [AtomicPtr<libc::sigaction>; 4] = [const { AtomicPtr::new(null_mut()) }; 4];

fn install() {
    for (signal, previous) in SIGNALS.iter().zip(&PREVIOUS) {
        // SAFETY: plain data; the handler is of the kind that the flags say.
        unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            let mut before = action;
            libc::sigaction(*signal, std::ptr::null(), &raw mut before);
            previous.store(Box::leak(Box::new(before)), Ordering::Release);
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(*signal, &raw const action, null_mut());
        }
    }
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let launch = RUNNING.get();
    // SAFETY: the system hands valid pointers over. A launch that runs on this thread does not change its
    // stacks in the moment of a fault of the kernel.
    unsafe {
        let registers = &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
        let stack = registers[libc::REG_RSP as usize] as usize;
        if launch.is_null() || !(*(*launch).stacks).contains(stack) {
            return pass_on(signal, info, context);
        }
        let thread = *(*launch).current;
        let words = stack.max((*thread).stack().start)..(*thread).stack().end;
        let code = calls(registers[libc::REG_RIP as usize] as usize, words, &(*launch).module_code);
        (*launch).fault = Some(Fault { signal, address: (*info).si_addr() as usize, code, thread });
        // When the handler returns, the launcher goes on.
        registers[libc::REG_RSP as usize] = (*launch).launcher as i64;
        registers[libc::REG_RIP as usize] = fiber::resume as *const () as i64;
    }
}

/// The instruction, and the words on the stack that point into the code. Nothing better can be had:
/// there are no frame pointers.
unsafe fn calls(instruction: usize, stack: Range<usize>, code: &Range<usize>) -> [usize; CALLS] {
    let mut calls = [instruction; CALLS];
    let mut found = 1;
    for address in (stack.start.next_multiple_of(8)..stack.end).step_by(8) {
        // SAFETY: a word of a stack, above its guard page.
        let word = unsafe { *(address as *const usize) };
        if code.contains(&word) && found < CALLS {
            // The address before the one to return to is in the line of the call.
            calls[found] = word - 1;
            found += 1;
        }
    }
    calls
}

/// Lets the handler from before deal with a signal that is none of ours.
unsafe fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let index = SIGNALS.iter().position(|&s| s == signal).unwrap_or(0);
    // SAFETY: `install` stored what the system returned; a handler has the type that its flags say.
    unsafe {
        let Some(previous) = PREVIOUS[index].load(Ordering::Acquire).as_ref() else { return };
        match previous.sa_sigaction {
            // The instruction runs again, and the system handles it as always.
            libc::SIG_DFL | libc::SIG_IGN => {
                libc::signal(signal, libc::SIG_DFL);
            }
            handler if previous.sa_flags & libc::SA_SIGINFO != 0 => {
                type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
                std::mem::transmute::<usize, Handler>(handler)(signal, info, context);
            }
            handler => std::mem::transmute::<usize, extern "C" fn(c_int)>(handler)(signal),
        }
    }
}
