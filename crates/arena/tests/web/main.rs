//! The site through its addresses: a real store, a real hub, a real workshop, and people who mean no good.

mod accounts;
mod authors;
mod challenges;
mod clients;
mod course;
mod described;
mod downloads;
mod faults;
mod fog;
mod hand;
mod lockout;
mod pages;
mod rounds;
mod seeds;
mod sockets;
mod stand;
mod uploads;
mod viewer;
