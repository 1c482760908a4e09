-- Game types, game sessions, scores, and the best score of each player.
--
-- app_id comes first in every key and index, so that the tables can be distributed by it.
-- type_key is the game type, or the nil UUID for the default game (sessions without a type).
-- rank_key is "higher is better": the score, or its negation where lower is better.
-- The functions that write here are in 0012_scores.sql and 0013_game_sessions.sql, with their lock order.

create table mini_game_types (
  app_id uuid not null references apps,
  id uuid not null,
  name text not null,
  name_key text not null,
  description text not null,
  image_url text,
  ascending boolean not null default false,
  scored boolean not null default false,
  min_score float8 check (min_score > '-Infinity' and min_score < 'Infinity'),
  max_score float8 check (max_score > '-Infinity' and max_score < 'Infinity'),
  created_at timestamptz(3) not null default clock_timestamp(),
  hidden_at timestamptz(3),
  primary key (app_id, id)
);
create unique index mini_game_types_name on mini_game_types (app_id, name_key) where hidden_at is null;

comment on table mini_game_types is 'Game types of an app: name, sort order, and bounds of a score.';
comment on column mini_game_types.name_key is
  'The folded name, which is unique among the types of the app that are not hidden.';
comment on column mini_game_types.ascending is 'Lower scores are better.';
comment on column mini_game_types.scored is 'Set by the first score. From then on the sort order is fixed.';
comment on column mini_game_types.hidden_at is 'A hidden type keeps its sessions and scores, and releases its name.';

-- The score functions set "scored" before they know whether the score will be written, because the lock on the type comes
-- before all others. If nothing was written, this resets it at the end of the transaction, which still holds the row.
create function unfix_unscored_type() returns trigger language plpgsql as $$
begin
  update mini_game_types t set scored = false
   where t.app_id = new.app_id and t.id = new.id
     and not exists (select 1 from player_best b
                      where b.app_id = new.app_id and b.type_key = new.id and b.rank_key is not null);
  return null;
end $$;
create constraint trigger mini_game_types_scored after update of scored on mini_game_types
  deferrable initially deferred
  for each row when (new.scored and not old.scored) execute function unfix_unscored_type();

create table game_sessions (
  app_id uuid not null references apps,
  id uuid not null,
  type_key uuid not null,
  name text,
  description text,
  status text not null default 'active' check (status in ('active', 'paused', 'completed')),
  start_time timestamptz not null default clock_timestamp(),
  end_time timestamptz,
  open_until timestamptz,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (app_id, id)
);
create index game_sessions_newest on game_sessions (app_id, created_at desc, id desc);
create index game_sessions_of_type on game_sessions (app_id, type_key, created_at desc, id desc);
create index game_sessions_open on game_sessions (app_id, created_at desc, id desc) where status in ('active', 'paused');
create index game_sessions_paused on game_sessions (app_id, created_at desc, id desc) where status = 'paused';
create index game_sessions_completed on game_sessions (app_id, created_at desc, id desc) where status = 'completed';

-- Search by the beginning of one of the first three words, newest first among equal names.
create index game_sessions_word_1 on game_sessions (app_id, from_word(lower(name), 1) collate "C", created_at desc, id desc)
  where from_word(lower(name), 1) is not null;
create index game_sessions_word_2 on game_sessions (app_id, from_word(lower(name), 2) collate "C", created_at desc, id desc)
  where from_word(lower(name), 2) is not null;
create index game_sessions_word_3 on game_sessions (app_id, from_word(lower(name), 3) collate "C", created_at desc, id desc)
  where from_word(lower(name), 3) is not null;

comment on table game_sessions is
  'Game sessions of an app. Their status changes in move_session alone, which takes the lock that score writers '
  'share.';
comment on column game_sessions.type_key is 'The game type, or the nil UUID for the default game. No foreign key.';
comment on column game_sessions.open_until is
  'A session that was recorded after the fact is completed, and still accepts players and scores until then.';

create table session_players (
  app_id uuid not null,
  session_id uuid not null,
  player_id uuid not null,
  type_key uuid not null,
  score float8 not null default 0 check (score > '-Infinity' and score < 'Infinity'),
  scored_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (app_id, session_id, player_id),
  foreign key (app_id, session_id) references game_sessions,
  foreign key (app_id, player_id) references players (app_id, id)
) with (fillfactor = 80);
create index session_players_of_player on session_players (app_id, player_id, type_key);

comment on table session_players is
  'Players registered in a session, with their score. No index includes the score, so that writing one stays a HOT '
  'update.';
comment on column session_players.type_key is 'Copied from the session, so that recompute_best needs no join.';
comment on column session_players.score is
  '0 at registration, which does not rank until a score is written (scored_at).';
comment on column session_players.scored_at is 'When the current score was reached. Null if none was ever written.';

create table player_best (
  app_id uuid not null,
  type_key uuid not null,
  player_id uuid not null,
  score float8,
  rank_key float8,
  session_id uuid,
  achieved_at timestamptz,
  version bigint not null default 0,
  primary key (app_id, type_key, player_id),
  check ((rank_key is null) = (session_id is null) and (rank_key is null) = (score is null)),
  foreign key (app_id, player_id) references players (app_id, id)
) with (fillfactor = 80);
create index player_best_board on player_best (app_id, type_key, rank_key desc, achieved_at, player_id)
  where rank_key is not null;
create index player_best_of_player on player_best (app_id, player_id);
create index player_best_session on player_best (app_id, session_id) where session_id is not null;

comment on table player_best is
  'The best score of a player in each game type. Created at registration; score writers lock this row. The score is'
  ' null until one is written.';
comment on column player_best.rank_key is 'The score, negated where lower is better: a higher key ranks first.';
comment on column player_best.version is 'Incremented with every change of the best.';

-- Row counts -------------------------------------------------------------------------------------------------------------
-- Sessions are counted by app, and those that are not completed also under the app followed by " open".

create function note_rows_of_sessions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes
    select tg_table_name, scope, rows
      from (select app_id, count(*) as every, count(*) filter (where status <> 'completed') as open from added group by app_id) n,
           lateral (values (app_id::text, every), (app_id || ' open', open)) s (scope, rows)
     where rows > 0;
  else
    insert into row_count_changes
    select tg_table_name, scope, -rows
      from (select app_id, count(*) as every, count(*) filter (where status <> 'completed') as open from removed group by app_id) n,
           lateral (values (app_id::text, every), (app_id || ' open', open)) s (scope, rows)
     where rows > 0;
  end if;
  return null;
end $$;

create function note_session_change() returns trigger language plpgsql as $$
begin
  insert into row_count_changes
  values (tg_table_name, new.app_id || ' open', case when new.status = 'completed' then -1 else 1 end);
  return null;
end $$;

select count_rows('game_sessions');

-- Ranks in Redis -----------------------------------------------------------------------------------------------------------
-- Which boards in Redis are valid, and which processes write to them. Both tables are unlogged: when PostgreSQL crashes or a
-- standby takes over they are empty, and every board in Redis is invalid.

create unlogged table rank_generation (
  only_one boolean primary key default true check (only_one),
  generation uuid not null
);

comment on table rank_generation is
  'One row. A board in Redis is valid if it names this generation; a new generation invalidates all boards for '
  'every process.';

create unlogged table rank_processes (
  id uuid primary key,
  beat_at timestamptz not null default clock_timestamp(),
  is_out boolean not null default false,
  redis_since timestamptz,
  redis_at timestamptz
) with (fillfactor = 50);

comment on table rank_processes is
  'Processes that write scores. One that shuts down in order deletes its row. One whose heartbeat or connection is '
  'gone may have committed a score without writing it to Redis.';
comment on column rank_processes.is_out is
  'The process commits scores and does not write them to Redis. Nobody may load a board meanwhile.';
comment on column rank_processes.redis_since is
  'When the process first wrote its mark to Redis. With redis_at it shows that all processes use the same Redis.';
comment on column rank_processes.redis_at is 'When the process last wrote its mark to Redis.';

create function new_rank_generation() returns uuid language sql volatile as $$
  insert into rank_generation (generation) values (gen_random_uuid())
    on conflict (only_one) do update set generation = excluded.generation
    returning generation
$$;

-- A heartbeat: a process reports that it runs, and receives the valid generation and the number of other processes. It
-- removes processes that are gone: those without a connection, and those that missed beats while this one had its own (so
-- that nobody is taken for dead because the database itself stood still). The first process starts a new generation, because
-- it cannot know what was written while none kept ranks.
create function rank_beat(p_id uuid, p_is_out boolean, p_renew boolean, out generation uuid, out others int)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_before timestamptz;
  v_gone int;
begin
  select p.beat_at into v_before from rank_processes p where p.id = p_id;
  insert into rank_processes as p (id, is_out) values (p_id, p_is_out)
    on conflict (id) do update set beat_at = clock_timestamp(), is_out = excluded.is_out;
  delete from rank_processes p
   where p.id <> p_id
     and (p.beat_at < v_before - interval '5 seconds'
       or (p.beat_at < clock_timestamp() - interval '1 second'
         and not exists (select from pg_stat_activity a
                          where a.datname = current_database() and a.application_name = 'cairn-ranks ' || p.id)));
  get diagnostics v_gone = row_count;
  select count(*) into others from rank_processes p where p.id <> p_id;
  select g.generation into generation from rank_generation g;
  if p_renew or v_gone > 0 or generation is null or (v_before is null and others = 0) then
    generation := new_rank_generation();
  end if;
end $$;
