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
    /// Try every order of events, and tell the shortest run in which something goes wrong.
    Explore(Box<ExploreArguments>),
    /// List the designs by name: the wrong ones and what the explorer finds, the right ones.
    Designs,
    /// List the settings: what each is, what it allows, who owns it.
    Settings {
        /// Show the defaults of this experiment; double-refund, as `run` does, unless one is named.
        #[arg(long, value_name = "ID")]
        experiment: Option<String>,
    },
    /// List the experiments: what each sets and shows, what it studies, what it claims.
    Experiments,
    /// Play the many runs of a study, and print what they come to as a table.
    Study {
        /// The experiment that has the study.
        #[arg(long, value_name = "ID")]
        experiment: String,
        /// Give a setting another value; may be repeated.
        #[arg(long, value_name = "PATH=VALUE", allow_hyphen_values = true)]
        set: Vec<String>,
        /// The study.
        #[arg(value_name = "STUDY")]
        id: String,
    },
}

#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    /// The experiment to start from.
    #[arg(long, value_name = "ID")]
    pub(crate) experiment: Option<String>,
    /// A scenario as JSON; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,
    /// The run of a link, with its order of events: an address, or what stands behind its `#`.
    #[arg(long, value_name = "URL|HASH", conflicts_with_all = ["experiment", "scenario"])]
    pub(crate) link: Option<String>,
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

#[derive(Args, Debug)]
pub(crate) struct ExploreArguments {
    /// The experiment to explore; its own crashes are replaced by the bounds.
    #[arg(long, value_name = "ID", conflicts_with_all = ["scenario", "design"])]
    pub(crate) experiment: Option<String>,
    /// A scenario as JSON; `-` for standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "design")]
    pub(crate) scenario: Option<PathBuf>,
    /// A design by its name.
    #[arg(long, value_name = "NAME")]
    pub(crate) design: Option<String>,
    /// Give a setting another value; may be repeated.
    #[arg(long, value_name = "PATH=VALUE", allow_hyphen_values = true)]
    pub(crate) set: Vec<String>,
    /// What must hold; may be repeated. All, unless some are named.
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// `any`: any pending event may come next. `as-set`: the timings are kept, and a run that would
    /// need an end beyond `--expiries` or `--forgets` is left there.
    #[arg(long, value_name = "any|as-set", default_value = "any")]
    pub(crate) timing: String,
    /// How many workers there are.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) workers: Option<String>,
    /// How many attempts a job has.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) attempts: Option<String>,
    /// How many workers and relays may die; 2 unless said otherwise.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) crashes: Option<String>,
    /// How many leases and claims may end under a holder that is alive; no bound unless said.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) expiries: Option<String>,
    /// How many keys' lives and dedup windows may end; unless said, none with any timing, and no
    /// bound with the timings as set.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) forgets: Option<String>,
    /// How many acks and answers may be lost; none unless said.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) losses: Option<String>,
    /// How many acks may arrive twice, or be followed by one more delivery; none unless said.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) replicas: Option<String>,
    /// How many states to visit before giving up; 5000000 unless said.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) states: Option<String>,
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
