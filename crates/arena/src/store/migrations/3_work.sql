-- What was made of a version takes so many bytes on the disk.
ALTER TABLE versions ADD COLUMN made BIGINT NOT NULL DEFAULT 0;

-- Versions that are at work, or were at the last deaths of the arena. What runs while the arena is closed has died with it.
CREATE TABLE at_work (
    version BIGINT PRIMARY KEY,
    running BIGINT NOT NULL,
    -- Whether no other program was at work.
    alone BIGINT NOT NULL,
    -- Deaths in a row.
    deaths BIGINT NOT NULL
);
