-- How players' bots do in the courses of games: the latest check of each step, and whether it was ever passed. What came of
-- its matches is JSON.
CREATE TABLE course_steps (
    player BIGINT NOT NULL,
    game TEXT NOT NULL,
    step TEXT NOT NULL,
    version BIGINT NOT NULL,
    state TEXT NOT NULL,
    passed BIGINT NOT NULL,
    at BIGINT NOT NULL,
    matches TEXT NOT NULL,
    PRIMARY KEY (player, game, step)
);
CREATE INDEX course_queue ON course_steps (state, at);
