-- Mini game types, game sessions, scores, and the best score of each player.
--
-- app_id comes first in every key and index, so that the tables can be distributed by it.
-- type_key is the mini game type, or the zero uuid for the default game (sessions without a type).
-- rank_key is "higher is better": the score, or its negation where lower is better.

create table mini_game_types (
  app_id uuid not null references apps,
  id uuid not null,
  name text not null,
  name_key text not null,                            -- the folded name; see foldName
  description text not null,
  image_url text,
  ascending boolean not null default false,          -- true: lower is better
  scored boolean not null default false,             -- set by the first score; from then on "ascending" is fixed
  min_score float8 check (min_score > '-Infinity' and min_score < 'Infinity'),
  max_score float8 check (max_score > '-Infinity' and max_score < 'Infinity'),
  created_at timestamptz(3) not null default clock_timestamp(),
  hidden_at timestamptz(3),                          -- a hidden type keeps its sessions and scores and frees its name
  primary key (app_id, id)
);
create unique index mini_game_types_name on mini_game_types (app_id, name_key) where hidden_at is null;

create table game_sessions (
  app_id uuid not null references apps,
  id uuid not null,
  type_key uuid not null,
  name text,
  description text,
  status text not null default 'active' check (status in ('active', 'paused', 'completed')),
  start_time timestamptz not null default clock_timestamp(),
  end_time timestamptz,
  open_until timestamptz,                            -- a game recorded after the fact takes players and scores until then
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (app_id, id)
);
create index game_sessions_newest on game_sessions (app_id, created_at desc, id desc);
create index game_sessions_of_type on game_sessions (app_id, type_key, created_at desc, id desc);

-- A player in a session. Registered with score 0, which does not rank until a score is written (scored_at).
-- No index holds the score, so that a score write stays a HOT update.
create table session_players (
  app_id uuid not null,
  session_id uuid not null,
  player_id uuid not null,
  type_key uuid not null,                            -- copied from the session, so that a fall of the best needs no join
  score float8 not null default 0 check (score > '-Infinity' and score < 'Infinity'),
  scored_at timestamptz,                             -- when the current value was reached; null: never written
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (app_id, session_id, player_id),
  foreign key (app_id, session_id) references game_sessions,
  foreign key (app_id, player_id) references players (app_id, id)
) with (fillfactor = 80);
create index session_players_of_player on session_players (app_id, player_id, type_key);

-- The best written score of a player in each type, kept by the functions of the next migration. A row is made at
-- registration and is what writers lock; score is null while nothing is written.
create table player_best (
  app_id uuid not null,
  type_key uuid not null,
  player_id uuid not null,
  score float8,
  rank_key float8,
  session_id uuid,
  achieved_at timestamptz,
  version bigint not null default 0,                 -- one more with every change of the best
  primary key (app_id, type_key, player_id),
  check ((rank_key is null) = (session_id is null) and (rank_key is null) = (score is null)),
  foreign key (app_id, player_id) references players (app_id, id)
) with (fillfactor = 80);
create index player_best_board on player_best (app_id, type_key, rank_key desc, achieved_at, player_id)
  where rank_key is not null;
create index player_best_of_player on player_best (app_id, player_id);
create index player_best_session on player_best (app_id, session_id) where session_id is not null;
