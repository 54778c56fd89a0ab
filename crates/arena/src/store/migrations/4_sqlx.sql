-- From here on sqlx counts the migrations. Programs that count them in this setting know three, and refuse a fourth.
INSERT INTO settings (name, value) VALUES ('schema', '4') ON CONFLICT (name) DO UPDATE SET value = '4';
