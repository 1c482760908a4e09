-- needs 0090_many_segment_moves.sql: of many moves of segments, an older release reads only the last ones
-- What one transaction does to the boards of segments, without copying all of it for each row: the setting
-- cairn.segment_moves has the last moves. When it is full, it becomes cairn.segment_moves_1, then _2 and so on, as many as
-- cairn.segment_moves_full says.

-- Adds moves, as JSON objects, to those of the transaction.
create function add_segment_moves(p_moves text) returns void language plpgsql volatile as $$
declare
  v_last text := nullif(current_setting('cairn.segment_moves', true), '');
  v_full int;
begin
  if octet_length(v_last) > 65536 then
    v_full := coalesce(nullif(current_setting('cairn.segment_moves_full', true), '')::int, 0) + 1;
    perform set_config('cairn.segment_moves_full', v_full::text, true);
    perform set_config('cairn.segment_moves_' || v_full, v_last, true);
    v_last := null;
  end if;
  perform set_config('cairn.segment_moves', concat_ws(',', v_last, p_moves), true);
end $$;

-- All moves of the transaction so far, as JSON objects; empty if there are none.
create function segment_moves() returns text language sql volatile as $$
  select concat_ws(',',
    (select string_agg(current_setting('cairn.segment_moves_' || n), ',' order by n)
       from generate_series(1, nullif(current_setting('cairn.segment_moves_full', true), '')::int) n),
    nullif(current_setting('cairn.segment_moves', true), ''))
$$;

-- As in 0050_segments.sql, with add_segment_moves.
create or replace function move_segments(p_app uuid, p_board uuid, p_player uuid, p_old text[], p_from float8, p_new text[], p_row segment_best)
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
    perform add_segment_moves(v_moves);
  end if;
end $$;
