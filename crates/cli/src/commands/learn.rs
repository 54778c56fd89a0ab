//! `palestra learn`: the course of a game, step by step.

use crate::console;
use crate::course_progress::CourseProgress;
use crate::failure::{Failure, NOT_SO};
use crate::games;
use crate::language;
use crate::match_args::{self, GuardArgs};
use crate::shell;
use crate::signals;
use palestra_core::course::{Course, Exercise, Lesson, Step};
use palestra_core::{AnyGame, Catalog, Defeat, Message, TimeControl};
use palestra_runner::{Bot, Guard, Interrupt, Options, play, write_replay};
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Learn a game by a course of small steps, from a legal move to a match against the strongest
///
/// Without a bot it shows the course and explains the next step. With one it plays the step and says whether it is
/// passed, what was wrong, and what to try. What was passed is remembered.
#[derive(clap::Args)]
#[command(after_help = "\
For example:
  palestra learn generals
  palestra learn generals --bot ./mybot.py
  palestra learn generals --bot ./mybot.py --step 3 --language hu

Matches that did not come to what was asked for are kept in the folder replays.

Exit codes: 0 the step is passed, or was only explained; 1 it is not passed, 2 usage, 4 the bot could not be started or
compiled.")]
pub(crate) struct Args {
    /// The game
    game: String,
    /// The bot that takes the step; as in `palestra play`
    #[arg(long)]
    bot: Option<String>,
    /// The step, counted from 1 [default: the first that is not passed]
    #[arg(long)]
    step: Option<usize>,
    /// The language: en, hu or ru
    #[arg(long, default_value = "en", value_parser = language::parse)]
    language: &'static str,
    /// The time control; the game's own unless given
    #[arg(long)]
    time: Option<TimeControl>,
    #[command(flatten)]
    guard: GuardArgs,
    /// Print exactly one JSON object
    #[arg(long)]
    json: bool,
}

/// How one match of a step went.
#[derive(Serialize)]
struct Attempt {
    opponents: String,
    held: bool,
    missed: Vec<String>,
    missed_data: Vec<Message>,
    /// Why it was lost, if it was and should not have been.
    why: Vec<String>,
    why_data: Vec<Message>,
    replay: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let game = games::find(&args.game)?;
    let course = Course::of(game.info());
    let learner = Learner { args, game, course: &course, catalog: Catalog::of(game.info(), args.language) };
    let progress = CourseProgress::read()?;
    let number = match args.step {
        Some(number) if (1..=course.steps.len()).contains(&number) => Some(number),
        Some(number) => {
            let (title, steps) = (game.info().title, course.steps.len());
            return Err(Failure::usage(format!(
                "there is no step {number}; the course of {title} has {steps}"
            )));
        }
        None => learner.next(&progress),
    };
    match (&args.bot, number) {
        (None, _) => learner.explain(&progress, number),
        // Whoever has passed everything may take the last step again.
        (Some(bot), number) => learner.take(bot, number.unwrap_or(course.steps.len())),
    }
}

struct Learner<'a> {
    args: &'a Args,
    game: &'static dyn AnyGame,
    course: &'a Course,
    catalog: Catalog,
}

impl Learner<'_> {
    /// The first step that is not passed, counted from 1.
    fn next(&self, progress: &CourseProgress) -> Option<usize> {
        let id = self.game.info().id;
        self.course.steps.iter().position(|step| !progress.has(id, &step.name)).map(|index| index + 1)
    }

    fn say(&self, lesson: Lesson) -> String {
        self.catalog.say(&lesson.into())
    }

    /// Title, task and hint of a step.
    fn words(&self, step: &Step) -> [String; 3] {
        match self.catalog.step(&step.name) {
            Some(words) => [words.title.clone(), words.task.clone(), words.hint.clone()],
            None => [step.name.clone(), String::new(), String::new()],
        }
    }

    fn heading(&self, number: usize, title: String) -> String {
        let steps = self.course.steps.len() as u64;
        self.say(Lesson::LessonStep { number: number as u64, steps, title })
    }

    /// The command that takes a step with this bot.
    fn command(&self, bot: &str) -> String {
        let mut words = vec!["palestra", "learn", self.game.info().id, "--bot", bot];
        if self.args.language != "en" {
            words.extend(["--language", self.args.language]);
        }
        shell::line(&words)
    }

    fn explain(&self, progress: &CourseProgress, number: Option<usize>) -> Result<ExitCode, Failure> {
        let info = self.game.info();
        let passed = |step: &Step| progress.has(info.id, &step.name);
        if self.args.json {
            let steps = self.course.steps.iter().enumerate().map(|(index, step)| {
                let [title, task, hint] = self.words(step);
                json!({
                    "number": index + 1, "name": step.name, "title": title, "task": task, "hint": hint,
                    "passed": passed(step),
                })
            });
            let steps: Vec<_> = steps.collect();
            console::print_json(&json!({ "game": info.id, "next": number, "steps": steps }))?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut text = format!("\x1b[1m{}\x1b[0m\n", info.title);
        for (index, step) in self.course.steps.iter().enumerate() {
            let mark = match passed(step) {
                true => "\x1b[32m✓\x1b[0m",
                false if number == Some(index + 1) => "→",
                false => " ",
            };
            let _ = writeln!(text, "{mark} {}. {}", index + 1, self.words(step)[0]);
        }
        text.push('\n');
        match number {
            None => text.push_str(&self.say(Lesson::LessonDone { title: info.title.to_owned() })),
            Some(number) => {
                let [title, task, _] = self.words(&self.course.steps[number - 1]);
                let _ = writeln!(text, "\x1b[1m{}\x1b[0m\n{task}\n", self.heading(number, title));
                let new = format!("palestra new {}", info.id);
                text.push_str(&self.say(Lesson::LessonBegin { new, learn: self.command("./mybot") }));
            }
        }
        console::print(&(text + "\n"))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Plays a step with this bot and tells how it went.
    fn take(&self, bot: &str, number: usize) -> Result<ExitCode, Failure> {
        let (step, interrupt, guard) =
            (&self.course.steps[number - 1], signals::interrupt()?, self.args.guard.guard()?);
        let [title, task, hint] = self.words(step);
        if !self.args.json {
            console::print(&format!("\x1b[1m{}\x1b[0m\n{task}\n\n", self.heading(number, title.clone())))?;
        }
        let mut attempts = Vec::new();
        for (index, exercise) in step.matches.iter().enumerate() {
            let attempt = self.attempt(bot, step, index, exercise, &interrupt, &guard)?;
            if !self.args.json {
                console::print(&self.told(index, &attempt))?;
            }
            attempts.push(attempt);
        }
        let held = attempts.iter().filter(|attempt| attempt.held).count();
        let passed = held >= step.needed();
        let progress = match passed {
            true => CourseProgress::pass(self.game.info().id, &step.name)?,
            false => CourseProgress::read()?,
        };
        let next = self.next(&progress);
        if self.args.json {
            console::print_json(&json!({
                "game": self.game.info().id, "bot": bot, "step": number, "name": step.name, "title": title, "task": task,
                "hint": hint, "passed": passed, "held": held, "need": step.needed(), "matches": attempts, "next": next,
            }))?;
        } else {
            console::print(&self.verdict(bot, step, held, hint, next))?;
        }
        Ok(if passed { ExitCode::SUCCESS } else { ExitCode::from(NOT_SO) })
    }

    fn attempt(
        &self,
        bot: &str,
        step: &Step,
        index: usize,
        exercise: &Exercise,
        interrupt: &Interrupt,
        guard: &Guard,
    ) -> Result<Attempt, Failure> {
        let game = self.game;
        let mut own = match_args::bots(game, &[bot.to_owned()], guard, self.args.json || index > 0)?.pop();
        let bots = exercise.seats().into_iter().map(|seat| match seat {
            Some(name) => Bot::built_in(name),
            None => own.take().expect("there is one seat for the bot"),
        });
        let bots: Vec<Bot> = bots.collect();
        let plan = exercise.plan(game).map_err(Failure::usage)?;
        let time = self.args.time.unwrap_or(game.info().time);
        let (start, links) = Bot::seat(bots, game, plan, time).map_err(Failure::usage)?;
        let options = Options { interrupt: Some(interrupt), guard: Some(guard), ..Options::default() };
        let played = play(start, links, options, &mut ())?;
        let judged = exercise.judge(game, &step.goals, &played.replay);
        let missed_data = judged.map_err(|error| Failure::input(error.to_string()))?;
        let mut attempt = Attempt {
            opponents: exercise.opponents.join(", "),
            held: missed_data.is_empty(),
            missed: missed_data.iter().map(|missed| self.catalog.say(missed)).collect(),
            missed_data,
            why: Vec::new(),
            why_data: Vec::new(),
            replay: None,
        };
        if !attempt.held {
            let path = replay_path(game, step, index);
            write_replay(&path, &played.replay)?;
            let defeats = palestra_core::defeats(game, &played.replay).unwrap_or_default();
            if let Some(defeat) = defeats.iter().find(|defeat| defeat.seat == exercise.own()) {
                attempt.why_data = why(defeat, &path, bot);
                attempt.why = attempt.why_data.iter().map(|told| self.catalog.say(told)).collect();
            }
            attempt.replay = Some(path.display().to_string());
        }
        Ok(attempt)
    }

    fn told(&self, index: usize, attempt: &Attempt) -> String {
        let (number, opponents) = (index as u64 + 1, attempt.opponents.clone());
        if attempt.held {
            return format!("\x1b[32m✓\x1b[0m {}\n", self.say(Lesson::LessonHeld { number, opponents }));
        }
        let mut text = format!("\x1b[31m✗\x1b[0m {}\n", self.say(Lesson::LessonMissed { number, opponents }));
        for sentence in attempt.missed.iter().chain(&attempt.why) {
            let _ = writeln!(text, "    {sentence}");
        }
        if let Some(replay) = &attempt.replay {
            let view = shell::line(&["palestra", "view", replay]);
            let _ = writeln!(text, "    {}", self.say(Lesson::LessonReplay { view }));
        }
        text
    }

    fn verdict(&self, bot: &str, step: &Step, held: usize, hint: String, next: Option<usize>) -> String {
        let need = step.needed();
        if held < need {
            let not_yet = Lesson::LessonNotYet { held: held as u64, need: need as u64 };
            let (not_yet, hint) = (self.say(not_yet), self.say(Lesson::LessonTry { hint }));
            return format!("\n\x1b[1;31m{not_yet}\x1b[0m\n{hint}\n");
        }
        let go_on = match next {
            Some(_) => Lesson::LessonNext { learn: self.command(bot) },
            None => Lesson::LessonDone { title: self.game.info().title.to_owned() },
        };
        format!("\n\x1b[1;32m{}\x1b[0m\n{}\n", self.say(Lesson::LessonPassed {}), self.say(go_on))
    }
}

/// Where a match that did not come off is kept, until the step is taken again.
fn replay_path(game: &dyn AnyGame, step: &Step, index: usize) -> PathBuf {
    Path::new("replays").join(format!("{}-learn-{}-{}.replay", game.info().id, step.name, index + 1))
}

fn why(defeat: &Defeat, replay: &Path, bot: &str) -> Vec<Message> {
    defeat.sentences(shell::line(&defeat.command(&replay.display().to_string(), bot)))
}
