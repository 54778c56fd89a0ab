//! Challenges: asking for them, and what came of them.

use super::Site;
use super::auth::SignedIn;
use super::problem::JsonBody;
use crate::api::MatchState;
use crate::api::challenges::{
    ChallengeDetail, ChallengeSide, ChallengeTurn, ChallengeView, DuelResult, OpenChallenge, SeatResult,
};
use crate::ids::{BotId, ChallengeId, VersionId};
use crate::store::{Account, ChallengeRow, MatchRow, SeatRow};
use crate::trouble::Trouble;
use axum::Json;
use axum::extract::State;
use palestra_league::rating::share;
use palestra_server::problem::{Path, Problem};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(challenge))
        .routes(routes!(challenges))
        .routes(routes!(challenge_report))
        .routes(routes!(cancel_challenge))
}

/// Has a version of one's own play an opponent of choice, as soon as there is room.
#[utoipa::path(
    post, path = "/api/challenges", tag = "challenges", request_body = OpenChallenge,
    responses((status = 200, body = ChallengeView))
)]
async fn challenge(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    JsonBody(wanted): JsonBody<OpenChallenge>,
) -> Result<Json<ChallengeView>, Problem> {
    site.gate.challenges.take(&account.id)?;
    let id = site.hub.challenge(account.id, wanted).await?;
    let (row, _) = site.challenge_row(id, &account).await?;
    Ok(Json(site.challenge_view(row, &[]).await?))
}

/// One's own challenges, newest first.
#[utoipa::path(
    get, path = "/api/challenges", tag = "challenges", responses((status = 200, body = [ChallengeView]))
)]
async fn challenges(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
) -> Result<Json<Vec<ChallengeView>>, Problem> {
    let mut views = Vec::new();
    for row in site.store.challenges_of(account.id).await? {
        let matches = site.store.challenge_matches(row.id).await?;
        views.push(site.challenge_view(row, &matches).await?);
    }
    Ok(Json(views))
}

/// A challenge with its matches, for whoever takes part in it and for organisers.
#[utoipa::path(
    get, path = "/api/challenges/{id}", tag = "challenges", params(("id" = i64, Path,)),
    responses((status = 200, body = ChallengeDetail))
)]
async fn challenge_report(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(id): Path<ChallengeId>,
) -> Result<Json<ChallengeDetail>, Problem> {
    let (row, matches) = site.challenge_row(id, &account).await?;
    let challenge = site.challenge_view(row, &matches).await?;
    let matches = matches.into_iter().map(|row| site.dressed(row.into(), Some(&account))).collect();
    Ok(Json(ChallengeDetail { challenge, matches }))
}

/// Takes a challenge back: what has not been played is not played any more.
#[utoipa::path(
    delete, path = "/api/challenges/{id}", tag = "challenges", params(("id" = i64, Path,)),
    responses((status = 200))
)]
async fn cancel_challenge(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(id): Path<ChallengeId>,
) -> Result<(), Problem> {
    let (row, _) = site.challenge_row(id, &account).await?;
    if row.player != account.id && !account.organiser {
        return Err(Trouble::OthersChallenge {}.into());
    }
    Ok(site.hub.cancel_challenge(id).await?)
}

impl Site {
    /// A challenge and what was played, for those who may know of it.
    async fn challenge_row(
        &self,
        id: ChallengeId,
        who: &Account,
    ) -> Result<(ChallengeRow, Vec<MatchRow>), Problem> {
        let missing = || Problem::from(Trouble::NoChallenge { id: id.0 });
        let row = self.store.challenge(id).await?.ok_or_else(missing)?;
        let opponent = self.store.bot(row.opponent).await?.map(|bot| bot.player);
        if !who.organiser && row.player != who.id && opponent != Some(who.id) {
            return Err(missing());
        }
        let matches = self.store.challenge_matches(id).await?;
        Ok((row, matches))
    }

    async fn challenge_view(
        &self,
        row: ChallengeRow,
        matches: &[MatchRow],
    ) -> Result<ChallengeView, Problem> {
        let turn: Option<ChallengeTurn> = match row.ended {
            None => self.hub.challenge_turns().await.get(&row.id).copied(),
            Some(_) => None,
        };
        let sides = [
            self.challenge_side(row.bot, Some(row.version)).await?,
            self.challenge_side(row.opponent, row.opponent_version).await?,
        ];
        let result = duel_result(matches, &sides);
        let ChallengeRow { id, game, matches, at, state, ended, why, .. } = row;
        Ok(ChallengeView { id, game, sides, matches, at, state, ended, why, turn, result })
    }

    async fn challenge_side(&self, bot: BotId, version: Option<VersionId>) -> Result<ChallengeSide, Problem> {
        let row = self.store.bot(bot).await?.ok_or_else(|| Problem::from(Trouble::NoBot { bot: bot.0 }))?;
        let name = self.store.account(row.player).await?.map(|account| account.name).unwrap_or_default();
        let version = match version {
            Some(version) => self.store.version(version).await?.map(|version| version.number),
            None => None,
        };
        Ok(ChallengeSide { bot, player: row.player, name, version })
    }
}

/// What the first side brought from these matches.
fn duel_result(matches: &[MatchRow], sides: &[ChallengeSide; 2]) -> DuelResult {
    let mut result = DuelResult::default();
    let own = |seat: &SeatRow| seat.bot == Some(sides[0].bot) && seat.version == sides[0].version;
    for row in matches.iter().filter(|row| row.state == MatchState::Finished) {
        let Some(index) = row.seats.iter().position(own) else { continue };
        let best = row.seats.iter().filter(|seat| seat.place == 1).count();
        result.seats.resize(result.seats.len().max(row.seats.len()), SeatResult::default());
        let seat = &mut result.seats[index];
        let (of_seat, of_all) = match (row.seats[index].place, best) {
            (1, 1) => (&mut seat.won, &mut result.won),
            (1, _) => (&mut seat.drawn, &mut result.drawn),
            _ => (&mut seat.lost, &mut result.lost),
        };
        *of_seat += 1;
        *of_all += 1;
        result.played += 1;
        result.faults += u32::from(row.seats[index].fault.is_some());
    }
    let estimate = share(result.won, result.drawn, result.lost);
    result.share = estimate.map(|share| [share.value, share.low, share.high]);
    result
}
