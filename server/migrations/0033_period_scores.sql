-- needs 0032_period_boards.sql: an older release would not report changes of period boards to the rank indexes
-- Scores on the boards of periods (0032_period_boards.sql). The functions of 0012_scores.sql and 0013_game_sessions.sql that
-- move a best also return "periods": what they did on the boards of periods, as JSON objects with board, from, to and
-- version, or null. Rows of period_best have no lock of their own: the lock of the player's best of the type covers them.
--
-- They are planned without sequential scans: a connection that plans them while period_best is empty would otherwise read
-- all of it for every score, until the table is analyzed.

create function recompute_period_best(p_app uuid, p_type uuid, p_player uuid, p_board uuid, p_start timestamptz,
  p_ascending boolean, out new_best float8, out version bigint)
language plpgsql volatile set enable_seqscan = off as $$
declare
  x record;
begin
  select sp.score, sp.session_id, sp.scored_at, sp.created_at, sp.updated_at,
         case when p_ascending then 0 - sp.score else sp.score end as rank_key into x
    from session_players sp
   where sp.app_id = p_app and sp.player_id = p_player and sp.type_key = p_type and sp.scored_at is not null
     and sp.updated_at >= p_start
   order by 6 desc, sp.scored_at, sp.session_id
   limit 1;
  update period_best b
     set score = x.score, rank_key = x.rank_key, session_id = x.session_id, achieved_at = x.scored_at,
         joined_at = x.created_at, written_at = x.updated_at, version = b.version + 1
   where b.app_id = p_app and b.board_key = p_board and b.player_id = p_player
  returning b.rank_key, b.version into new_best, version;
end $$;

-- Records the current score of a session on the boards of the periods that a moment lies in.
create function record_in_periods(p_app uuid, p_type uuid, p_session uuid, p_player uuid, p_now timestamptz)
returns jsonb language plpgsql volatile set enable_seqscan = off as $$
declare
  n record;
  p record;
  b period_best;
  v_new float8;
  v_version bigint;
  v_moves jsonb := '[]';
begin
  select sp.score, coalesce(t.ascending, false) as ascending, case when t.ascending then 0 - sp.score else sp.score end as key,
         sp.scored_at, sp.created_at, sp.updated_at into n
    from session_players sp left join mini_game_types t on t.app_id = sp.app_id and t.id = sp.type_key
   where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player;
  for p in select x.board_key, x.starts_at from period_boards x
            where x.app_id = p_app and x.type_key = p_type and x.closed_at is null
              and x.starts_at <= p_now and (x.ends_at is null or x.ends_at > p_now) loop
    select * into b from period_best y where y.app_id = p_app and y.board_key = p.board_key and y.player_id = p_player;
    if not found then
      insert into period_best
        (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, version)
      values (p_app, p.board_key, p_player, n.score, n.key, p_session, n.scored_at, n.created_at, n.updated_at, 1);
      v_new := n.key;
      v_version := 1;
    elsif b.session_id = p_session and n.key < b.rank_key then
      select r.new_best, r.version into v_new, v_version
        from recompute_period_best(p_app, p_type, p_player, p.board_key, p.starts_at, n.ascending) r;
    elsif b.rank_key is null or n.key > b.rank_key or b.session_id = p_session
          or (n.key = b.rank_key and (n.scored_at, p_session) < (b.achieved_at, b.session_id)) then
      update period_best y
         set score = n.score, rank_key = n.key, session_id = p_session, achieved_at = n.scored_at,
             joined_at = n.created_at, written_at = n.updated_at, version = y.version + 1
       where y.app_id = p_app and y.board_key = p.board_key and y.player_id = p_player
      returning y.version into v_version;
      v_new := n.key;
    else continue;
    end if;
    v_moves := v_moves || jsonb_build_object('board', p.board_key, 'from', b.rank_key, 'to', v_new, 'version', v_version);
  end loop;
  return nullif(v_moves, '[]');
end $$;

drop function save_score(uuid, uuid, uuid, float8);
-- Writes one score of a registered player.
-- outcome: ok, no_session, not_running, out_of_bounds, not_registered. Only ok has changed anything.
create function save_score(p_app uuid, p_session uuid, p_player uuid, p_score float8,
  out outcome text, out type_key uuid, out old_best float8, out new_best float8, out version bigint, out xid text,
  out created_at timestamptz, out updated_at timestamptz, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  s record;
  b record;
  v_now timestamptz;
  v_at timestamptz;
  v_key float8;
  v_has_periods boolean;
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
  returning sp.scored_at, sp.created_at, sp.updated_at,
            exists (select from period_boards x where x.app_id = p_app and x.type_key = s.type_key)
    into v_at, created_at, updated_at, v_has_periods;
  if not found then outcome := 'not_registered'; return; end if;
  if v_has_periods then
    perform open_periods(p_app, s.type_key, v_now);
    periods := record_in_periods(p_app, s.type_key, p_session, p_player, v_now);
  end if;
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

drop function save_scores_group(uuid[], uuid[], uuid[], float8[]);
-- Writes the scores of many requests in one transaction: one outcome for each item (n is its position, from 1), as save_score
-- would give it. Items of the same player are applied in the order of the arrays, in waves of one item for each player.
create function save_scores_group(p_app uuid[], p_session uuid[], p_player uuid[], p_score float8[])
returns table (n int, outcome text, type_key uuid, old_best float8, new_best float8, version bigint, xid text,
  created_at timestamptz, updated_at timestamptz, periods jsonb)
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
  v_has_periods uuid[] := '{}';
  t record;
begin
  perform lock_for_scores(p_app, p_session, p_player);
  v_now := clock_timestamp();  -- after the locks: later than every committed best
  v_xid := pg_current_xact_id()::text;
  -- in one order, and before any row of a board: two groups that open the boards of a new day do not wait for each other
  for t in select distinct g.app_id, g.type_key
             from unnest(p_app, p_session) i(app, session) join game_sessions g on g.app_id = i.app and g.id = i.session
            where exists (select from period_boards x where x.app_id = g.app_id and x.type_key = g.type_key)
            order by 1, 2 loop
    perform open_periods(t.app_id, t.type_key, v_now);
    v_has_periods := v_has_periods || t.type_key;
  end loop;
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
           coalesce(u.version, o.old_version), v_xid, o.created_at, o.updated_at,
           case when o.i is not null and o.type_key = any (v_has_periods)
                then record_in_periods(o.app_id, o.type_key, i.session, o.player_id, v_now) end
      from unnest(p_app, p_session, p_score, v_wave) with ordinality i(app, session, score, wave, i)
      left join o on o.i = i.i
      left join u on u.i = i.i
      left join game_sessions g on g.app_id = i.app and g.id = i.session
      left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
     where i.wave = w;
  end loop;
end $$;

drop function save_scores(uuid, uuid, uuid[], float8[]);
-- Writes 1 to 1000 scores of one session, all or nothing: either every row is ok, or the rows name what is at fault and
-- nothing is written. A row without n is about the session.
create function save_scores(p_app uuid, p_session uuid, p_players uuid[], p_scores float8[])
returns table (n int, outcome text, type_key uuid, old_best float8, new_best float8, version bigint, xid text,
  created_at timestamptz, updated_at timestamptz, periods jsonb)
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
         null::float8, null::float8, null::bigint, null::text, null::timestamptz, null::timestamptz, null::jsonb
    from unnest(p_players, p_scores) with ordinality i(player, score, i)
    left join session_players sp on sp.app_id = p_app and sp.session_id = p_session and sp.player_id = i.player
   where sp.player_id is null or i.score < s.min_score or i.score > s.max_score;
  if found then return; end if;
  return query select * from save_scores_group(v_apps, v_sessions, p_players, p_scores);
end $$;
