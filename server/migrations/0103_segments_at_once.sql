-- needs 0090_many_segment_moves.sql: it replaces refresh_segments
-- Segments of many players at once: the copies of all rows and their moves in one statement, instead of some statements of a
-- trigger for each row.

alter table mini_game_types add column segments_changed_at timestamptz;
comment on column mini_game_types.segments_changed_at is
  'When segments was last changed. Players are sorted into them on the boards of all periods that had not ended by then.';

-- Sets the segments of some players on the boards of a type that had not ended at p_since, in the order of the players. Waits
-- for writers of their scores, with the locks, copies and moves of 0050_segments.sql. cairn.segments_at_once tells the
-- triggers to leave them to it.
create function refresh_segments_since(p_app uuid, p_type uuid, p_players uuid[], p_since timestamptz) returns void
language plpgsql volatile set enable_seqscan = off set cairn.segments_at_once = 'on' as $$
declare
  v_since timestamptz;
  v_names text[];
  v_moves text;
begin
  perform 1 from player_best b
   where b.app_id = p_app and b.type_key = p_type and b.player_id = any (p_players)
   order by b.player_id for update;
  v_since := coalesce(p_since, clock_timestamp());
  v_names := (select t.segments from mini_game_types t where t.app_id = p_app and t.id = p_type);
  with due as materialized (
    select b.player_id, b.segments as old,
           (select array_agg(n || ':' || (a.attributes ->> n) order by n)
              from player_attributes a cross join unnest(v_names) n
             where a.app_id = p_app and a.player_id = b.player_id and a.attributes ? n) as new
      from player_best b
     where b.app_id = p_app and b.type_key = p_type and b.player_id = any (p_players)),
  due_of_periods as materialized (
    select y.board_key, y.player_id, y.segments as old, d.new
      from period_boards x
      join period_best y on y.app_id = p_app and y.board_key = x.board_key and y.player_id = any (p_players)
      join due d on d.player_id = y.player_id
     where x.app_id = p_app and x.type_key = p_type and x.closed_at is null and coalesce(x.ends_at, 'infinity') > v_since
       and y.segments is distinct from d.new),
  of_type as (
    update player_best b set segments = d.new, version = b.version + 1
      from due d
     where b.app_id = p_app and b.type_key = p_type and b.player_id = any (p_players) and b.player_id = d.player_id
       and d.old is distinct from d.new
    returning b.type_key as board_key, b.player_id, d.old, d.new, b.score, b.rank_key, b.session_id, b.achieved_at,
              null::timestamptz as joined_at, null::timestamptz as written_at, null::json as metadata, b.version),
  of_periods as (
    update period_best y set segments = d.new, version = y.version + 1
      from due_of_periods d
     where y.app_id = p_app and y.board_key = d.board_key and y.player_id = any (p_players) and y.player_id = d.player_id
    returning y.board_key, y.player_id, d.old, d.new, y.score, y.rank_key, y.session_id, y.achieved_at, y.joined_at,
              y.written_at, y.metadata, y.version),
  moved as materialized (
    select m.* from (select * from of_type union all select * from of_periods) m where m.rank_key is not null),
  copied as (
    insert into segment_best as y
    select p_app, segment_key(m.board_key, s), m.player_id, m.score, m.rank_key, m.session_id, m.achieved_at, m.joined_at,
           m.written_at, m.metadata, m.version
      from moved m cross join unnest(m.new) s
     order by m.player_id, 2
    on conflict (app_id, board_key, player_id) do update
      set score = excluded.score, rank_key = excluded.rank_key, session_id = excluded.session_id,
          achieved_at = excluded.achieved_at, joined_at = excluded.joined_at, written_at = excluded.written_at,
          metadata = excluded.metadata, version = excluded.version),
  gone as (  -- looked up row by row: a plan from when the table was small would read all of it
    delete from segment_best y
     where y.ctid = any (array(
       select z.ctid from moved m cross join unnest(m.old) s
        cross join lateral (
          select k.ctid from segment_best k
           where k.app_id = p_app and k.board_key = segment_key(m.board_key, s) and k.player_id = m.player_id offset 0) z
        where s <> all (coalesce(m.new, '{}')))))
  select string_agg(json_build_object('appId', p_app, 'boardKey', segment_key(m.board_key, s), 'playerId', m.player_id,
           'from', case when s = any (m.old) then m.rank_key end, 'to', case when s = any (m.new) then m.rank_key end,
           'version', m.version, 'xid', pg_current_xact_id()::text::bigint)::text, ',')
    into v_moves
    from moved m cross join lateral (select unnest(m.old) union select unnest(m.new)) u(s);
  if v_moves is not null then
    perform add_segment_moves(v_moves);
  end if;
end $$;

-- On the running boards of a type.
create or replace function refresh_segments(p_app uuid, p_type uuid, p_players uuid[]) returns void language sql volatile
as 'select refresh_segments_since(p_app, p_type, p_players, null)';

-- As in 0050_segments.sql, but for refresh_segments_since.
create or replace trigger player_best_segments after update on player_best for each row
  when ((old.segments is not null or new.segments is not null)
        and current_setting('cairn.segments_at_once', true) is distinct from 'on')
  execute function move_segments_of_type();
create or replace trigger period_best_segments after update on period_best for each row
  when ((old.segments is not null or new.segments is not null)
        and current_setting('cairn.segments_at_once', true) is distinct from 'on')
  execute function move_segments_of_period();
