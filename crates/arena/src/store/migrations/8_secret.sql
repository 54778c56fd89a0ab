-- The event's secret, where several servers share the database: at most one row.
CREATE TABLE secret (
    id BIGINT PRIMARY KEY,
    content {blob} NOT NULL
);
