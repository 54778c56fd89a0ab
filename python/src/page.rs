//! A replay as a page shows it: what the server of the viewer would be asked, all at once (docs/viewer.md, web/src/replay).

use palestra_core::replay::Recorded;
use palestra_core::{AnyGame, Cursor, Eye, Hides, Replay, ReplayError, Seat};
use serde_json::{Value, json};

/// What the page brings along: everything about the match, and every moment as these eyes see it.
pub(crate) fn recording(game: &dyn AnyGame, replay: &Replay, eye: Eye) -> Result<Value, ReplayError> {
    let seat = match eye {
        Eye::Seat(seat) => Some(seat),
        Eye::Spectator => None,
    };
    Ok(json!({ "head": head(game, replay, seat), "moments": moments(game, replay, eye)? }))
}

fn head(game: &dyn AnyGame, replay: &Replay, eye: Option<Seat>) -> Value {
    let (info, head) = (game.info(), &replay.head);
    let placing = |placing: &palestra_core::Placing| {
        json!({
            "place": placing.place, "score": placing.score.to_f64(), "fate": placing.fate, "reason": placing.reason,
        })
    };
    json!({
        "id": "replay",
        "game": {
            "id": info.id,
            "title": info.title,
            "round_word": info.round_word,
            // There is but one pair of eyes.
            "fog": info.hides == Hides::Board && eye.is_some(),
            "counters": game.counters().iter().map(|counter| counter.key).collect::<Vec<_>>(),
        },
        "names": head.bots,
        "turns": head.turns,
        "over": true,
        "open": true,
        "eye": eye,
        "late": null,
        "people": [],
        "seed": head.plan.seed.to_string(),
        "time": head.time.message(),
        "replay": false,
        "outcome": {
            "winner": head.outcome.winner,
            "placings": head.outcome.placings.iter().map(placing).collect::<Vec<_>>(),
        },
    })
}

fn moments(game: &dyn AnyGame, replay: &Replay, eye: Eye) -> Result<Vec<Value>, ReplayError> {
    let mut cursor = Cursor::start(game, replay)?;
    let mut moment = json!({ "turn": 0, "seat": null, "round": 0 });
    let mut moments = Vec::with_capacity(replay.head.turns as usize + 1);
    loop {
        moment["frame"] = cursor.state().frame(eye);
        moments.push(moment);
        let Some(turn) = cursor.peek(replay)? else { return Ok(moments) };
        let (number, seat) = (turn.number, turn.seat);
        moment = json!({ "turn": number, "seat": seat, "round": 0 });
        // What a seat may know of others' answers and faults is in its frame.
        if eye == Eye::Spectator || eye == Eye::Seat(seat) {
            match turn.input {
                Recorded::Answer(_) => {
                    let mut answer = Vec::new();
                    cursor.state().write_answer(&mut answer);
                    moment["answer"] = String::from_utf8_lossy(&answer).trim_end().into();
                }
                Recorded::Fault(fault) => moment["fault"] = json!(fault.message()),
            }
        }
        cursor.advance(replay)?;
        moment["round"] = cursor.state().rounds().into();
    }
}
