-- Functions that register and remove players, change and delete sessions, and the events of sessions.
-- Lock order: see 0012_scores.sql.

-- Registers a player in a session that is not completed. Returns ok, again (was registered), no_session, no_player or
-- not_running.
create function register_player(p_app uuid, p_session uuid, p_player uuid) returns text language plpgsql volatile as $$
declare
  s record;
begin
  perform pg_advisory_xact_lock_shared(uuid_hash_extended(p_session, 71));
  select g.type_key, g.status, g.open_until into s from game_sessions g where g.app_id = p_app and g.id = p_session;
  if not found then return 'no_session'; end if;

  -- FOR SHARE waits for delete_player's FOR NO KEY UPDATE; the foreign keys' FOR KEY SHARE does not
  perform 1 from players p where p.app_id = p_app and p.id = p_player for share;
  if not found then return 'no_player'; end if;

  if s.status = 'completed' and coalesce(s.open_until <= clock_timestamp(), true) then
    perform 1 from session_players sp where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player;
    return case when found then 'again' else 'not_running' end;
  end if;

  insert into player_best (app_id, type_key, player_id) values (p_app, s.type_key, p_player) on conflict do nothing;
  -- locked even if it existed: a concurrent removal must wait
  perform 1 from player_best b where b.app_id = p_app and b.type_key = s.type_key and b.player_id = p_player for update;
  insert into session_players (app_id, session_id, player_id, type_key)
    values (p_app, p_session, p_player, s.type_key)
    on conflict do nothing;
  return case when found then 'ok' else 'again' end;
end $$;

-- Changes the status: active and paused to each other, either to completed, which is final. The current status is accepted
-- and changes nothing. Returns ok, no_session or completed_already.
create function move_session(p_app uuid, p_session uuid, p_status text) returns text language plpgsql volatile as $$
declare
  v_status text;
begin
  perform pg_advisory_xact_lock(uuid_hash_extended(p_session, 71));
  select g.status into v_status from game_sessions g where g.app_id = p_app and g.id = p_session for update;
  if not found then return 'no_session'; end if;
  if v_status = p_status then return 'ok'; end if;
  if v_status = 'completed' then return 'completed_already'; end if;
  -- the clock is read here, after the lock: no score is later than the end
  update game_sessions g
     set status = p_status,
         end_time = case when p_status = 'completed' then clock_timestamp() end,
         updated_at = clock_timestamp()
   where g.app_id = p_app and g.id = p_session;
  return 'ok';
end $$;

create function remove_player_from_session(p_app uuid, p_session uuid, p_player uuid,
  out outcome text, out type_key uuid, out old_best float8, out new_best float8, out version bigint, out xid text)
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
  xid := pg_current_xact_id()::text;
end $$;

-- Deletes a session with its scores. Returns the players whose best was in it.
create function delete_session(p_app uuid, p_session uuid)
returns table (player_id uuid, type_key uuid, old_best float8, new_best float8, version bigint, xid text)
language plpgsql volatile as $$
declare
  s record;
  b record;
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
  delete from session_players sp where sp.app_id = p_app and sp.session_id = p_session;
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
  delete from game_sessions g where g.app_id = p_app and g.id = p_session;
end $$;

-- Deletes a player with all scores. Returns the former bests. FOR NO KEY UPDATE keeps out registrations, and not the foreign
-- key checks of score writers, which would wait for this transaction while it waits for them.
create function delete_player(p_app uuid, p_player uuid)
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
  delete from players p where p.app_id = p_app and p.id = p_player;
end $$;

-- Webhook events game_session.created and game_session.completed -----------------------------------------------------------

create function publish_session(p_app uuid, p_session uuid, p_type text) returns void language plpgsql volatile as $$
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
          'minScore', t.min_score, 'maxScore', t.max_score) end)
    || case g.status when 'paused' then '{"paused": true}'::jsonb else '{}'::jsonb end, null)
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
end $$;

create function publish_new_session() returns trigger language plpgsql as $$
begin
  perform publish_session(new.app_id, new.id, 'game_session.created');
  -- A session that is recorded after the fact.
  if new.status = 'completed' then perform publish_session(new.app_id, new.id, 'game_session.completed'); end if;
  return null;
end $$;
create trigger game_sessions_told after insert on game_sessions for each row execute function publish_new_session();

-- Deferred to the end of the transaction, which may change the name of the session too.
create function publish_completed_session() returns trigger language plpgsql as $$
begin
  perform publish_session(new.app_id, new.id, 'game_session.completed');
  return null;
end $$;
create constraint trigger game_sessions_completed after update of status on game_sessions
  deferrable initially deferred
  for each row when (new.status = 'completed' and old.status <> 'completed') execute function publish_completed_session();
