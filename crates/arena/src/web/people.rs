//! Players and their bots.

use super::Site;
use super::auth::{SignedIn, Visitor};
use crate::api::{
    BotView, OpponentLine, PlayerLine, PlayerView, Presence, RatingPoint, StandingLine, VersionState,
    VersionView,
};
use crate::hub::Snapshot;
use crate::ids::{AccountId, BotId};
use crate::store::{Account, BotRow};
use crate::trouble::Trouble;
use axum::Json;
use axum::extract::State;
use palestra_server::problem::{Path, Problem};
use std::collections::HashSet;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(players))
        .routes(routes!(player))
        .routes(routes!(bot))
        .routes(routes!(my_bots))
}

/// Everybody, by number.
#[utoipa::path(get, path = "/api/players", tag = "players", responses((status = 200, body = [PlayerLine])))]
async fn players(State(site): State<Arc<Site>>) -> Result<Json<Vec<PlayerLine>>, Problem> {
    let accounts = site.store.accounts().await?;
    let online = online(&site.hub.snapshot());
    let line = |account: Account| PlayerLine {
        id: account.id,
        online: online.contains(&account.id),
        name: account.name,
        house: account.house,
    };
    Ok(Json(accounts.into_iter().filter(|account| !account.banned).map(line).collect()))
}

/// The players who are connected.
pub(super) fn online(snapshot: &Snapshot) -> HashSet<AccountId> {
    snapshot.online.iter().map(|(player, _)| *player).collect()
}

/// A player, with its place in every game.
#[utoipa::path(
    get, path = "/api/players/{id}", tag = "players", params(("id" = i64, Path,)),
    responses((status = 200, body = PlayerView))
)]
async fn player(
    State(site): State<Arc<Site>>,
    Path(id): Path<AccountId>,
) -> Result<Json<PlayerView>, Problem> {
    let account = site.store.account(id).await?;
    let account = account.ok_or_else(|| Trouble::NoPlayer { name: id.to_string() })?;
    let snapshot = site.hub.snapshot();
    let places = site.plan.games.iter().filter_map(|plan| {
        let game = plan.game.info().id;
        let line = snapshot.standings.get(game)?.iter().find(|line| line.player == id)?;
        Some((game.to_owned(), line.clone()))
    });
    let bots = places.collect();
    Ok(Json(PlayerView { id, name: account.name, house: account.house, joined: account.joined, bots }))
}

/// A bot: its rating over time, its versions, and its results against everybody it has met.
#[utoipa::path(
    get, path = "/api/bots/{id}", tag = "players", params(("id" = i64, Path,)),
    responses((status = 200, body = BotView))
)]
async fn bot(
    State(site): State<Arc<Site>>,
    Visitor(visitor): Visitor,
    Path(id): Path<BotId>,
) -> Result<Json<BotView>, Problem> {
    let row = site.store.bot(id).await?.ok_or(Trouble::NoBot { bot: id.0 })?;
    let own = visitor.is_some_and(|who| who.organiser || who.id == row.player);
    Ok(Json(site.bot_view(row, own).await?))
}

/// One's own bots, with everything that only their author may know.
#[utoipa::path(get, path = "/api/me/bots", tag = "account", responses((status = 200, body = [BotView])))]
async fn my_bots(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
) -> Result<Json<Vec<BotView>>, Problem> {
    let mut views = Vec::new();
    for id in site.store.bots_of(account.id).await? {
        if let Some(row) = site.store.bot(id).await? {
            views.push(site.bot_view(row, true).await?);
        }
    }
    Ok(Json(views))
}

impl Site {
    async fn bot_view(&self, row: BotRow, own: bool) -> Result<BotView, Problem> {
        let (versions, ratings, opponents) = tokio::try_join!(
            self.store.versions_of(row.id),
            self.store.ratings(row.id),
            self.store.opponents(row.id)
        )?;
        let versions = versions.into_iter().map(|version| for_eyes(version.into(), own));
        Ok(BotView {
            id: row.id,
            versions: versions.filter(|version| own || version.state == VersionState::Ready).collect(),
            ratings: ratings.into_iter().map(RatingPoint::from).collect(),
            opponents: opponents.into_iter().map(OpponentLine::from).collect(),
            standing: self.standing(&row).await?,
            game: row.game,
        })
    }

    /// How a bot stands. One that has just come is behind all others until the hub knows it.
    async fn standing(&self, row: &BotRow) -> Result<StandingLine, Problem> {
        let snapshot = self.hub.snapshot();
        let lines = snapshot.standings.get(&row.game).map_or(&[] as &[StandingLine], |lines| lines);
        if let Some(line) = lines.iter().find(|line| line.bot == row.id) {
            return Ok(line.clone());
        }
        let name = self.store.account(row.player).await?.map(|account| account.name).unwrap_or_default();
        Ok(StandingLine {
            place: lines.len() as u32 + 1,
            bot: row.id,
            player: row.player,
            name,
            house: row.built_in.is_some(),
            online: false,
            points: 0.0,
            elo: row.elo.round() as i32,
            played: row.played as u32,
            won: row.won as u32,
            drawn: row.drawn as u32,
            lost: row.lost as u32,
            plays: Presence::Nothing,
        })
    }
}

/// A version as its author sees it, or anybody else.
pub(super) fn for_eyes(mut version: VersionView, own: bool) -> VersionView {
    if !own {
        (version.log, version.smoke, version.rejection, version.note) = (None, None, None, None);
    }
    version
}
