//! Rock Paper Scissor.
