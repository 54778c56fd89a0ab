//! The system's own calls, and nothing else: everything unsafe of this crate is in here.
#![allow(unsafe_code, reason = "the system's calls take handles and pointers")]

use crate::limits;
use palestra_sandbox::Limits;
use std::ffi::c_void;
use std::io;
use std::os::windows::io::{
    AsHandle, AsRawHandle as _, AsRawSocket as _, BorrowedHandle, BorrowedSocket, FromRawHandle as _,
    OwnedHandle,
};
use std::ptr::{null, null_mut};
use std::time::Duration;
use windows_sys::Win32::Foundation::{HANDLE, WAIT_FAILED, WAIT_OBJECT_0};
use windows_sys::Win32::Media::timeBeginPeriod;
use windows_sys::Win32::Networking::WinSock::{FD_CLOSE, FD_READ, FD_WRITE, WSAEventSelect};
use windows_sys::Win32::System::IO::{CreateIoCompletionPort, GetQueuedCompletionStatus};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, IsProcessInJob, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_JOB_MEMORY,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOB_OBJECT_LIMIT_PRIORITY_CLASS, JOBOBJECT_ASSOCIATE_COMPLETION_PORT,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_BASIC_AND_IO_ACCOUNTING_INFORMATION,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECTINFOCLASS, JobObjectAssociateCompletionPortInformation,
    JobObjectBasicAccountingInformation, JobObjectBasicAndIoAccountingInformation,
    JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation, QueryInformationJobObject,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::SystemServices::JOB_OBJECT_MSG_JOB_MEMORY_LIMIT;
use windows_sys::Win32::System::Threading::{
    CreateEventW, GetExitCodeProcess, IDLE_PRIORITY_CLASS, INFINITE, OpenProcess, PROCESS_QUERY_INFORMATION,
    PROCESS_SUSPEND_RESUME, SetEvent, WaitForMultipleObjects, WaitForSingleObject,
};

// Documented nowhere and used by every debugger, as there is no other way to stop a process with all its threads.
#[link(name = "ntdll")]
unsafe extern "system" {
    fn NtSuspendProcess(process: HANDLE) -> i32;
    fn NtResumeProcess(process: HANDLE) -> i32;
}

/// Takes a handle that a call has made.
fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    match handle.is_null() {
        true => Err(io::Error::last_os_error()),
        // SAFETY: the call has succeeded, and nobody else has this handle.
        false => Ok(unsafe { OwnedHandle::from_raw_handle(handle) }),
    }
}

fn checked(done: i32) -> io::Result<()> {
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Set by whoever wants to wake the one that waits for it, which resets it.
#[derive(Debug)]
pub(super) struct Event(OwnedHandle);

impl Event {
    pub(super) fn new() -> io::Result<Event> {
        // SAFETY: no pointer is handed over.
        owned(unsafe { CreateEventW(null(), 0, 0, null()) }).map(Event)
    }

    pub(super) fn set(&self) {
        // SAFETY: the handle is open. Setting an event cannot fail then.
        unsafe { SetEvent(self.0.as_raw_handle()) };
    }
}

impl AsHandle for Event {
    fn as_handle(&self) -> BorrowedHandle<'_> {
        self.0.as_handle()
    }
}

/// Set while a connection has something to read or room to write.
pub(super) struct SocketEvent<'a> {
    socket: BorrowedSocket<'a>,
    event: Event,
}

impl SocketEvent<'_> {
    pub(super) fn new(socket: BorrowedSocket<'_>, writing: bool) -> io::Result<SocketEvent<'_>> {
        let event = Event::new()?;
        let what = FD_READ | FD_CLOSE | if writing { FD_WRITE } else { 0 };
        // SAFETY: both are open. The connection lets go of the event before that is closed.
        let failed = unsafe {
            WSAEventSelect(socket.as_raw_socket() as usize, event.0.as_raw_handle() as isize, what as i32)
        };
        if failed == 0 { Ok(SocketEvent { socket, event }) } else { Err(io::Error::last_os_error()) }
    }
}

impl AsHandle for SocketEvent<'_> {
    fn as_handle(&self) -> BorrowedHandle<'_> {
        self.event.as_handle()
    }
}

impl Drop for SocketEvent<'_> {
    fn drop(&mut self) {
        // SAFETY: the connection is open; it forgets the event.
        unsafe { WSAEventSelect(self.socket.as_raw_socket() as usize, 0, 0) };
    }
}

/// A time in milliseconds, not shorter than it is.
fn milliseconds(time: Option<Duration>) -> u32 {
    time.map_or(INFINITE, |time| time.as_nanos().div_ceil(1_000_000).min((INFINITE - 1).into()) as u32)
}

/// Waits until one of these is set or has ended, or the time is over.
pub(super) fn wait_for_any(handles: &[BorrowedHandle<'_>], timeout: Option<Duration>) -> io::Result<()> {
    // SAFETY: a borrowed handle is a handle and nothing else, and all of them are open.
    let woken = unsafe {
        WaitForMultipleObjects(handles.len() as u32, handles.as_ptr().cast(), 0, milliseconds(timeout))
    };
    if woken == WAIT_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Whether a process has ended, or an event is set; the event is no longer set then.
pub(super) fn is_signalled(handle: BorrowedHandle<'_>) -> bool {
    // SAFETY: the handle is open.
    unsafe { WaitForSingleObject(handle.as_raw_handle(), 0) == WAIT_OBJECT_0 }
}

/// The code that a process has ended with.
pub(super) fn exit_code(process: BorrowedHandle<'_>) -> Option<u32> {
    let mut code = 0;
    // SAFETY: the handle is open, and only `code` is written to.
    checked(unsafe { GetExitCodeProcess(process.as_raw_handle(), &raw mut code) }).ok()?;
    Some(code)
}

/// Lets a process stand still with all its threads. As often as it is stopped, it must be let go on.
pub(super) fn stop(process: BorrowedHandle<'_>) {
    // SAFETY: the handle is open.
    unsafe { NtSuspendProcess(process.as_raw_handle()) };
}

pub(super) fn go_on(process: BorrowedHandle<'_>) {
    // SAFETY: the handle is open.
    unsafe { NtResumeProcess(process.as_raw_handle()) };
}

/// Waits of this program end to the millisecond.
pub(super) fn wait_precisely() {
    // SAFETY: it takes a number.
    unsafe { timeBeginPeriod(1) };
}

/// Processes that are counted, limited and ended together. What one of them starts is one of them; all of them end when
/// this program does.
#[derive(Debug)]
pub(super) struct Job {
    job: OwnedHandle,
    /// Hears when the limit of memory is reached.
    port: OwnedHandle,
    limits: Option<Limits>,
}

/// What all processes of a job have done.
#[derive(Clone, Copy, Default)]
pub(super) struct Account {
    pub(super) cpu: Duration,
    /// Processes that there are.
    pub(super) active: u32,
    /// Page faults and transfers: whoever starts makes them, even when the clock stands still.
    pub(super) steps: u64,
}

impl Job {
    pub(super) fn new(limits: Option<Limits>) -> io::Result<Job> {
        // SAFETY: no pointer is handed over.
        let job = owned(unsafe { CreateJobObjectW(null(), null()) })?;
        let nothing = -1isize as HANDLE;
        // SAFETY: without a file there is nothing but a new port.
        let port = owned(unsafe { CreateIoCompletionPort(nothing, null_mut(), 0, 1) })?;
        let job = Job { job, port, limits };
        let mut tell = JOBOBJECT_ASSOCIATE_COMPLETION_PORT {
            CompletionKey: null_mut(),
            CompletionPort: job.port.as_raw_handle(),
        };
        job.set(JobObjectAssociateCompletionPortInformation, &mut tell)?;
        job.limit(false)?;
        Ok(job)
    }

    fn limit(&self, idle: bool) -> io::Result<()> {
        let mut all = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        let basic = &mut all.BasicLimitInformation;
        // A program that crashes ends, and asks nobody what to do about it.
        basic.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        if idle {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_PRIORITY_CLASS;
            basic.PriorityClass = IDLE_PRIORITY_CLASS;
        }
        if let Some(limits) = &self.limits {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY | JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
            basic.ActiveProcessLimit = limits.processes;
            all.JobMemoryLimit = usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX);
        }
        self.set(JobObjectExtendedLimitInformation, &mut all)
    }

    /// Lets all of it have the processor only when nobody else wants it.
    pub(super) fn make_idle(&self) {
        let _ = self.limit(true);
    }

    fn set<T>(&self, class: JOBOBJECTINFOCLASS, what: &mut T) -> io::Result<()> {
        let (what, size) = ((&raw mut *what).cast::<c_void>(), size_of::<T>() as u32);
        // SAFETY: every caller passes what belongs to the class, and that is all that is read.
        checked(unsafe { SetInformationJobObject(self.job.as_raw_handle(), class, what, size) })
    }

    fn query<T: Default>(&self, class: JOBOBJECTINFOCLASS) -> io::Result<T> {
        let (mut what, size) = (T::default(), size_of::<T>() as u32);
        let into = (&raw mut what).cast::<c_void>();
        // SAFETY: every caller asks for what belongs to the class, which is plain numbers.
        checked(unsafe {
            QueryInformationJobObject(self.job.as_raw_handle(), class, into, size, null_mut())
        })?;
        Ok(what)
    }

    pub(super) fn take(&self, process: BorrowedHandle<'_>) -> io::Result<()> {
        // SAFETY: both handles are open.
        checked(unsafe { AssignProcessToJobObject(self.job.as_raw_handle(), process.as_raw_handle()) })
    }

    /// Ends all of it at once, with this code.
    pub(super) fn terminate(&self, code: u32) {
        // SAFETY: the handle is open. A job without processes is fine.
        unsafe { TerminateJobObject(self.job.as_raw_handle(), code) };
    }

    pub(super) fn account(&self) -> Account {
        type Basic = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION;
        type WithTransfers = JOBOBJECT_BASIC_AND_IO_ACCOUNTING_INFORMATION;
        // Not every system counts transfers.
        let basic: Basic = self.query(JobObjectBasicAccountingInformation).unwrap_or_default();
        let with: WithTransfers = self.query(JobObjectBasicAndIoAccountingInformation).unwrap_or_default();
        let io = with.IoInfo;
        // In units of 100 ns.
        let ticks = (basic.TotalUserTime + basic.TotalKernelTime).max(0) as u64;
        Account {
            cpu: Duration::from_nanos(ticks.saturating_mul(100)),
            active: basic.ActiveProcesses,
            steps: u64::from(basic.TotalPageFaultCount)
                + io.ReadOperationCount
                + io.WriteOperationCount
                + io.OtherOperationCount,
        }
    }

    /// The most memory that all its processes had together.
    pub(super) fn memory_peak(&self) -> Option<u64> {
        let all: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = self.query(JobObjectExtendedLimitInformation).ok()?;
        Some(all.PeakJobMemoryUsed as u64).filter(|peak| *peak > 0)
    }

    /// The numbers of its processes.
    pub(super) fn members(&self) -> Vec<u32> {
        // Two counts, then the numbers.
        const HEAD: usize = 8 / size_of::<usize>();
        let mut list = vec![0usize; HEAD + limits::TREE_PROCESSES];
        let (into, size) = (list.as_mut_ptr().cast::<c_void>(), size_of_val(&list[..]) as u32);
        let class = JobObjectBasicProcessIdList;
        // SAFETY: no more is written than fits. If there are more, the first of them are.
        unsafe { QueryInformationJobObject(self.job.as_raw_handle(), class, into, size, null_mut()) };
        list[HEAD..].iter().map(|number| *number as u32).take_while(|number| *number != 0).collect()
    }

    /// A process of this job, by its number; that may be another's by now.
    pub(super) fn open(&self, number: u32) -> Option<OwnedHandle> {
        let rights = PROCESS_QUERY_INFORMATION | PROCESS_SUSPEND_RESUME;
        // SAFETY: it takes numbers.
        let process = owned(unsafe { OpenProcess(rights, 0, number) }).ok()?;
        let mut is_ours = 0;
        // SAFETY: both handles are open, and only `is_ours` is written to.
        unsafe { IsProcessInJob(process.as_raw_handle(), self.job.as_raw_handle(), &raw mut is_ours) };
        (is_ours != 0).then_some(process)
    }

    /// Memory that all its processes have asked for and not given back.
    pub(super) fn memory(&self) -> u64 {
        let of = |process: OwnedHandle| {
            let mut counted = PROCESS_MEMORY_COUNTERS::default();
            let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
            // SAFETY: the handle is open, and no more is written than fits.
            unsafe { K32GetProcessMemoryInfo(process.as_raw_handle(), &raw mut counted, size) };
            counted.PagefileUsage as u64
        };
        self.members().into_iter().filter_map(|number| self.open(number)).map(of).sum()
    }

    /// Waits so long for news of the job: whether somebody was refused memory because of the limit.
    pub(super) fn was_refused_memory(&self, patience: Duration) -> bool {
        let (mut message, mut key, mut number) = (0, 0, null_mut());
        // SAFETY: the handle is open, and only these three are written to.
        let told = unsafe {
            GetQueuedCompletionStatus(
                self.port.as_raw_handle(),
                &raw mut message,
                &raw mut key,
                &raw mut number,
                milliseconds(Some(patience)),
            )
        };
        told != 0 && message == JOB_OBJECT_MSG_JOB_MEMORY_LIMIT
    }
}
