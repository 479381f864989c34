//! The arguments.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// What happens if this runs twice? A simulation of queues that deliver at least once.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play an experiment or a scenario file, and tell what happened.
    Run(RunArguments),
    /// List the settings: what each is, what it allows, who owns it.
    Settings {
        /// Show the defaults of this experiment.
        #[arg(long, value_name = "ID")]
        experiment: Option<String>,
    },
    /// List the experiments and what they claim.
    Experiments,
}

#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    /// The experiment to start from.
    #[arg(long, value_name = "ID")]
    pub(crate) experiment: Option<String>,
    /// A scenario as JSON; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,
    /// The seed that every draw comes from.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,
    /// Give a setting another value; may be repeated.
    #[arg(long, value_name = "PATH=VALUE", allow_hyphen_values = true)]
    pub(crate) set: Vec<String>,
    /// How to tell it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// A story, a sentence an event.
    Text,
    /// A document for other programs.
    Json,
}
