-- Functions that write scores.
--
-- Callers use READ COMMITTED and call one function in a statement. Each statement inside a function takes a new snapshot, so
-- that what is read after a lock is what its last holder committed. (One statement with several CTEs has a single snapshot
-- and would compute wrong bests.) For the same reason a lock and the read that it protects are two statements.
--
-- Lock order, also in 0013_game_sessions.sql:
--   session (advisory), type (first score only), player, player_best by (app, player, type), session_players
--
-- The advisory lock of a session (key: its id hashed with seed 71) is shared by those who write scores or register, and
-- exclusive for those who change its status or delete it.
--
-- old_best and new_best are rank keys. xid is the top-level transaction: compared with the snapshot in which a board was
-- loaded, it tells whether the board already includes the change.

-- Computes the best of a player from the current scores. The caller holds the player_best row.
create function recompute_best(p_app uuid, p_type uuid, p_player uuid, p_ascending boolean,
  out new_best float8, out version bigint)
language plpgsql volatile as $$
declare
  x record;
begin
  select sp.score, sp.session_id, sp.scored_at, case when p_ascending then 0 - sp.score else sp.score end as rank_key into x
    from session_players sp
   where sp.app_id = p_app and sp.player_id = p_player and sp.type_key = p_type and sp.scored_at is not null
   order by 4 desc, sp.scored_at, sp.session_id
   limit 1;
  update player_best b
     set score = x.score, rank_key = x.rank_key, session_id = x.session_id, achieved_at = x.scored_at, version = b.version + 1
   where b.app_id = p_app and b.type_key = p_type and b.player_id = p_player
  returning b.rank_key, b.version into new_best, version;
end $$;

-- Writes the score.updated event of the current score. Its subject is the player, so that receivers get scores in the order
-- of the player's other events: whoever writes a score holds the player's best.
create function publish_score(p_app uuid, p_session uuid, p_player uuid) returns void language plpgsql volatile as $$
begin
  perform publish_event(p_app, null, 'score.updated', p_player::text,
    jsonb_build_object('gameSessionId', sp.session_id, 'score', sp.score, 'createdAt', api_moment(sp.created_at),
      'updatedAt', api_moment(sp.updated_at), 'playerId', p.id, 'displayName', p.display_name, 'imageUrl', p.image_url,
      'user', case when u.id is not null then jsonb_build_object('id', u.id, 'username', u.username) end), u.id)
    from session_players sp
    join players p on p.app_id = sp.app_id and p.id = sp.player_id
    left join users u on u.id = p.user_id
   where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player;
end $$;

-- Writes the events of many scores, with two statements, so that row counts change once for each endpoint. No player of an
-- app may be named twice.
create function publish_scores(p_app uuid[], p_session uuid[], p_player uuid[]) returns void language plpgsql volatile as $$
begin
  with told as materialized (
    select e.app_id, array_agg(e.id order by e.id) as endpoints from webhook_endpoints e
     where e.app_id = any (p_app) and e.enabled and 'score.updated' = any (e.event_types) group by e.app_id),
  events as materialized (
    select new_event_id() as id, sp.app_id, t.endpoints, p.id::text as subject, u.id as about,
           jsonb_build_object('gameSessionId', sp.session_id, 'score', sp.score, 'createdAt', api_moment(sp.created_at),
             'updatedAt', api_moment(sp.updated_at), 'playerId', p.id, 'displayName', p.display_name, 'imageUrl', p.image_url,
             'user', case when u.id is not null then jsonb_build_object('id', u.id, 'username', u.username) end) as data
      from unnest(p_app, p_session, p_player) i(app, session, player)
      join told t on t.app_id = i.app
      join session_players sp on sp.app_id = i.app and sp.session_id = i.session and sp.player_id = i.player
      join players p on p.app_id = i.app and p.id = i.player
      left join users u on u.id = p.user_id),
  kept as (insert into webhook_events (id, subject, endpoints, data) select id, subject, endpoints, data from events)
  insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, user_id, bytes)
  select e.app_id, t.endpoint, e.id, 'score.updated', e.subject, e.about, pg_column_size(e.data)
    from events e, unnest(e.endpoints) t(endpoint) order by t.endpoint, e.subject;
end $$;

-- Writes one score of a registered player.
-- outcome: ok, no_session, not_running, out_of_bounds, not_registered. Only ok has changed anything.
create function save_score(p_app uuid, p_session uuid, p_player uuid, p_score float8,
  out outcome text, out type_key uuid, out old_best float8, out new_best float8, out version bigint, out xid text,
  out created_at timestamptz, out updated_at timestamptz)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  s record;
  b record;
  v_now timestamptz;
  v_at timestamptz;
  v_key float8;
begin
  p_score := p_score + 0.0;  -- −0 becomes 0
  perform pg_advisory_xact_lock_shared(uuid_hash_extended(p_session, 71));
  select g.type_key, g.status, g.open_until, coalesce(t.ascending, false) as ascending, t.min_score, t.max_score,
         coalesce(t.scored, true) as scored,
         exists (select from webhook_endpoints e
                  where e.app_id = p_app and e.enabled and 'score.updated' = any (e.event_types)) as is_told
    into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
  if not found then outcome := 'no_session'; return; end if;
  if s.status <> 'active' and coalesce(s.open_until <= clock_timestamp(), true) then outcome := 'not_running'; return; end if;
  if p_score < s.min_score or p_score > s.max_score then outcome := 'out_of_bounds'; return; end if;

  if not s.scored then  -- the first score of a type fixes its sort order
    update mini_game_types t set scored = true where t.app_id = p_app and t.id = s.type_key and not t.scored;
    select t.ascending into s.ascending from mini_game_types t where t.app_id = p_app and t.id = s.type_key;
  end if;

  type_key := s.type_key;
  select pb.rank_key, pb.session_id, pb.achieved_at, pb.version into b
    from player_best pb
   where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = p_player
     for update;
  if not found then outcome := 'not_registered'; return; end if;

  v_now := clock_timestamp();  -- after the lock: later than everything committed under it
  update session_players sp
     set score = p_score,
         -- a score dates from when its value was reached: writing the same value again does not change that
         scored_at = case when sp.scored_at is not null and sp.score = p_score then sp.scored_at else v_now end,
         updated_at = v_now
   where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player
  returning sp.scored_at, sp.created_at, sp.updated_at into v_at, created_at, updated_at;
  if not found then outcome := 'not_registered'; return; end if;
  if s.is_told then perform publish_score(p_app, p_session, p_player); end if;

  outcome := 'ok';
  old_best := b.rank_key;
  new_best := b.rank_key;
  version := b.version;
  xid := pg_current_xact_id()::text;
  v_key := case when s.ascending then 0 - p_score else p_score end;
  if b.rank_key is null or v_key > b.rank_key
     or (v_key = b.rank_key and b.session_id <> p_session and (v_at, p_session) < (b.achieved_at, b.session_id)) then
    update player_best pb
       set score = p_score, rank_key = v_key, session_id = p_session, achieved_at = v_at, version = pb.version + 1
     where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = p_player
    returning pb.version into version;
    new_best := v_key;
  elsif b.session_id = p_session and v_key < b.rank_key then  -- the best itself got worse: compute it again, in a new snapshot
    select r.new_best, r.version into new_best, version from recompute_best(p_app, s.type_key, p_player, s.ascending) r;
  end if;
end $$;

-- Locks everything that a group of scores writes, in lock order. The arrays may come in any order.
create function lock_for_scores(p_app uuid[], p_session uuid[], p_player uuid[]) returns void language plpgsql volatile as $$
declare
  k bigint;
  t record;
begin
  for k in select distinct uuid_hash_extended(s, 71) from unnest(p_session) s order by 1 loop
    perform pg_advisory_xact_lock_shared(k);
  end loop;
  for t in select distinct m.app_id, m.id
             from unnest(p_app, p_session) i(app, session)
             join game_sessions g on g.app_id = i.app and g.id = i.session
             join mini_game_types m on m.app_id = g.app_id and m.id = g.type_key
            where not m.scored
            order by 1, 2 loop
    update mini_game_types m set scored = true where m.app_id = t.app_id and m.id = t.id and not m.scored;
  end loop;
  perform 1
     from player_best b
    where (b.app_id, b.type_key, b.player_id) in (
            select i.app, g.type_key, i.player
              from unnest(p_app, p_session, p_player) i(app, session, player)
              join game_sessions g on g.app_id = i.app and g.id = i.session)
    order by b.app_id, b.player_id, b.type_key
      for update of b;
end $$;

-- Writes the scores of many requests in one transaction: one outcome for each item (n is its position, from 1), as save_score
-- would give it. Items of the same player are applied in the order of the arrays, in waves of one item for each player.
create function save_scores_group(p_app uuid[], p_session uuid[], p_player uuid[], p_score float8[])
returns table (n int, outcome text, type_key uuid, old_best float8, new_best float8, version bigint, xid text,
  created_at timestamptz, updated_at timestamptz)
language plpgsql volatile rows 32 as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_xid text;
  v_wave int[];
  v_waves int;
  v_done int[];
  w int;
  v_told uuid[];
begin
  perform lock_for_scores(p_app, p_session, p_player);
  v_now := clock_timestamp();  -- after the locks: later than every committed best
  v_xid := pg_current_xact_id()::text;
  v_told := array(select e.app_id from webhook_endpoints e
                   where e.app_id = any (p_app) and e.enabled and 'score.updated' = any (e.event_types));
  select array_agg(q.k order by q.i), max(q.k) into v_wave, v_waves
    from (select i.i, row_number() over (partition by i.app, i.player order by i.i) as k
            from unnest(p_app, p_player) with ordinality i(app, player, i)) q;

  for w in 1..coalesce(v_waves, 0) loop
    with d as (
      update session_players sp
         set score = i.score + 0.0,
             scored_at = case when sp.scored_at is not null and sp.score = i.score then sp.scored_at else v_now end,
             updated_at = v_now
        from unnest(p_app, p_session, p_player, p_score, v_wave) with ordinality i(app, session, player, score, wave, i)
        join game_sessions g on g.app_id = i.app and g.id = i.session
        left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
       where i.wave = w and sp.app_id = i.app and sp.session_id = i.session and sp.player_id = i.player
         and (g.status = 'active' or g.open_until > v_now)
         and i.score >= coalesce(t.min_score, '-Infinity') and i.score <= coalesce(t.max_score, 'Infinity')
      returning i.i::int)
    select coalesce(array_agg(d.i), '{}') into v_done from d;
    if v_told <> '{}' then
      perform publish_scores(array_agg(p_app[i]), array_agg(p_session[i]), array_agg(p_player[i]))
         from unnest(v_done) i where p_app[i] = any (v_told);
    end if;

    return query
    with o as (
      select i.i::int as i, b.app_id, b.type_key, b.player_id, b.rank_key as old_key, b.version as old_version,
             me.created_at, me.updated_at, x.score, x.rank_key, x.session_id, x.scored_at, (x.take is not null) as take
        from unnest(p_app, p_session, p_player, v_wave) with ordinality i(app, session, player, wave, i)
        join session_players me on me.app_id = i.app and me.session_id = i.session and me.player_id = i.player
        join player_best b on b.app_id = i.app and b.type_key = me.type_key and b.player_id = i.player
        left join mini_game_types t on t.app_id = i.app and t.id = me.type_key
        cross join lateral (select case when t.ascending then 0 - me.score else me.score end as key) k
        left join lateral (
          -- a better score
          select me.score, k.key as rank_key, me.session_id, me.scored_at, true as take
           where b.rank_key is null or k.key > b.rank_key
              or (k.key = b.rank_key and b.session_id <> me.session_id
                  and (me.scored_at, me.session_id) < (b.achieved_at, b.session_id))
          union all
          -- the best itself got worse
          (select sp.score, case when t.ascending then 0 - sp.score else sp.score end, sp.session_id, sp.scored_at, true
             from session_players sp
            where b.session_id = me.session_id and k.key < b.rank_key
              and sp.app_id = i.app and sp.player_id = i.player and sp.type_key = me.type_key and sp.scored_at is not null
            order by 2 desc, sp.scored_at, sp.session_id
            limit 1)) x on true
       where i.wave = w and i.i = any (v_done)),
    u as (
      update player_best b
         set score = o.score, rank_key = o.rank_key, session_id = o.session_id, achieved_at = o.scored_at,
             version = b.version + 1
        from o
       where o.take and b.app_id = o.app_id and b.type_key = o.type_key and b.player_id = o.player_id
      returning o.i, b.version)
    select i.i::int,
           case when o.i is not null then 'ok'
                when g.id is null then 'no_session'
                when not (g.status = 'active' or coalesce(g.open_until > v_now, false)) then 'not_running'
                when i.score < t.min_score or i.score > t.max_score then 'out_of_bounds'
                else 'not_registered' end,
           g.type_key, o.old_key, case when o.take then o.rank_key else o.old_key end,
           coalesce(u.version, o.old_version), v_xid, o.created_at, o.updated_at
      from unnest(p_app, p_session, p_score, v_wave) with ordinality i(app, session, score, wave, i)
      left join o on o.i = i.i
      left join u on u.i = i.i
      left join game_sessions g on g.app_id = i.app and g.id = i.session
      left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
     where i.wave = w;
  end loop;
end $$;

-- Writes 1 to 1000 scores of one session, all or nothing: either every row is ok, or the rows name what is at fault and
-- nothing is written. A row without n is about the session.
create function save_scores(p_app uuid, p_session uuid, p_players uuid[], p_scores float8[])
returns table (n int, outcome text, type_key uuid, old_best float8, new_best float8, version bigint, xid text,
  created_at timestamptz, updated_at timestamptz)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_n int := cardinality(p_players);
  v_apps uuid[] := array_fill(p_app, array[v_n]);
  v_sessions uuid[] := array_fill(p_session, array[v_n]);
  s record;
begin
  if (select count(distinct x) from unnest(p_players) x) <> v_n then
    raise exception 'players repeat' using errcode = '22023';
  end if;
  perform lock_for_scores(v_apps, v_sessions, p_players);
  select g.type_key, g.status, g.open_until, t.min_score, t.max_score into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
  if not found then outcome := 'no_session'; return next; return; end if;
  if s.status <> 'active' and coalesce(s.open_until <= clock_timestamp(), true) then
    outcome := 'not_running'; return next; return;
  end if;

  -- checked before anything is written, so that no rollback is needed
  return query
  select i.i::int, case when sp.player_id is null then 'not_registered' else 'out_of_bounds' end, s.type_key,
         null::float8, null::float8, null::bigint, null::text, null::timestamptz, null::timestamptz
    from unnest(p_players, p_scores) with ordinality i(player, score, i)
    left join session_players sp on sp.app_id = p_app and sp.session_id = p_session and sp.player_id = i.player
   where sp.player_id is null or i.score < s.min_score or i.score > s.max_score;
  if found then return; end if;
  return query select * from save_scores_group(v_apps, v_sessions, p_players, p_scores);
end $$;
