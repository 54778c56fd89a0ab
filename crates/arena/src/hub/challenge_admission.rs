//! Takes challenges in: what the store knows decides whether they can be played.

use super::Refused;
use super::actor::Actor;
use super::challenges::Challenge;
use super::matches::Source;
use super::roster::Roster;
use crate::api::EventState;
use crate::api::challenges::{ChallengeOpponent, OpenChallenge};
use crate::ids::{AccountId, BotId, ChallengeId, VersionId};
use crate::limits;
use crate::model::{ChallengeState, VersionState};
use crate::plan::ChallengeRule;
use crate::store::{ChallengeRow, Store, StoreError, Version, now};
use crate::trouble::{Trouble, VersionFault};
use palestra_core::Message;

/// One side of a challenge, or why it cannot play.
type Side = Result<(BotId, Option<VersionId>, Source), Refused>;

fn refused<T>(why: Trouble) -> Result<T, Refused> {
    Err(Refused(why))
}

/// What decides whether somebody can play.
struct Admission<'a> {
    roster: &'a Roster,
    store: &'a Store,
}

impl Actor {
    /// Challenges that were open when the arena stopped go on.
    pub(super) async fn load_challenges(&mut self) -> Result<(), StoreError> {
        self.event.challenges.start_after(self.store.last_challenge().await?);
        for row in self.store.open_challenges().await? {
            let played = self.store.played_of(row.id).await?;
            let admission = Admission { roster: &self.event.roster, store: &self.store };
            let own = admission.source(row.bot, Some(row.version)).await?;
            let other = admission.source(row.opponent, row.opponent_version).await?;
            let (Some(own), Some(other)) = (own, other) else {
                let why = Message::of(&Trouble::ChallengeBotGone {});
                let (state, ended) = (ChallengeState::Cancelled, Some(now()));
                self.out.changes.challenges.push(ChallengeRow { state, ended, why: Some(why), ..row });
                continue;
            };
            self.event.challenges.add(Challenge::new(row, [own, other], played), &mut self.out);
        }
        Ok(())
    }

    pub(super) async fn challenge(
        &mut self,
        player: AccountId,
        wanted: OpenChallenge,
    ) -> Result<Result<ChallengeId, Refused>, StoreError> {
        if let Err(refused) = self.takes_challenge(player, &wanted) {
            return Ok(Err(refused));
        }
        let admission = Admission { roster: &self.event.roster, store: &self.store };
        let own = match admission.own_side(player, &wanted).await? {
            Ok(own) => own,
            Err(refused) => return Ok(Err(refused)),
        };
        let other = match wanted.opponent {
            ChallengeOpponent::Bot(bot) => admission.opposing_bot(bot, own.0, &wanted.game).await?,
            ChallengeOpponent::Version(id) if own.1 == Some(id) => refused(Trouble::VersionAgainstItself {}),
            ChallengeOpponent::Version(id) => admission.own_version(player, id, &wanted.game).await?,
        };
        let ((bot, version, own), (opponent, opponent_version, other)) = match other {
            Ok(other) => (own, other),
            Err(refused) => return Ok(Err(refused)),
        };
        let Some(version) = version else {
            return Ok(refused(Trouble::NothingToPlayWith {}));
        };
        let row = ChallengeRow {
            id: self.event.challenges.new_number(),
            player,
            game: wanted.game,
            bot,
            version,
            opponent,
            opponent_version,
            matches: wanted.matches,
            at: now(),
            state: ChallengeState::Open,
            ended: None,
            why: None,
        };
        let id = row.id;
        self.out.changes.challenges.push(row.clone());
        self.event.challenges.add(Challenge::new(row, [own, other], Vec::new()), &mut self.out);
        Ok(Ok(id))
    }

    fn takes_challenge(&self, player: AccountId, wanted: &OpenChallenge) -> Result<(), Refused> {
        let event = &self.event;
        if event.plan.challenges == ChallengeRule::Nobody {
            return refused(Trouble::NoChallenges {});
        }
        if event.state == EventState::Closed {
            return refused(Trouble::EventOver {});
        }
        if event.plan.game(&wanted.game).is_none() {
            return refused(Trouble::NoGame { game: wanted.game.clone() });
        }
        if !(1..=limits::CHALLENGE_MATCHES).contains(&wanted.matches) {
            return refused(Trouble::ChallengeMatches { limit: limits::CHALLENGE_MATCHES.into() });
        }
        let (own, all) = event.challenges.count(player);
        if own >= limits::CHALLENGES_OF_PLAYER {
            return refused(Trouble::EnoughChallenges { limit: limits::CHALLENGES_OF_PLAYER as u64 });
        }
        if all >= limits::CHALLENGES {
            return refused(Trouble::ManyChallenges {});
        }
        Ok(())
    }
}

impl Admission<'_> {
    async fn source(&self, bot: BotId, version: Option<VersionId>) -> Result<Option<Source>, StoreError> {
        match version {
            None => Ok(self.roster.source(bot).filter(|source| matches!(source, Source::BuiltIn(_)))),
            Some(id) => {
                let found = self.store.version(id).await?;
                Ok(found.map(|version| Source::Version(id, version.number)))
            }
        }
    }

    /// The version that a player has chosen, or the one that plays for it.
    async fn own_side(&self, player: AccountId, wanted: &OpenChallenge) -> Result<Side, StoreError> {
        if let Some(id) = wanted.version {
            return self.own_version(player, id, &wanted.game).await;
        }
        let bot = self.roster.bot_of(player, &wanted.game);
        match bot.and_then(|bot| self.roster.bots.get(&bot)).and_then(|entry| entry.row.active) {
            Some(id) => self.own_version(player, id, &wanted.game).await,
            None => Ok(refused(Trouble::NothingToPlayWith {})),
        }
    }

    async fn own_version(&self, player: AccountId, id: VersionId, game: &str) -> Result<Side, StoreError> {
        match self.store.version(id).await? {
            Some(version) if version.player == player && version.game == game => {
                self.version_side(&version).await
            }
            _ => Ok(refused(Trouble::NoVersion { version: id.0 })),
        }
    }

    async fn version_side(&self, version: &Version) -> Result<Side, StoreError> {
        let number = version.number;
        let not_ready = |why| refused(Trouble::VersionNotReady { version: number, why });
        Ok(match version.state {
            VersionState::Queued | VersionState::Compiling | VersionState::Trying => {
                not_ready(VersionFault::VersionUntried {})
            }
            VersionState::Rejected => not_ready(VersionFault::VersionRejected {}),
            VersionState::Ready if !self.store.keeps_upload(version.id).await? => {
                not_ready(VersionFault::VersionForgotten {})
            }
            VersionState::Ready => Ok((version.bot, Some(version.id), Source::Version(version.id, number))),
        })
    }

    /// Whatever plays for somebody else's bot now.
    async fn opposing_bot(&self, bot: BotId, own: BotId, game: &str) -> Result<Side, StoreError> {
        let roster = self.roster;
        // One whose first version has not been tried is known to the store only.
        let known = match roster.bots.get(&bot) {
            Some(entry) => Some(entry.row.clone()),
            None => self.store.bot(bot).await?,
        };
        let Some(row) = known.filter(|row| row.game == game) else {
            return Ok(refused(Trouble::NoChallenged {}));
        };
        if bot == own {
            return Ok(refused(Trouble::OwnBot {}));
        }
        let account = self.store.account(row.player).await?;
        let Some(name) = account.filter(|account| !account.banned).map(|account| account.name) else {
            return Ok(refused(Trouble::OpponentGone {}));
        };
        let broken = roster.bots.get(&bot).is_some_and(|entry| entry.broken);
        match roster.source(bot) {
            Some(source @ Source::BuiltIn(_)) => Ok(Ok((bot, None, source))),
            Some(Source::Version(..)) if broken => Ok(refused(Trouble::OpponentBroken { name })),
            Some(source @ Source::Version(id, _)) => Ok(Ok((bot, Some(id), source))),
            _ => {
                let versions = self.store.versions_of(bot).await?;
                let waits = |version: &Version| {
                    matches!(
                        version.state,
                        VersionState::Queued | VersionState::Compiling | VersionState::Trying
                    )
                };
                Ok(refused(match versions.iter().any(waits) {
                    true => Trouble::OpponentUntried { name },
                    false => Trouble::OpponentWithout { name },
                }))
            }
        }
    }
}
