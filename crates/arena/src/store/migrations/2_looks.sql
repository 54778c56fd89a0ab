-- What the names of players look like. Two players of before the table may look alike: the first one is in it.
CREATE TABLE looks (look TEXT PRIMARY KEY, player BIGINT NOT NULL);
CREATE INDEX looks_by_player ON looks (player);
