//! What organisers do. Whatever they do is in the log of the event.

use super::Site;
use super::auth::Organiser;
use super::gate::Caller;
use super::people::online;
use super::problem::{JsonBody, whole_body};
use crate::api::{
    AccountView, AddPlayer, Announce, Ban, Control, ImportPreview, ImportedPlayer, LogLine, MachineView,
    NewPassword, Reason, WorkersView,
};
use crate::ids::{AccountId, MatchId, RoundId};
use crate::limits;
use crate::player_list::{self, ListedPlayer, PlayerList, PlayerListError};
use crate::store::{Account, AccountError, Changes, NewAccount};
use crate::trouble::Trouble;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use palestra_server::problem::{Path, Problem, Query};
use serde::Deserialize;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(control_event))
        .routes(routes!(control_round))
        .routes(routes!(void))
        .routes(routes!(rerun))
        .routes(routes!(announce))
        .routes(routes!(retract))
        .routes(routes!(accounts, add_player))
        .routes(routes!(import_players))
        .routes(routes!(preview_import))
        .routes(routes!(reset_password))
        .routes(routes!(ban))
        .routes(routes!(log))
        .routes(routes!(machine))
        .routes(routes!(workers))
}

type Done = Result<StatusCode, Problem>;

/// How busy the machine is, and whether that hurts.
#[utoipa::path(get, path = "/api/admin/machine", tag = "organisers", responses((status = 200, body = MachineView)))]
async fn machine(State(site): State<Arc<Site>>, Organiser(_who): Organiser) -> Json<MachineView> {
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    let load = load.and_then(|text| text.split(' ').next()?.parse().ok());
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u32;
    Json(judge(cores, load, site.hub.snapshot().stalled, site.workshop.waiting() as u32))
}

fn judge(cores: u32, load: Option<f64>, stalled: u32, waiting_versions: u32) -> MachineView {
    let overloaded = load.is_some_and(|load| load > f64::from(cores) * limits::BUSY_LOAD);
    MachineView {
        cores,
        load,
        stalled,
        stalled_minutes: (limits::STALL_SPAN.as_secs() / 60) as u32,
        waiting_versions,
        busy: overloaded || stalled > 0 || waiting_versions > limits::BUSY_QUEUE,
    }
}

/// The workers that play matches on other machines; nothing without a queue for them.
#[utoipa::path(
    get, path = "/api/admin/workers", tag = "organisers", responses((status = 200, body = Option<WorkersView>))
)]
async fn workers(State(site): State<Arc<Site>>, Organiser(_who): Organiser) -> Json<Option<WorkersView>> {
    Json(site.workers.as_ref().map(|workers| workers.view()))
}

/// Pauses the event, lets it go on, or closes it.
#[utoipa::path(
    post, path = "/api/admin/event", tag = "organisers", request_body = Control, responses((status = 204))
)]
async fn control_event(
    State(site): State<Arc<Site>>,
    Organiser(who): Organiser,
    JsonBody(control): JsonBody<Control>,
) -> Done {
    site.hub.control(Some(who.id), None, control).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Begins a round, pauses it, lets it go on, or ends it.
#[utoipa::path(
    post, path = "/api/admin/rounds/{id}", tag = "organisers", params(("id" = u32, Path,)), request_body = Control,
    responses((status = 204))
)]
async fn control_round(
    State(site): State<Arc<Site>>,
    Organiser(who): Organiser,
    Path(id): Path<RoundId>,
    JsonBody(control): JsonBody<Control>,
) -> Done {
    site.hub.control(Some(who.id), Some(id), control).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a match out of the count.
#[utoipa::path(
    post, path = "/api/admin/matches/{id}/void", tag = "organisers", params(("id" = i64, Path,)),
    request_body = Reason, responses((status = 204))
)]
async fn void(
    State(site): State<Arc<Site>>,
    Organiser(who): Organiser,
    Path(id): Path<MatchId>,
    JsonBody(reason): JsonBody<Reason>,
) -> Done {
    site.hub.void(Some(who.id), id, short(reason.why)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Has a match of a scored round played again.
#[utoipa::path(
    post, path = "/api/admin/matches/{id}/rerun", tag = "organisers", params(("id" = i64, Path,)),
    request_body = Reason, responses((status = 204))
)]
async fn rerun(
    State(site): State<Arc<Site>>,
    Organiser(who): Organiser,
    Path(id): Path<MatchId>,
    JsonBody(reason): JsonBody<Reason>,
) -> Done {
    site.hub.rerun(Some(who.id), id, short(reason.why)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tells everybody something.
#[utoipa::path(
    post, path = "/api/admin/announce", tag = "organisers", request_body = Announce, responses((status = 204))
)]
async fn announce(
    State(site): State<Arc<Site>>,
    Organiser(who): Organiser,
    JsonBody(asked): JsonBody<Announce>,
) -> Done {
    let text = short(asked.text)?;
    if text.is_empty() {
        return Err(Trouble::EmptyAnnouncement {}.into());
    }
    site.hub.announce(Some(who.id), text).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes an announcement back.
#[utoipa::path(
    delete, path = "/api/admin/announcements/{id}", tag = "organisers", params(("id" = i64, Path,)),
    responses((status = 204))
)]
async fn retract(State(site): State<Arc<Site>>, Organiser(who): Organiser, Path(id): Path<i64>) -> Done {
    site.hub.retract(Some(who.id), id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A text of people's, without blanks around it.
fn short(text: String) -> Result<String, Problem> {
    match text.len() > limits::TEXT_BYTES {
        true => Err(Trouble::TextTooLong { limit: limits::TEXT_BYTES as u64 }.into()),
        false => Ok(text.trim().to_owned()),
    }
}

/// All accounts.
#[utoipa::path(
    get, path = "/api/admin/players", tag = "organisers", responses((status = 200, body = [AccountView]))
)]
async fn accounts(State(site): State<Arc<Site>>, _: Organiser) -> Result<Json<Vec<AccountView>>, Problem> {
    let accounts = site.store.accounts().await?;
    let online = online(&site.hub.snapshot());
    let view = |account: Account| {
        let online = online.contains(&account.id);
        AccountView::new(account, online)
    };
    Ok(Json(accounts.into_iter().map(view).collect()))
}

/// Makes an account. Its password is told once.
#[utoipa::path(
    post, path = "/api/admin/players", tag = "organisers", request_body = AddPlayer,
    responses((status = 200, body = NewPassword))
)]
async fn add_player(
    State(site): State<Arc<Site>>,
    Organiser(who): Organiser,
    Extension(caller): Extension<Caller>,
    JsonBody(asked): JsonBody<AddPlayer>,
) -> Result<Json<NewPassword>, Problem> {
    let _turn = site.gate.passwords.wait(caller.address, Some(who.id)).await;
    let AddPlayer { name, password, organiser } = asked;
    let made = site.make_account(NewAccount { name, password, organiser }).await?;
    let rank = if organiser { "organiser" } else { "player" };
    site.note(Some(who.id), format!("added {rank} {}", made.name)).await?;
    Ok(Json(made))
}

/// What would be taken from a table of players; nobody gets an account yet.
#[utoipa::path(
    post, path = "/api/admin/players/import/preview", tag = "organisers",
    request_body(content = String, content_type = "text/csv"), responses((status = 200, body = ImportPreview))
)]
async fn preview_import(
    State(site): State<Arc<Site>>,
    _: Organiser,
    request: Request,
) -> Result<Json<ImportPreview>, Problem> {
    let PlayerList { headings, players } = read_players(request).await?;
    let mut listed = Vec::with_capacity(players.len());
    for player in players {
        let is_known = site.is_known(&player).await?;
        listed.push(ImportedPlayer { has_password: player.password.is_some(), name: player.name, is_known });
    }
    let (name_heading, password_heading) =
        headings.map_or((None, None), |headings| (Some(headings.name), headings.password));
    Ok(Json(ImportPreview { name_heading, password_heading, players: listed }))
}

/// Makes accounts from a table: a name in each line, and a password behind it if it is not to be made up. Whoever has an
/// account already keeps it as it is. A mistake in any line is told before the first account is made.
#[utoipa::path(
    post, path = "/api/admin/players/import", tag = "organisers",
    request_body(content = String, content_type = "text/csv"), responses((status = 200, body = [NewPassword]))
)]
async fn import_players(
    State(site): State<Arc<Site>>,
    Organiser(who): Organiser,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Json<Vec<NewPassword>>, Problem> {
    let mut new = Vec::new();
    for player in read_players(request).await?.players {
        if !site.is_known(&player).await? {
            new.push(player);
        }
    }
    let mut made = Vec::with_capacity(new.len());
    for ListedPlayer { line, name, password } in new {
        let _turn = site.gate.passwords.wait(caller.address, Some(who.id)).await;
        let account = NewAccount { name, password, organiser: false };
        made.push(site.make_account(account).await.map_err(|error| in_line(line, error))?);
    }
    let text = match made.len() {
        1 => "imported 1 player".to_owned(),
        players => format!("imported {players} players"),
    };
    site.note(Some(who.id), text).await?;
    Ok(Json(made))
}

async fn read_players(request: Request) -> Result<PlayerList, Problem> {
    let table = whole_body(request, limits::IMPORT_BYTES).await?;
    player_list::read(&table).map_err(|error| Trouble::from(&error).into())
}

fn in_line(line: u64, error: AccountError) -> Problem {
    Trouble::from(&PlayerListError::Account(line, error)).into()
}

impl Site {
    /// Whether a player of a table has an account; an error if it could not get one.
    async fn is_known(&self, player: &ListedPlayer) -> Result<bool, Problem> {
        let unfit = |error| Err(in_line(player.line, error));
        match self.store.check_free(&player.name).await {
            Ok(()) if self.store.is_reserved(&player.name) => {
                unfit(AccountError::Reserved(player.name.clone()))
            }
            Ok(()) => Ok(false),
            Err(AccountError::Taken(_)) => Ok(true),
            Err(error) => unfit(error),
        }
    }
}

/// Gives a player another password, told once, and signs it out everywhere.
#[utoipa::path(
    post, path = "/api/admin/players/{id}/reset", tag = "organisers", params(("id" = i64, Path,)),
    responses((status = 200, body = NewPassword))
)]
async fn reset_password(
    State(site): State<Arc<Site>>,
    Organiser(who): Organiser,
    Extension(caller): Extension<Caller>,
    Path(id): Path<AccountId>,
) -> Result<Json<NewPassword>, Problem> {
    let name = site.player_name(id).await?;
    let _turn = site.gate.passwords.wait(caller.address, Some(who.id)).await;
    let password = site.store.set_password(id, None).await?;
    site.note(Some(who.id), format!("reset the password of {name}")).await?;
    Ok(Json(NewPassword { id, name, password }))
}

/// Shuts a player out, or lets it in again.
#[utoipa::path(
    post, path = "/api/admin/players/{id}/ban", tag = "organisers", params(("id" = i64, Path,)), request_body = Ban,
    responses((status = 204))
)]
async fn ban(
    State(site): State<Arc<Site>>,
    Organiser(who): Organiser,
    Path(id): Path<AccountId>,
    JsonBody(asked): JsonBody<Ban>,
) -> Done {
    if id == who.id {
        return Err(Trouble::OwnBan {}.into());
    }
    let name = site.player_name(id).await?;
    site.store.ban(id, asked.banned).await?;
    site.hub.banned(id).await;
    let verb = if asked.banned { "shut out" } else { "let in again" };
    site.note(Some(who.id), format!("{verb} {name}")).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
struct Before {
    before: Option<i64>,
}

/// What organisers did, and what happened by itself, newest first.
#[utoipa::path(
    get, path = "/api/admin/log", tag = "organisers",
    params(("before" = Option<i64>, Query, description = "Older than this line.")),
    responses((status = 200, body = [LogLine]))
)]
async fn log(
    State(site): State<Arc<Site>>,
    _: Organiser,
    Query(asked): Query<Before>,
) -> Result<Json<Vec<LogLine>>, Problem> {
    let entries = site.store.log(asked.before.unwrap_or(i64::MAX)).await?;
    Ok(Json(entries.into_iter().map(LogLine::from).collect()))
}

impl Site {
    async fn make_account(&self, new: NewAccount) -> Result<NewPassword, AccountError> {
        let (account, password) = self.store.add_account(new).await?;
        Ok(NewPassword { id: account.id, name: account.name, password })
    }

    async fn player_name(&self, id: AccountId) -> Result<String, Problem> {
        let account = self.store.account(id).await?.ok_or_else(|| AccountError::Unknown(id.to_string()))?;
        Ok(account.name)
    }

    /// Writes into the log of the event.
    pub(super) async fn note(&self, who: Option<AccountId>, text: String) -> Result<(), Problem> {
        Ok(self.store.commit(&Changes { log: vec![(who, text)], ..Changes::default() }).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::limits;

    #[test]
    fn a_machine_is_busy_when_that_can_hurt() {
        assert!(!judge(4, Some(4.0), 0, 3).busy);
        assert!(!judge(4, None, 0, 0).busy, "what is not known is not told");
        assert!(judge(4, Some(6.5), 0, 0).busy);
        assert!(judge(4, Some(0.1), 1, 0).busy, "it has hurt already");
        assert!(judge(4, Some(0.1), 0, limits::BUSY_QUEUE + 1).busy);
    }
}
