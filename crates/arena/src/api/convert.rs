//! The API's shapes, made from what the store keeps.

use super::{
    AccountView, Announcement, LogLine, MatchView, Me, OpponentLine, RatingPoint, SeatView, TokenView,
    VersionView,
};
use crate::model::MatchState;
use crate::store;

impl From<store::MatchRow> for MatchView {
    /// Everything, also what is for its authors only; who may watch it is not said.
    fn from(row: store::MatchRow) -> MatchView {
        let counts = row.state != MatchState::Void;
        let seats = row.seats.into_iter().map(SeatView::from);
        let seats =
            seats.map(|seat| if counts { seat } else { SeatView { points: None, elo: None, ..seat } });
        MatchView {
            id: row.id,
            game: row.game,
            kind: row.kind,
            round: row.round.map(|(round, _)| round),
            challenge: row.challenge.map(|(challenge, _)| challenge),
            state: row.state,
            started: row.started,
            ended: Some(row.ended),
            counted: Some(row.counted),
            turns: row.turns,
            seats: seats.collect(),
            watchable: false,
            late: None,
            replay: row.replay,
            why: row.why,
            worker: row.worker,
        }
    }
}

impl From<store::SeatRow> for SeatView {
    fn from(row: store::SeatRow) -> SeatView {
        let (fault, fault_message) = row.fault.unzip();
        SeatView {
            player: row.player,
            bot: row.bot,
            version: row.version,
            built_in: row.built_in,
            person: row.person,
            name: row.name,
            place: Some(row.place),
            points: row.points,
            elo: row.elo,
            fault,
            fault_message,
            reason: row.reason,
        }
    }
}

impl From<store::Version> for VersionView {
    /// Everything about it, for its author.
    fn from(version: store::Version) -> VersionView {
        VersionView {
            id: version.id,
            number: version.number,
            file: version.file,
            at: version.at,
            state: version.state,
            active: version.active,
            log: Some(version.log),
            smoke: version.smoke,
            rejection: version.rejection,
            note: Some(version.note),
            trial: version.trial,
        }
    }
}

impl From<&store::Account> for Me {
    fn from(account: &store::Account) -> Me {
        Me { id: account.id, name: account.name.clone(), organiser: account.organiser }
    }
}

impl AccountView {
    pub(crate) fn new(account: store::Account, online: bool) -> AccountView {
        let store::Account { id, name, organiser, house, banned, .. } = account;
        AccountView { id, name, organiser, house, banned, online }
    }
}

impl From<store::Token> for TokenView {
    fn from(token: store::Token) -> TokenView {
        TokenView { id: token.id, label: token.label, at: token.at }
    }
}

impl From<store::Rating> for RatingPoint {
    fn from(rating: store::Rating) -> RatingPoint {
        RatingPoint { at: rating.at, game: rating.id, elo: rating.elo, version: rating.version }
    }
}

impl From<store::Opponent> for OpponentLine {
    fn from(opponent: store::Opponent) -> OpponentLine {
        let store::Opponent { bot, player, name, won, drawn, lost } = opponent;
        OpponentLine { bot, player, name, won, drawn, lost }
    }
}

impl From<store::Announcement> for Announcement {
    fn from(announcement: store::Announcement) -> Announcement {
        let store::Announcement { id, at, text } = announcement;
        Announcement { id, at, text }
    }
}

impl From<store::LogEntry> for LogLine {
    fn from(entry: store::LogEntry) -> LogLine {
        let store::LogEntry { id, at, who, text } = entry;
        LogLine { id, at, who, text }
    }
}
