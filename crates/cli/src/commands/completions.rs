//! `palestra completions`: what shells need to complete the commands.

use crate::failure::Failure;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

/// Write the completion script of a shell to standard output
#[derive(clap::Args)]
#[command(
    after_help = "For example: palestra completions bash > ~/.local/share/bash-completion/completions/palestra"
)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run<C: CommandFactory>(args: &Args) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut C::command(), "palestra", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(ExitCode::SUCCESS)
}
