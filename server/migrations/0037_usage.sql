-- one by one: players and game sessions may be many, and are written to meanwhile
-- What came with each app's keys, and why some of it was refused; names by a part of them.

-- One row an hour in which a key was used. minutes has 60 counts; latencies one for each class of modules/usage/latency.ts.
create table if not exists usage_hours (
  app_id uuid not null references apps on delete cascade,
  hour timestamptz not null,
  key_id text not null,                              -- kept when the key has ended: its calls were the app's
  calls integer not null,
  refused integer not null,                          -- 4xx without 429
  limited integer not null,                          -- 429
  failed integer not null,                           -- 5xx
  minutes integer[] not null,
  latencies integer[] not null,
  primary key (app_id, hour, key_id)
);
create index if not exists usage_hours_by_hour on usage_hours (hour);

-- Refusals of an app on a day (UTC), by cause; at most 200 causes, the rest under the reason "other".
create table if not exists usage_refusals (
  app_id uuid not null references apps on delete cascade,
  day date not null,
  method text not null,
  route text not null,
  status smallint not null,
  reason text not null,
  times integer not null,
  last_at timestamptz not null,
  primary key (app_id, day, method, route, status, reason)
);
create index if not exists usage_refusals_by_day on usage_refusals (day);

-- In no index, so that to write it every few seconds moves nothing else.
alter table app_keys add column if not exists last_used_at timestamptz;

drop index concurrently if exists players_name_parts;
create index concurrently players_name_parts on players using gin (name_key gin_trgm_ops);
drop index concurrently if exists game_sessions_name_parts;
create index concurrently game_sessions_name_parts on game_sessions using gin (name gin_trgm_ops) where name is not null;
