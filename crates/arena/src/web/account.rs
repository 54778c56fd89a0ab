//! Somebody's own account: signing in and out, registering, passwords, and keys for programs.

use super::Site;
use super::auth::{COOKIE, DEVICE, SignedIn, device, new_device, session};
use super::gate::Caller;
use super::login_backoff::Lane;
use super::problem::JsonBody;
use crate::api::{AskToken, ChangePassword, Me, NewToken, SignIn, SignUp, TokenView};
use crate::ids::AccountId;
use crate::limits;
use crate::store::{Account, KeyKind, NewAccount};
use crate::trouble::Trouble;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use palestra_server::problem::{Path, Problem};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep_until;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(login))
        .routes(routes!(logout))
        .routes(routes!(register))
        .routes(routes!(change_password))
        .routes(routes!(tokens, add_token))
        .routes(routes!(drop_token))
}

/// Signs in: the answer carries a cookie.
#[utoipa::path(post, path = "/api/login", tag = "account", request_body = SignIn, responses((status = 200, body = Me)))]
async fn login(
    State(site): State<Arc<Site>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    JsonBody(asked): JsonBody<SignIn>,
) -> Result<(CookieJar, Json<Me>), Problem> {
    if asked.password.len() > *limits::PASSWORD_BYTES.end() {
        return Err(wrong_password());
    }
    let known = site.store.account_named(&asked.name).await?.map(|account| account.id);
    let lane = match known.and_then(|known| device(&headers, &site.store, known)) {
        _ if caller.local => Lane::Local,
        Some(device) => Lane::Device(device),
        None => Lane::Address(caller.address),
    };
    let account = site.check_password(known, lane, caller, &asked.name, &asked.password).await?;
    let account = account.ok_or_else(wrong_password)?;
    site.store.forget_old_keys().await?;
    Ok((site.signed_in(&account, caller).await?, Json(Me::from(&account))))
}

fn too_many_tries() -> Problem {
    Trouble::OthersSignIn {}.into()
}

fn wrong_password() -> Problem {
    Trouble::WrongPassword {}.into()
}

/// Signs out.
#[utoipa::path(post, path = "/api/logout", tag = "account", responses((status = 204)))]
async fn logout(
    State(site): State<Arc<Site>>,
    headers: HeaderMap,
) -> Result<(CookieJar, StatusCode), Problem> {
    if let Some(secret) = session(&headers) {
        site.store.forget_key(&secret).await?;
    }
    let gone = Cookie::build(COOKIE).path("/").removal().build();
    Ok((CookieJar::new().add(gone), StatusCode::NO_CONTENT))
}

/// Makes an account with the code that the organisers hand out, and signs in.
#[utoipa::path(post, path = "/api/register", tag = "account", request_body = SignUp, responses((status = 200, body = Me)))]
async fn register(
    State(site): State<Arc<Site>>,
    Extension(caller): Extension<Caller>,
    JsonBody(asked): JsonBody<SignUp>,
) -> Result<(CookieJar, Json<Me>), Problem> {
    let Some(code) = &site.plan.invite else {
        return Err(Trouble::RegistrationClosed {}.into());
    };
    let guess = site.gate.codes.take(None, Lane::Address(caller.address), Instant::now());
    let guess = guess.ok_or_else(too_many_tries)?;
    sleep_until(guess.at.into()).await;
    // Fingerprints are compared, so that the time it takes tells nothing about the code.
    if site.store.keyed_fingerprint(code) != site.store.keyed_fingerprint(asked.invite.trim()) {
        return Err(Trouble::WrongInvite {}.into());
    }
    guess.was_right();
    site.gate.registrations.take(&caller.address)?;
    let _turn = site.gate.passwords.wait(caller.address, None).await;
    let new = NewAccount { name: asked.name, password: Some(asked.password), organiser: false };
    let (account, _) = site.store.add_account(new).await?;
    site.note(None, format!("{} registered", account.name)).await?;
    Ok((site.signed_in(&account, caller).await?, Json(Me::from(&account))))
}

/// Changes one's password. Everything that was signed in with the old one is signed out, and all keys end.
#[utoipa::path(
    post, path = "/api/me/password", tag = "account", request_body = ChangePassword, responses((status = 200, body = Me))
)]
async fn change_password(
    State(site): State<Arc<Site>>,
    Extension(caller): Extension<Caller>,
    SignedIn(account): SignedIn,
    JsonBody(asked): JsonBody<ChangePassword>,
) -> Result<(CookieJar, Json<Me>), Problem> {
    let id = Some(account.id);
    let right = asked.old.len() <= *limits::PASSWORD_BYTES.end()
        && site.check_password(id, Lane::SignedIn, caller, &account.name, &asked.old).await?.is_some();
    if !right {
        return Err(Trouble::WrongOldPassword {}.into());
    }
    let _turn = site.gate.passwords.wait(caller.address, id).await;
    site.store.set_password(account.id, Some(asked.new)).await?;
    Ok((site.signed_in(&account, caller).await?, Json(Me::from(&account))))
}

/// One's keys for programs.
#[utoipa::path(get, path = "/api/me/tokens", tag = "account", responses((status = 200, body = [TokenView])))]
async fn tokens(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
) -> Result<Json<Vec<TokenView>>, Problem> {
    Ok(Json(site.store.tokens(account.id).await?.into_iter().map(TokenView::from).collect()))
}

/// Makes a key for a program. It is told once.
#[utoipa::path(
    post, path = "/api/me/tokens", tag = "account", request_body = AskToken, responses((status = 200, body = NewToken))
)]
async fn add_token(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    JsonBody(asked): JsonBody<AskToken>,
) -> Result<Json<NewToken>, Problem> {
    let label = asked.label.trim();
    if label.len() > limits::LABEL_BYTES {
        return Err(Trouble::LabelTooLong { limit: limits::LABEL_BYTES as u64 }.into());
    }
    if site.store.tokens(account.id).await?.len() as i64 >= limits::TOKENS {
        return Err(Trouble::EnoughKeys { limit: limits::TOKENS as u64 }.into());
    }
    let (id, token) = site.store.add_key(account.id, KeyKind::Token, label).await?;
    Ok(Json(NewToken { id, token }))
}

/// Takes a key back.
#[utoipa::path(
    delete, path = "/api/me/tokens/{id}", tag = "account", params(("id" = i64, Path,)), responses((status = 204))
)]
async fn drop_token(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(id): Path<i64>,
) -> Result<StatusCode, Problem> {
    match site.store.drop_token(account.id, id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Trouble::NoKey { id }.into()),
    }
}

impl Site {
    /// Who has this name and password; whoever has guessed before waits first.
    async fn check_password(
        &self,
        account: Option<AccountId>,
        lane: Lane,
        caller: Caller,
        name: &str,
        password: &str,
    ) -> Result<Option<Account>, Problem> {
        let guess = self.gate.guesses.take(account, lane, Instant::now()).ok_or_else(too_many_tries)?;
        sleep_until(guess.at.into()).await;
        let _turn = self.gate.passwords.wait(caller.address, account).await;
        let account = self.store.sign_in(name, password).await?;
        if account.is_some() {
            guess.was_right();
        }
        Ok(account)
    }

    /// A cookie for somebody who has just proved who it is.
    async fn signed_in(&self, account: &Account, caller: Caller) -> Result<CookieJar, Problem> {
        let (_, secret) = self.store.add_key(account.id, KeyKind::Session, "").await?;
        let cookie = |name: &'static str, value: String, lasts: Duration| {
            Cookie::build((name, value))
                .path("/")
                .http_only(true)
                .same_site(SameSite::Lax)
                .secure(caller.secure)
                .max_age(lasts.try_into().expect("a year is not too long"))
                .build()
        };
        let jar = CookieJar::new().add(cookie(COOKIE, secret, limits::SIGNED_IN));
        Ok(jar.add(cookie(DEVICE, new_device(&self.store, account.id), limits::DEVICE_KNOWN)))
    }
}
