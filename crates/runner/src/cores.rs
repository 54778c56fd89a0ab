//! Which cores a match runs on.
//!
//! The bots of a match move in turn, so a match and its bots share one core: handing a pipe over within a core is
//! several times faster than across two. Bots inherit the binding of the thread that starts them.

use std::fmt;
use std::str::FromStr;

/// The cores of one match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Cores {
    /// One core for the match and its bots, the one it happens to run on.
    #[default]
    Shared,
    /// Left to the scheduler.
    Any,
    /// These, by number.
    List(Vec<usize>),
}

impl Cores {
    /// The cores that this process may use, by number; none where threads are not bound to cores. A container that
    /// is given less than all of them gets the first ones.
    pub fn available() -> Vec<usize> {
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let mut cores = allowed();
        cores.truncate(most);
        cores
    }

    /// Whether a match and its bots have one core between them.
    pub(crate) fn are_one(&self) -> bool {
        match self {
            Cores::Shared => true,
            Cores::Any => false,
            Cores::List(list) => list.len() == 1,
        }
    }
}

impl FromStr for Cores {
    type Err = String;

    fn from_str(text: &str) -> Result<Cores, String> {
        match text {
            "shared" => return Ok(Cores::Shared),
            "any" => return Ok(Cores::Any),
            _ => {}
        }
        let list: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
        match list {
            Ok(list) => Ok(Cores::List(list)),
            Err(_) => {
                Err("write shared (one core for the match and its bots), any, or numbers such as 0,1"
                    .to_owned())
            }
        }
    }
}

impl fmt::Display for Cores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cores::Shared => f.write_str("shared"),
            Cores::Any => f.write_str("any"),
            Cores::List(list) => {
                f.write_str(&list.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
            }
        }
    }
}

/// The calling thread bound to a match's cores; the former binding returns when this is dropped.
#[derive(Debug)]
pub struct Pinned {
    #[cfg(target_os = "linux")]
    holds: bool,
    /// The binding to return to, where it was another one.
    #[cfg(target_os = "linux")]
    before: Option<rustix::thread::CpuSet>,
}

#[cfg(target_os = "linux")]
fn allowed() -> Vec<usize> {
    let set = rustix::thread::sched_getaffinity(None).unwrap_or_else(|_| rustix::thread::CpuSet::new());
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect()
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> Vec<usize> {
    Vec::new()
}

#[cfg(target_os = "linux")]
impl Pinned {
    /// Binds the calling thread. Fails only for cores that were asked for by number and are not there.
    pub fn new(cores: &Cores) -> Result<Pinned, String> {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
        let mut wanted = CpuSet::new();
        match cores {
            Cores::Any => return Ok(Pinned { holds: false, before: None }),
            Cores::Shared => wanted.set(sched_getcpu()),
            Cores::List(list) => {
                for core in list {
                    if *core >= CpuSet::MAX_CPU {
                        return Err(format!("there is no core {core}"));
                    }
                    wanted.set(*core);
                }
            }
        }
        let before = sched_getaffinity(None).ok();
        // Workers are bound for good; binding them again for every match takes as long as several turns of a quick one.
        if before.as_ref() == Some(&wanted) {
            return Ok(Pinned { holds: true, before: None });
        }
        match sched_setaffinity(None, &wanted) {
            Ok(()) => Ok(Pinned { holds: true, before }),
            // A machine that forbids binding still plays, only slower.
            Err(_) if *cores == Cores::Shared => Ok(Pinned { holds: false, before: None }),
            Err(error) => Err(format!("failed to run on cores {cores}: {error}")),
        }
    }
}

#[cfg(target_os = "linux")]
impl Pinned {
    /// Whether the thread really is bound.
    pub fn holds(&self) -> bool {
        self.holds
    }
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // Nothing depends on it but speed.
            let _ = rustix::thread::sched_setaffinity(None, before);
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Pinned {
    /// This platform does not bind threads to cores; asking for cores by number is an error.
    pub fn new(cores: &Cores) -> Result<Pinned, String> {
        match cores {
            Cores::List(_) => {
                Err("this platform does not bind a match to cores; leave --cores out".to_owned())
            }
            _ => Ok(Pinned {}),
        }
    }

    /// Whether the thread really is bound.
    pub fn holds(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Cores;

    #[test]
    fn cores_are_read_and_written() {
        for text in ["shared", "any", "0,3"] {
            assert_eq!(text.parse::<Cores>().unwrap().to_string(), text);
        }
        assert!("0,x".parse::<Cores>().is_err() && "".parse::<Cores>().is_err());
    }
}
