-- The worker that played a match; nothing if that was the arena's own machine.
ALTER TABLE matches ADD COLUMN worker TEXT;
