//! Somebody who plays by hand: a session like that of a client, whose answers come from a page.

use super::{MatchMessage, SessionChannel, SessionMessage};
use std::io::{self, Write};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::time::{sleep_until, timeout_at};

/// Answers on their way from the page to the session: there is one for each turn.
const ANSWERS: usize = 4;

/// Takes a seat for somebody; what comes back takes the answers. Whoever takes too long for an answer has left, and so
/// has everybody when the match takes longer than this.
pub(crate) fn sit_down(channel: SessionChannel, longest: Duration) -> PersonAnswers {
    let (sender, answers) = mpsc::channel(ANSWERS);
    tokio::spawn(session(channel, answers, Instant::now() + longest));
    PersonAnswers(sender)
}

/// Where the answers of somebody go. Dropping it gives up.
pub(crate) struct PersonAnswers(mpsc::Sender<Vec<u8>>);

impl Write for PersonAnswers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Ends when the person or the match does; either hears of the other's end by that of its channel.
async fn session(channel: SessionChannel, mut answers: mpsc::Receiver<Vec<u8>>, until: Instant) {
    let SessionChannel { mut from_match, to_match, .. } = channel;
    let mut asked = Instant::now();
    if to_match.send(SessionMessage::Ready).await.is_err() {
        return;
    }
    let said = |bytes: Vec<u8>, asked: Instant| SessionMessage::Bytes { bytes, at: Instant::now(), asked };
    loop {
        let told = tokio::select! {
            biased;
            answer = answers.recv() => match answer {
                Some(bytes) => to_match.send(said(bytes, asked)).await,
                None => return,
            },
            message = from_match.recv() => match message {
                // A person sees the game on the page.
                Some(MatchMessage::Bytes(_)) => {
                    asked = Instant::now();
                    Ok(())
                }
                Some(MatchMessage::Look) => {
                    let last = answers.try_recv().ok();
                    let idle = last.is_none();
                    if let Some(bytes) = last {
                        let _ = to_match.send(said(bytes, asked)).await;
                    }
                    let told = to_match.send(SessionMessage::Nothing { asked }).await;
                    if idle {
                        // Leaving before the match has heard that would be giving up.
                        let _ = timeout_at(until.into(), from_match.recv()).await;
                        return;
                    }
                    told
                }
                Some(MatchMessage::Over(_)) | None => return,
            },
            () = sleep_until(until.into()) => return,
        };
        if told.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sit_down;
    use crate::api::MatchKind;
    use crate::ids::MatchId;
    use crate::play::remote;
    use crate::play::{BotLink, MatchStart, PreparedMatch, SeatedBot, client_channel};
    use palestra_core::{AnyGame, Entrant, Exit, Fault, PlanRequest, TimeControl};
    use std::io::Write as _;
    use std::time::Duration;

    const RPS: &dyn AnyGame = &palestra_rps::Rps;

    /// A match of a person against a built-in player, and where the person's answers go.
    fn begun(time: Duration, longest: Duration) -> (PreparedMatch, super::PersonAnswers) {
        let start = MatchStart {
            number: MatchId(1),
            game: "rps".to_owned(),
            seat: 1,
            names: vec!["anna".to_owned(), "random".to_owned()],
            kind: MatchKind::Hand,
        };
        let (match_end, session_end) = client_channel(start);
        let answers = sit_down(session_end, longest);
        let person = SeatedBot { entrant: Entrant::person("anna", true), link: BotLink::Client(match_end) };
        let bots = vec![person, SeatedBot::built_in(RPS.built_ins()[0].name)];
        let plan = RPS.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 5 }).unwrap();
        (PreparedMatch::new(RPS, plan, TimeControl::PerAnswer(time), bots).unwrap(), answers)
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_does_not_answer_in_time_has_left() {
        let (prepared, answers) = begun(Duration::from_secs(120), Duration::from_secs(7200));
        let played = remote::play(prepared).await.unwrap();
        assert_eq!(played.outcome.winner.map(|seat| seat.number()), Some(2));
        assert_eq!(played.faults[0].fault, Fault::OutOfTime);
        drop(answers);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_gives_up_has_lost_and_no_match_lasts_for_ever() {
        let (prepared, answers) = begun(Duration::from_secs(120), Duration::from_secs(7200));
        drop(answers);
        let played = remote::play(prepared).await.unwrap();
        assert_eq!(played.faults[0].fault, Fault::Exited(Exit::GaveUp));
        let (prepared, mut answers) = begun(Duration::from_secs(120), Duration::from_secs(60));
        // What was written before is of no use for a session that has ended.
        let played = tokio::spawn(remote::play(prepared));
        let played = played.await.unwrap().unwrap();
        assert_eq!(played.faults[0].fault, Fault::Exited(Exit::GaveUp));
        assert!(answers.write_all(b"x\n").is_err());
    }
}
