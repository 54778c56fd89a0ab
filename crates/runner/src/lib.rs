//! One match with processes.
