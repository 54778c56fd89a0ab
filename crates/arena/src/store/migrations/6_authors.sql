-- What authors know of their own versions: why one was rejected (JSON), their notes, and what was only tried, against this
-- built-in player.
ALTER TABLE versions ADD COLUMN rejection TEXT;
ALTER TABLE versions ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE versions ADD COLUMN trial TEXT;

-- How it came to a player's place: a code and its values.
ALTER TABLE seats ADD COLUMN reason TEXT;

-- The meetings of each version of a bot.
CREATE TABLE version_meetings (
    bot BIGINT NOT NULL,
    version BIGINT NOT NULL,
    opponent BIGINT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    PRIMARY KEY (bot, version, opponent)
);
INSERT INTO version_meetings (bot, version, opponent, won, drawn, lost)
SELECT s.bot, s.version, o.bot,
    SUM(CASE WHEN s.place < o.place THEN 1 ELSE 0 END),
    SUM(CASE WHEN s.place = o.place THEN 1 ELSE 0 END),
    SUM(CASE WHEN s.place > o.place THEN 1 ELSE 0 END)
FROM matches m JOIN seats s ON s.match = m.id JOIN seats o ON o.match = m.id AND o.bot <> s.bot
WHERE m.state = 'finished' AND m.kind IN ('free', 'ladder', 'scored') AND s.version IS NOT NULL AND s.bot IS NOT NULL
GROUP BY s.bot, s.version, o.bot;

-- Which of their matches players have looked at: all up to a number, and these.
CREATE TABLE seen_until (
    player BIGINT PRIMARY KEY,
    match BIGINT NOT NULL
);
CREATE TABLE seen (
    player BIGINT NOT NULL,
    match BIGINT NOT NULL,
    PRIMARY KEY (player, match)
);

CREATE TABLE follows (
    player BIGINT NOT NULL,
    followed BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (player, followed)
);
