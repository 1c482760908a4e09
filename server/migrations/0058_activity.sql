-- Who played when: what the home of an app shows, at a cost that does not depend on how many players it has.
--
-- Each process counts the scores that it writes in memory, and adds its counts every ten seconds. An index on
-- session_players by time would make each score write a cold update.

create table board_hours (
  app_id uuid not null references apps on delete cascade,
  hour timestamptz not null,
  type_key uuid not null,
  writes int not null,
  primary key (app_id, hour, type_key)
);
create index board_hours_by_hour on board_hours (hour);

comment on table board_hours is 'Scores written in one hour, by mini game type. Kept for two days.';

create table active_days (
  app_id uuid not null references apps on delete cascade,
  day date not null,
  players int[] not null,
  sketch bytea,
  primary key (app_id, day)
);
create index active_days_by_day on active_days (day);

comment on table active_days is 'How many different players had a score written on one day (UTC). Kept for 35 days.';
comment on column active_days.players is
  '24 numbers: how many there were from the start of the day to the end of each hour. 0 for an hour in which nothing was added.';
comment on column active_days.sketch is
  'Hashes of the IDs of up to 1,000 players, or registers that count more (modules/usage/activity/player-sketch.ts). '
  'Null after two days.';
