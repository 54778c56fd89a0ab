-- One text for SQLite and Postgres. Flags are 0 or 1, times are milliseconds since 1970; {blob} is the word for bytes.

CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE players (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    -- The name in lower case: two that differ in case only would be taken for each other.
    folded TEXT NOT NULL UNIQUE,
    -- For people: argon2. For clients that say a password and no name: a keyed fingerprint to find the player by, if
    -- the arena made the password.
    password TEXT,
    password_key TEXT UNIQUE,
    organiser BIGINT NOT NULL,
    house BIGINT NOT NULL,
    banned BIGINT NOT NULL,
    joined BIGINT NOT NULL
);

-- What opens an account without its password: a browser that is signed in, or a program's key. Only fingerprints.
CREATE TABLE keys (
    id BIGINT PRIMARY KEY,
    player BIGINT NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    at BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX keys_by_player ON keys (player, kind);

CREATE TABLE bots (
    id BIGINT PRIMARY KEY,
    player BIGINT NOT NULL,
    game TEXT NOT NULL,
    built_in TEXT,
    active BIGINT,
    elo DOUBLE PRECISION NOT NULL,
    played BIGINT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    UNIQUE (player, game)
);

CREATE TABLE versions (
    id BIGINT PRIMARY KEY,
    bot BIGINT NOT NULL,
    number BIGINT NOT NULL,
    file TEXT NOT NULL,
    at BIGINT NOT NULL,
    state TEXT NOT NULL,
    log TEXT NOT NULL,
    smoke BIGINT,
    bytes BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    UNIQUE (bot, number)
);
CREATE INDEX versions_by_state ON versions (state, id);
CREATE TABLE uploads (version BIGINT PRIMARY KEY, content {blob} NOT NULL);

-- Matches that are over. `counted` is the order in which they were counted, and with it the order of the ratings.
CREATE TABLE matches (
    id BIGINT PRIMARY KEY,
    counted BIGINT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    kind TEXT NOT NULL,
    round BIGINT,
    -- Its number within the round.
    number BIGINT,
    state TEXT NOT NULL,
    started BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    turns BIGINT NOT NULL,
    seed TEXT NOT NULL,
    replay BIGINT NOT NULL,
    why TEXT
);
CREATE INDEX matches_by_game ON matches (game, id);
CREATE INDEX matches_by_kind ON matches (kind, id);
CREATE INDEX matches_by_game_and_kind ON matches (game, kind, id);
CREATE INDEX matches_by_round ON matches (round, id);

CREATE TABLE seats (
    match BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    kind TEXT NOT NULL,
    player BIGINT,
    bot BIGINT,
    version BIGINT,
    name TEXT NOT NULL,
    place BIGINT NOT NULL,
    points DOUBLE PRECISION,
    elo DOUBLE PRECISION,
    elo_change DOUBLE PRECISION,
    fault TEXT,
    fault_text TEXT,
    PRIMARY KEY (match, seat)
);
CREATE INDEX seats_by_player ON seats (player, match);
CREATE INDEX seats_by_player_and_kind ON seats (player, kind, match);
-- With the rating, so that a bot's chart is drawn from the index alone.
CREATE INDEX seats_by_bot ON seats (bot, match, elo);
CREATE INDEX seats_by_bot_and_kind ON seats (bot, kind, match);

-- How often a bot came out ahead of another, level with it, and behind it.
CREATE TABLE meetings (
    bot BIGINT NOT NULL,
    opponent BIGINT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    PRIMARY KEY (bot, opponent)
);

CREATE TABLE replays (match BIGINT PRIMARY KEY, content {blob} NOT NULL);

CREATE TABLE rounds (
    id BIGINT PRIMARY KEY,
    -- Its place in the plan, and which one of a repeated round it is.
    planned BIGINT NOT NULL,
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    state TEXT NOT NULL,
    starts BIGINT,
    ended BIGINT,
    body TEXT NOT NULL
);
-- The log of a round, as the league writes and reads it.
CREATE TABLE round_events (
    round BIGINT NOT NULL,
    id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (round, id)
);

CREATE TABLE announcements (id BIGINT PRIMARY KEY, at BIGINT NOT NULL, text TEXT NOT NULL);

-- What organisers did, and what happened by itself.
CREATE TABLE log (id BIGINT PRIMARY KEY, at BIGINT NOT NULL, who BIGINT, text TEXT NOT NULL);
