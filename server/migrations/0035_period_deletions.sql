-- needs 0032_period_boards.sql: an older release would not report changes of period boards to the rank indexes
-- Deleted scores, sessions and players on the boards of periods (0033_period_scores.sql).

-- Takes a deleted score of a session off the boards of the running periods. Boards of periods that ended do not change.
create function remove_from_periods(p_app uuid, p_type uuid, p_session uuid, p_player uuid)
returns jsonb language plpgsql volatile set enable_seqscan = off as $$
declare
  p record;
  v_new float8;
  v_version bigint;
  v_now timestamptz := clock_timestamp();
  v_moves jsonb := '[]';
begin
  for p in select x.board_key, x.starts_at, b.rank_key, coalesce(t.ascending, false) as ascending
             from period_boards x
             join period_best b on b.app_id = x.app_id and b.board_key = x.board_key and b.player_id = p_player
             left join mini_game_types t on t.app_id = x.app_id and t.id = x.type_key
            where x.app_id = p_app and x.type_key = p_type and x.closed_at is null
              and x.starts_at <= v_now and coalesce(x.ends_at, 'infinity') > v_now and b.session_id = p_session loop
    select r.new_best, r.version into v_new, v_version
      from recompute_period_best(p_app, p_type, p_player, p.board_key, p.starts_at, p.ascending) r;
    v_moves := v_moves || jsonb_build_object('board', p.board_key, 'from', p.rank_key, 'to', v_new, 'version', v_version);
  end loop;
  return nullif(v_moves, '[]');
end $$;

drop function remove_player_from_session(uuid, uuid, uuid);
create function remove_player_from_session(p_app uuid, p_session uuid, p_player uuid,
  out outcome text, out type_key uuid, out old_best float8, out new_best float8, out version bigint, out xid text, out periods jsonb)
language plpgsql volatile as $$
declare
  s record;
  b record;
begin
  perform pg_advisory_xact_lock_shared(uuid_hash_extended(p_session, 71));
  select g.type_key, coalesce(t.ascending, false) as ascending into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
  if not found then outcome := 'no_session'; return; end if;

  type_key := s.type_key;
  select * into b from player_best pb
   where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = p_player
     for update;
  if not found then outcome := 'not_registered'; return; end if;
  delete from session_players sp where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player;
  if not found then outcome := 'not_registered'; return; end if;

  outcome := 'ok';
  old_best := b.rank_key;
  new_best := b.rank_key;
  version := b.version;
  if b.session_id = p_session then
    select r.new_best, r.version into new_best, version from recompute_best(p_app, s.type_key, p_player, s.ascending) r;
  end if;
  periods := remove_from_periods(p_app, s.type_key, p_session, p_player);
  xid := pg_current_xact_id()::text;
end $$;

-- Deletes a session with its scores. Returns the players whose best was in it; type_key is the board, also of a period.
create or replace function delete_session(p_app uuid, p_session uuid)
returns table (player_id uuid, type_key uuid, old_best float8, new_best float8, version bigint, xid text)
language plpgsql volatile as $$
declare
  s record;
  b record;
  v_now timestamptz;
  v_players uuid[];
begin
  perform pg_advisory_xact_lock(uuid_hash_extended(p_session, 71));
  select g.type_key, coalesce(t.ascending, false) as ascending into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session
     for update of g;
  if not found then return; end if;

  -- every best of this session's players, in player order: nobody can move one until this commits
  perform 1 from player_best pb
   where pb.app_id = p_app and pb.type_key = s.type_key
     and pb.player_id in (
       select sp.player_id from session_players sp where sp.app_id = p_app and sp.session_id = p_session)
   order by pb.app_id, pb.player_id, pb.type_key
     for update of pb;
  with gone as (delete from session_players sp where sp.app_id = p_app and sp.session_id = p_session returning sp.player_id)
  select array_agg(g.player_id) into v_players from gone g;
  xid := pg_current_xact_id()::text;
  type_key := s.type_key;
  for b in select pb.player_id, pb.rank_key from player_best pb
            where pb.app_id = p_app and pb.type_key = s.type_key and pb.session_id = p_session loop
    player_id := b.player_id;
    old_best := b.rank_key;
    select r.new_best, r.version into new_best, version
      from recompute_best(p_app, s.type_key, b.player_id, s.ascending) r;
    return next;
  end loop;
  v_now := clock_timestamp();
  for b in select pb.player_id, pb.rank_key, x.board_key, x.starts_at
             from period_boards x
             join period_best pb on pb.app_id = p_app and pb.board_key = x.board_key and pb.player_id = any (v_players)
            where x.app_id = p_app and x.type_key = s.type_key and x.closed_at is null
              and x.starts_at <= v_now and coalesce(x.ends_at, 'infinity') > v_now and pb.session_id = p_session loop
    player_id := b.player_id;
    type_key := b.board_key;
    old_best := b.rank_key;
    select r.new_best, r.version into new_best, version
      from recompute_period_best(p_app, s.type_key, b.player_id, b.board_key, b.starts_at, s.ascending) r;
    return next;
  end loop;
  delete from game_sessions g where g.app_id = p_app and g.id = p_session;
end $$;

-- Deletes a player with all scores, including those of periods that have ended. Returns the former bests; type_key is the
-- board. FOR NO KEY UPDATE keeps out registrations, and not the foreign
-- key checks of score writers, which would wait for this transaction while it waits for them.
create or replace function delete_player(p_app uuid, p_player uuid)
returns table (type_key uuid, old_best float8, version bigint, xid text)
language plpgsql volatile as $$
begin
  perform 1 from players p where p.app_id = p_app and p.id = p_player for no key update;
  perform 1 from player_best pb
   where pb.app_id = p_app and pb.player_id = p_player
   order by pb.app_id, pb.player_id, pb.type_key
     for update;
  delete from session_players sp where sp.app_id = p_app and sp.player_id = p_player;
  return query
  delete from player_best pb where pb.app_id = p_app and pb.player_id = p_player
  returning pb.type_key, pb.rank_key, pb.version + 1, pg_current_xact_id()::text;
  return query
  delete from period_best pb using period_boards x
   where x.app_id = p_app and pb.app_id = p_app and pb.board_key = x.board_key and pb.player_id = p_player
  returning pb.board_key, pb.rank_key, pb.version + 1, pg_current_xact_id()::text;
  delete from players p where p.app_id = p_app and p.id = p_player;
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
          'submittedBy', t.submitted_by, 'timeZone', t.time_zone) end)
    || case g.status when 'paused' then '{"paused": true}'::jsonb else '{}'::jsonb end, null)
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
end $$;
