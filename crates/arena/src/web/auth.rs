//! Who is signed in: by the cookie of a browser, or by the key of a program.

use super::Site;
use crate::ids::AccountId;
use crate::limits;
use crate::store::{Account, KeyKind, Store, new_secret};
use crate::trouble::Trouble;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum_extra::extract::CookieJar;
use palestra_server::problem::Problem;
use std::sync::Arc;

/// The cookie that says that somebody is signed in.
pub(super) const COOKIE: &str = "palestra_session";

/// The cookie that says that a browser has signed in to an account before; it opens nothing.
pub(super) const DEVICE: &str = "palestra_device";

/// Whoever asks, with or without an account.
pub(super) struct Visitor(pub(super) Option<Account>);

/// Somebody who is signed in.
pub(super) struct SignedIn(pub(super) Account);

/// Somebody for whom the admin pages are open.
pub(super) struct Organiser(pub(super) Account);

impl Site {
    /// Whose request this is. A key that opens nothing is a mistake; a cookie that opens nothing is an old one.
    pub(super) async fn whose(&self, headers: &HeaderMap) -> Result<Option<Account>, Problem> {
        if let Some(key) = headers.get(header::AUTHORIZATION) {
            let unknown = || Problem::from(Trouble::NoSuchKey {});
            let text = key.to_str().map_err(|_| unknown())?;
            let (scheme, secret) = text.split_once(' ').ok_or_else(unknown)?;
            if !scheme.eq_ignore_ascii_case("bearer") {
                return Err(unknown());
            }
            let owner = self.store.key_owner(KeyKind::Token, secret.trim()).await?;
            return owner.map(Some).ok_or_else(unknown);
        }
        match session(headers) {
            Some(secret) => Ok(self.store.key_owner(KeyKind::Session, &secret).await?),
            None => Ok(None),
        }
    }
}

/// The secret in the cookie of a browser.
pub(super) fn session(headers: &HeaderMap) -> Option<String> {
    CookieJar::from_headers(headers).get(COOKIE).map(|cookie| cookie.value().to_owned())
}

/// What a browser is known by that has signed in to this account.
pub(super) fn new_device(store: &Store, account: AccountId) -> String {
    let number = new_secret(limits::KEY_LETTERS);
    let mark = device_mark(store, account, &number);
    format!("{number}.{mark}")
}

/// What this browser is known by, if it has signed in to this account before.
pub(super) fn device(headers: &HeaderMap, store: &Store, account: AccountId) -> Option<String> {
    let cookies = CookieJar::from_headers(headers);
    let (number, mark) = cookies.get(DEVICE)?.value().split_once('.')?;
    let expected = device_mark(store, account, number);
    // Fingerprints are compared, so that the time it takes tells nothing about the mark.
    let same = store.keyed_fingerprint(mark) == store.keyed_fingerprint(&expected);
    same.then(|| number.to_owned())
}

fn device_mark(store: &Store, account: AccountId, number: &str) -> String {
    store.keyed_fingerprint(&format!("device {account} {number}"))
}

impl FromRequestParts<Arc<Site>> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Visitor, Problem> {
        site.whose(&parts.headers).await.map(Visitor)
    }
}

impl FromRequestParts<Arc<Site>> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<SignedIn, Problem> {
        let account = site.whose(&parts.headers).await?;
        account.map(SignedIn).ok_or_else(|| Trouble::NotSignedIn {}.into())
    }
}

impl FromRequestParts<Arc<Site>> for Organiser {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Organiser, Problem> {
        let SignedIn(account) = SignedIn::from_request_parts(parts, site).await?;
        match account.organiser {
            true => Ok(Organiser(account)),
            false => Err(Trouble::OrganisersOnly {}.into()),
        }
    }
}
