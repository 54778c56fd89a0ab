//! Matches: lists, one of them, and who may look at it.

use super::Site;
use super::auth::Visitor;
use super::gate::Caller;
use super::problem::whole_request;
use super::streams::counted;
use crate::api::{MatchKind, MatchList, MatchState, MatchView};
use crate::ids::{AccountId, BotId, MatchId, RoundId};
use crate::limits;
use crate::plan::Visibility;
use crate::store::{Account, MatchFilter};
use crate::trouble::Trouble;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use palestra_core::Seat;
use palestra_server::ViewerRights;
use palestra_server::problem::{Path, Problem, Query};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(info))
}

/// Which part of a list of matches.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Page {
    /// Older than this match.
    #[param(value_type = Option<i64>)]
    before: Option<MatchId>,
    /// At most so many, up to 100.
    limit: Option<i64>,
}

impl Page {
    pub(super) fn before(&self) -> MatchId {
        self.before.unwrap_or(MatchId(i64::MAX))
    }

    pub(super) fn limit(&self) -> i64 {
        self.limit.unwrap_or(limits::LISTED_MATCHES).clamp(1, limits::LISTED_MATCHES)
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// Of this game.
    game: Option<String>,
    /// With this player.
    #[param(value_type = Option<i64>)]
    player: Option<AccountId>,
    /// With any of these players: up to 100 numbers, with commas.
    players: Option<String>,
    /// With this bot.
    #[param(value_type = Option<i64>)]
    bot: Option<BotId>,
    /// Played for this reason.
    kind: Option<MatchKind>,
    /// Of this scored round.
    #[param(value_type = Option<u32>)]
    round: Option<RoundId>,
}

/// Matches that are over, newest first. First matches of what was handed in are for their authors.
#[utoipa::path(
    get, path = "/api/matches", tag = "matches", params(Asked, Page), responses((status = 200, body = MatchList))
)]
async fn list(
    State(site): State<Arc<Site>>,
    Visitor(visitor): Visitor,
    Query(asked): Query<Asked>,
    Query(page): Query<Page>,
) -> Result<Json<MatchList>, Problem> {
    let nothing = Json(MatchList { matches: Vec::new(), older: None });
    let own = visitor.as_ref().is_some_and(|account| account.organiser || asked.player == Some(account.id));
    if asked.kind == Some(MatchKind::Smoke) && !own {
        return Ok(nothing);
    }
    let mut filter = MatchFilter {
        game: asked.game,
        player: asked.player,
        any_of: asked.players.map_or(Ok(Vec::new()), |players| numbers(&players))?,
        bot: asked.bot,
        kind: asked.kind,
        round: asked.round,
        smoke: own,
    };
    // A player has one bot for each game.
    if let (Some(player), Some(game), None) = (filter.player, &filter.game, filter.bot) {
        match site.store.bot_number(player, game).await? {
            Some(bot) => (filter.player, filter.game, filter.bot) = (None, None, Some(bot)),
            None => return Ok(nothing),
        }
    }
    // One more tells whether there are older ones.
    let limit = page.limit();
    let mut rows = site.store.matches(&filter, page.before(), limit + 1).await?;
    let more = rows.len() as i64 > limit;
    rows.truncate(limit as usize);
    let older = rows.last().filter(|_| more).map(|last| last.id);
    let matches = rows.into_iter().map(|row| site.dressed(row.into(), visitor.as_ref())).collect();
    Ok(Json(MatchList { matches, older }))
}

/// Players by their numbers, each once.
fn numbers(text: &str) -> Result<Vec<AccountId>, Problem> {
    let players: Result<BTreeSet<AccountId>, _> = text.split(',').map(str::parse).collect();
    match players {
        Ok(players) if players.len() <= limits::FOLLOWS => Ok(players.into_iter().collect()),
        _ => Err(Trouble::NoPlayerNumbers { limit: limits::FOLLOWS as u64 }.into()),
    }
}

/// A match, over or not.
#[utoipa::path(
    get, path = "/api/matches/{id}/info", tag = "matches", params(("id" = i64, Path,)),
    responses((status = 200, body = MatchView))
)]
async fn info(
    State(site): State<Arc<Site>>,
    Visitor(visitor): Visitor,
    Path(id): Path<MatchId>,
) -> Result<Json<MatchView>, Problem> {
    let view = site.find_match(id).await?.ok_or_else(|| no_match(id))?;
    let view = site.dressed(view, visitor.as_ref());
    if view.kind == MatchKind::Smoke && !view.watchable {
        return Err(no_match(id));
    }
    Ok(Json(view))
}

fn no_match(id: MatchId) -> Problem {
    Trouble::NoMatch { id: id.0 }.into()
}

/// What never changes about a match, and decides who may look at it.
#[derive(Clone, Debug)]
pub(super) struct Sitting {
    kind: MatchKind,
    /// By seat.
    players: Vec<Option<AccountId>>,
}

impl Sitting {
    fn of(view: &MatchView) -> Sitting {
        Sitting { kind: view.kind, players: view.seats.iter().map(|seat| seat.player).collect() }
    }
}

impl Site {
    /// A match, over or not, with what is for its authors only.
    async fn find_match(&self, id: MatchId) -> Result<Option<MatchView>, Problem> {
        // What is over is never taken for what still goes on: the snapshot may be a moment old.
        if let Some(row) = self.store.match_row(id).await? {
            return Ok(Some(row.into()));
        }
        let shown = self.hub.snapshot();
        match shown.live.matches.iter().find(|view| view.id == id) {
            Some(view) => Ok(Some(view.clone())),
            None => match self.hub.running(id).await {
                Some(view) => Ok(Some(view)),
                // It may have ended since the store was asked.
                None => Ok(self.store.match_row(id).await?.map(MatchView::from)),
            },
        }
    }

    async fn sitting(&self, id: MatchId) -> Result<Option<Arc<Sitting>>, Problem> {
        let known = self.sittings.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let sitting = self.find_match(id).await?.map(|view| Arc::new(Sitting::of(&view)));
        if let Some(sitting) = &sitting {
            let mut sittings = self.sittings.lock().unwrap_or_else(PoisonError::into_inner);
            if sittings.len() >= limits::SITTINGS {
                sittings.clear();
            }
            sittings.insert(id, Arc::clone(sitting));
        }
        Ok(sitting)
    }

    fn may_watch(&self, sitting: &Sitting, running: bool, who: Option<&Account>) -> bool {
        if who.is_some_and(|who| who.organiser || sitting.players.contains(&Some(who.id))) {
            return true;
        }
        let visibility = if running { self.plan.live } else { self.plan.replays };
        sitting.kind != MatchKind::Smoke
            && match visibility {
                Visibility::Everybody => true,
                Visibility::Players => who.is_some(),
                Visibility::Own => false,
            }
    }

    /// Makes a match ready for the eyes of somebody: what is not for them is left out.
    pub(super) fn dressed(&self, mut view: MatchView, who: Option<&Account>) -> MatchView {
        let running = view.state == MatchState::Running;
        view.watchable = self.may_watch(&Sitting::of(&view), running, who);
        if running && view.late.is_some() {
            match who.is_some_and(|who| view.seats.iter().any(|seat| seat.player == Some(who.id))) {
                // Those who play it see it at once, through their own eyes.
                true => view.late = None,
                // FairQueue become old enough without anything else happening.
                false => {
                    let shown = || self.library.turns(&view.id.to_string()).unwrap_or(0);
                    view.turns = if view.kind == MatchKind::Hand { 0 } else { shown() };
                    view.watchable &= view.turns > 0;
                }
            }
        }
        for seat in &mut view.seats {
            let own = who.is_some_and(|who| who.organiser || seat.player == Some(who.id));
            if !own {
                (seat.fault_message, seat.reason) = (None, None);
            }
        }
        view
    }
}

/// Stands before the addresses of the viewer: who may not look at a match is turned away, and standard error and the
/// sentences about faults are for those whose bots they are about.
pub(super) async fn watch(
    State(site): State<Arc<Site>>,
    Extension(caller): Extension<Caller>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some((id, part)) = match_address(request.uri()) else {
        return next.run(request).await;
    };
    let insight = match site.insight(&id, &part, request.headers(), key_of(request.uri())).await {
        Ok(insight) => insight,
        Err(problem) => return problem.into_response(),
    };
    if request.method() == Method::POST {
        request = match whole_request(request, limits::REQUEST_BYTES).await {
            Ok(request) => request,
            Err(problem) => return problem.into_response(),
        };
    }
    request.extensions_mut().insert(insight);
    if part != "events" {
        return next.run(request).await;
    }
    counted(&site.gate.streams, caller, next.run(request)).await
}

/// The match, and what of it is asked for.
fn match_address(uri: &Uri) -> Option<(String, String)> {
    let mut parts = uri.path().strip_prefix("/api/matches/")?.splitn(2, '/');
    Some((parts.next()?.to_owned(), parts.next().unwrap_or_default().to_owned()))
}

/// The key of a seat, with which somebody looks who plays by hand.
fn key_of(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|part| part.strip_prefix("key="))
}

impl Site {
    async fn insight(
        &self,
        id: &str,
        part: &str,
        headers: &HeaderMap,
        key: Option<&str>,
    ) -> Result<ViewerRights, Problem> {
        // Only the plain number: no other way to write it leads past this.
        let number = id.parse().ok().filter(|number: &MatchId| number.to_string() == id);
        let number = number.ok_or(Trouble::NoMatchNumber {})?;
        let sitting = self.sitting(number).await?.ok_or_else(|| no_match(number))?;
        let live = self.library.is_live(id);
        if sitting.kind == MatchKind::Hand {
            // What is answered says itself whose answer it is.
            if part == "answer" || part == "resign" {
                return Ok(ViewerRights::default());
            }
            let opens = |seat: &Seat| key == Some(self.store.seat_key(number, seat.number()).as_str());
            if let Some(own) = Seat::all(sitting.players.len() as u8).find(opens) {
                return Ok(ViewerRights { private: vec![own], plays: vec![own] });
            }
        }
        // Hundreds may look at the same board, and the store need not know who they are unless it matters.
        let personal = part.starts_with("turns/") || part == "replay" || self.library.is_delayed(id);
        let who = match personal || !self.may_watch(&sitting, live, None) {
            true => self.whose(headers).await?,
            false => None,
        };
        if !self.may_watch(&sitting, live, who.as_ref()) {
            return Err(match sitting.kind {
                MatchKind::Smoke => no_match(number),
                _ => Trouble::MatchNotShown {}.into(),
            });
        }
        let seats = |mine: &dyn Fn(&Account, Option<AccountId>) -> bool| {
            let seats = sitting.players.iter().enumerate();
            let own = seats.filter(|(_, player)| who.as_ref().is_some_and(|who| mine(who, **player)));
            own.map(|(index, _)| Seat::at(index)).collect()
        };
        // An organiser may be a player's friend: what a match hides is hidden from them like from everybody.
        let plays = |who: &Account, player: Option<AccountId>| player == Some(who.id);
        Ok(ViewerRights {
            private: seats(&|who, player| who.organiser || plays(who, player)),
            plays: seats(&plays),
        })
    }
}
