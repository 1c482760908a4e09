-- needs 0050_segments.sql: an older release would not report changes of segments to the rank indexes
-- Segments: leaderboards of the players whose attribute has one value, such as country:DE.
--
-- A type declares which attributes make segments. player_best.segments and period_best.segments list those of the player,
-- under the lock of the player's best, as all columns of these rows. Triggers keep segment_best by it: a copy of each ranked row for each
-- of its segments. Rows without segments cost one check of a null. What the triggers changed is told to the rank indexes by the
-- setting cairn.segment_moves of the transaction, which the statements of score-repository.ts return.
-- Boards of periods that have ended keep the segments of then.

-- Not a column of players: wider rows change what PostgreSQL estimates before a table is analyzed (0038_player_standing.sql).
create table player_attributes (
  app_id uuid not null,
  player_id uuid not null,
  attributes jsonb not null,
  primary key (app_id, player_id),
  foreign key (app_id, player_id) references players (app_id, id) on delete cascade
);
comment on table player_attributes is 'Texts by name, such as country and team. A player without attributes has no row.';

alter table mini_game_types
  add column segments text[] not null default '{}',
  add column are_segments_ready boolean not null default true;
comment on column mini_game_types.segments is 'The names of the attributes whose values have leaderboards of their own.';
comment on column mini_game_types.are_segments_ready is
  'False after segments was changed, until the bests of all players have their segments.';
create index mini_game_types_unready on mini_game_types (app_id, id) where not are_segments_ready;

alter table player_best add column segments text[];
alter table period_best add column segments text[];
comment on column player_best.segments is
  'The player''s segments of this type, as name:value. Null: none. Such rows have copies in segment_best.';
comment on column period_best.segments is 'As in player_best; of a period that has ended, as they were then.';

create table segment_best (
  app_id uuid not null,
  board_key uuid not null,
  player_id uuid not null,
  score float8 not null,
  rank_key float8 not null,
  session_id uuid not null,
  achieved_at timestamptz,
  joined_at timestamptz,
  written_at timestamptz,
  metadata json,
  version bigint not null,
  primary key (app_id, board_key, player_id)
) with (fillfactor = 80);
create index segment_best_board on segment_best (app_id, board_key, rank_key desc, achieved_at, player_id);

comment on table segment_best is
  'The leaderboards of segments: the rows of player_best and period_best that have a score, once for each segment.';
comment on column segment_best.board_key is 'See segment_key.';
comment on column segment_best.joined_at is 'With written_at and metadata: only of periods, as in period_best.';

create or replace view board_keys as
  select app_id, type_key as board_key, player_id, rank_key, version from player_best
  union all
  select app_id, board_key, player_id, rank_key, version from period_best
  union all
  select app_id, board_key, player_id, rank_key, version from segment_best;

-- The key of a segment's board. The service computes the same (segment.ts).
create function segment_key(p_board uuid, p_segment text) returns uuid language sql immutable strict
return md5(p_board::text || ' ' || p_segment)::uuid;

-- The segments of a player on the boards of a type; null if there are none.
create function segments_of(p_app uuid, p_type uuid, p_player uuid) returns text[]
language sql stable set enable_seqscan = off as $$
  select array_agg(s.name || ':' || (a.attributes ->> s.name) order by s.name)
    from player_attributes a
    join mini_game_types t on t.app_id = a.app_id and t.id = p_type
   cross join lateral unnest(t.segments) s(name)
   where a.app_id = p_app and a.player_id = p_player and a.attributes ? s.name
$$;

-- Changes the copies of one row of a board, from what it was to what it is, and adds the moves to cairn.segment_moves.
create function move_segments(p_app uuid, p_board uuid, p_player uuid, p_old text[], p_from float8, p_new text[], p_row segment_best)
returns void language plpgsql volatile set enable_seqscan = off as $$
declare
  v_moves text;
begin
  if p_from is null then p_old := null; end if;
  if p_row.rank_key is null then p_new := null; end if;
  delete from segment_best y
   where y.app_id = p_app and y.player_id = p_player
     and y.board_key in (select segment_key(p_board, s) from unnest(p_old) s where s <> all (coalesce(p_new, '{}')));
  insert into segment_best as y
  select p_app, segment_key(p_board, s), p_player, p_row.score, p_row.rank_key, p_row.session_id, p_row.achieved_at,
         p_row.joined_at, p_row.written_at, p_row.metadata, p_row.version
    from unnest(p_new) s
   order by 2
  on conflict (app_id, board_key, player_id) do update
    set score = excluded.score, rank_key = excluded.rank_key, session_id = excluded.session_id,
        achieved_at = excluded.achieved_at, joined_at = excluded.joined_at, written_at = excluded.written_at,
        metadata = excluded.metadata, version = excluded.version;
  select string_agg(json_build_object('appId', p_app, 'boardKey', segment_key(p_board, s), 'playerId', p_player,
           'from', case when s = any (p_old) then p_from end, 'to', case when s = any (p_new) then p_row.rank_key end,
           'version', p_row.version, 'xid', pg_current_xact_id()::text::bigint)::text, ',')
    into v_moves
    from (select unnest(p_old) union select unnest(p_new)) m(s);
  if v_moves is not null then
    perform set_config('cairn.segment_moves',
      concat_ws(',', nullif(current_setting('cairn.segment_moves', true), ''), v_moves), true);
  end if;
end $$;

create function move_segments_of_type() returns trigger language plpgsql as $$
declare
  v_row segment_best;
begin
  if tg_op = 'DELETE' then
    v_row.version := old.version + 1;
    perform move_segments(old.app_id, old.type_key, old.player_id, old.segments, old.rank_key, null, v_row);
  else
    v_row.score := new.score;
    v_row.rank_key := new.rank_key;
    v_row.session_id := new.session_id;
    v_row.achieved_at := new.achieved_at;
    v_row.version := new.version;
    perform move_segments(new.app_id, new.type_key, new.player_id, old.segments, old.rank_key, new.segments, v_row);
  end if;
  return null;
end $$;
create trigger player_best_segments after update on player_best for each row
  when (old.segments is not null or new.segments is not null) execute function move_segments_of_type();
create trigger player_best_segments_left after delete on player_best for each row
  when (old.segments is not null) execute function move_segments_of_type();

create function move_segments_of_period() returns trigger language plpgsql as $$
declare
  v_row segment_best;
begin
  if tg_op = 'DELETE' then
    v_row.version := old.version + 1;
    perform move_segments(old.app_id, old.board_key, old.player_id, old.segments, old.rank_key, null, v_row);
  else
    v_row.score := new.score;
    v_row.rank_key := new.rank_key;
    v_row.session_id := new.session_id;
    v_row.achieved_at := new.achieved_at;
    v_row.joined_at := new.joined_at;
    v_row.written_at := new.written_at;
    v_row.metadata := new.metadata;
    v_row.version := new.version;
    perform move_segments(new.app_id, new.board_key, new.player_id, old.segments, old.rank_key, new.segments, v_row);
  end if;
  return null;
end $$;
create trigger period_best_segments_new after insert on period_best for each row
  when (new.segments is not null) execute function move_segments_of_period();
create trigger period_best_segments after update on period_best for each row
  when (old.segments is not null or new.segments is not null) execute function move_segments_of_period();
create trigger period_best_segments_left after delete on period_best for each row
  when (old.segments is not null) execute function move_segments_of_period();

-- A player that is registered has no score yet. Whoever registers it holds its row in players, as set_attributes does.
create function find_segments() returns trigger language plpgsql as $$
begin
  new.segments := segments_of(new.app_id, new.type_key, new.player_id);
  return new;
end $$;
create trigger player_best_registered before insert on player_best for each row execute function find_segments();

-- Also sets the segments of a new row: those of the player's best of the type, whose lock the writer holds.
create or replace function hide_period_best() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    new.segments := (select b.segments from period_boards x
                       join player_best b on b.app_id = x.app_id and b.type_key = x.type_key and b.player_id = new.player_id
                      where x.app_id = new.app_id and x.board_key = new.board_key);
    if not exists (select from players p
                    where p.app_id = new.app_id and p.id = new.player_id and p.standing <> 'normal') then
      return new;
    end if;
    new.version := new.version - 4503599627370496;
  end if;
  new.score := null;
  new.rank_key := null;
  new.session_id := null;
  new.achieved_at := null;
  new.joined_at := null;
  new.written_at := null;
  new.metadata := null;
  return new;
end $$;

-- Sets the segments of some players on the running boards of a type, in the order of the players. Waits for writers of their scores.
create function refresh_segments(p_app uuid, p_type uuid, p_players uuid[]) returns void
language plpgsql volatile set enable_seqscan = off as $$
declare
  v_now timestamptz;
begin
  perform 1 from player_best b
   where b.app_id = p_app and b.type_key = p_type and b.player_id = any (p_players)
   order by b.player_id for update;
  v_now := clock_timestamp();
  update player_best b set segments = segments_of(p_app, p_type, b.player_id), version = b.version + 1
   where b.app_id = p_app and b.type_key = p_type and b.player_id = any (p_players)
     and b.segments is distinct from segments_of(p_app, p_type, b.player_id);
  update period_best y set segments = b.segments, version = y.version + 1
    from period_boards x, player_best b
   where x.app_id = p_app and x.type_key = p_type and x.closed_at is null and coalesce(x.ends_at, 'infinity') > v_now
     and b.app_id = p_app and b.type_key = p_type and b.player_id = any (p_players)
     and y.app_id = p_app and y.board_key = x.board_key and y.player_id = b.player_id
     and y.segments is distinct from b.segments;
end $$;

-- Replaces all attributes of a player; null removes them. Returns whether the player exists.
create function set_attributes(p_app uuid, p_player uuid, p_attributes jsonb) returns boolean
language plpgsql volatile as $$
declare
  v_type uuid;
begin
  update players p set updated_at = clock_timestamp() where p.app_id = p_app and p.id = p_player;
  if not found then return false; end if;
  if p_attributes is null then
    delete from player_attributes a where a.app_id = p_app and a.player_id = p_player;
  else
    insert into player_attributes as a (app_id, player_id, attributes) values (p_app, p_player, p_attributes)
    on conflict (app_id, player_id) do update set attributes = excluded.attributes;
  end if;
  for v_type in select b.type_key from player_best b where b.app_id = p_app and b.player_id = p_player order by 1 loop
    perform refresh_segments(p_app, v_type, array[p_player]);
  end loop;
  return true;
end $$;

-- Mini game types in events have all members.
create or replace function publish_session(p_app uuid, p_session uuid, p_type text) returns void language plpgsql volatile as $$
begin
  if not has_webhook(p_app, p_type) then return; end if;
  perform publish_event(p_app, null, p_type, g.id::text,
    jsonb_build_object('id', g.id, 'name', g.name, 'description', g.description,
      'status', case g.status when 'completed' then 'COMPLETED' else 'ACTIVE' end,
      'startTime', api_moment(g.start_time), 'endTime', api_moment(g.end_time),
      'createdAt', api_moment(g.created_at), 'updatedAt', api_moment(g.updated_at),
      'playerCount', (select count(*) from session_players sp where sp.app_id = g.app_id and sp.session_id = g.id),
      'miniGameType', case when t.id is not null then
        jsonb_build_object('id', t.id, 'name', t.name, 'description', t.description, 'imageUrl', t.image_url,
          'createdAt', api_moment(t.created_at), 'sortOrder', case when t.ascending then 'asc' else 'desc' end,
          'minScore', t.min_score, 'maxScore', t.max_score,
          'submittedBy', t.submitted_by, 'timeZone', t.time_zone,
          'historyDays', t.history_days, 'rules', t.rules, 'segments', t.segments) end)
    || case g.status when 'paused' then '{"paused": true}'::jsonb else '{}'::jsonb end, null)
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
end $$;
