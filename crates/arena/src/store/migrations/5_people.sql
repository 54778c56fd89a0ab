-- Seats on which people sat, in matches that were played by hand.
CREATE TABLE people (match BIGINT NOT NULL, seat BIGINT NOT NULL, PRIMARY KEY (match, seat));

-- Some matches that a player lets a version of its own play against one opponent.
CREATE TABLE challenges (
    id BIGINT PRIMARY KEY,
    player BIGINT NOT NULL,
    game TEXT NOT NULL,
    bot BIGINT NOT NULL,
    version BIGINT NOT NULL,
    -- The opponent's bot, and its version: none for a built-in player.
    opponent BIGINT NOT NULL,
    opponent_version BIGINT,
    -- How many.
    matches BIGINT NOT NULL,
    at BIGINT NOT NULL,
    state TEXT NOT NULL,
    ended BIGINT,
    why TEXT
);
CREATE INDEX challenges_by_player ON challenges (player, id);
CREATE INDEX challenges_by_state ON challenges (state, id);
CREATE TABLE challenge_matches (match BIGINT PRIMARY KEY, challenge BIGINT NOT NULL, number BIGINT NOT NULL);
CREATE INDEX challenge_matches_by_challenge ON challenge_matches (challenge, number);
