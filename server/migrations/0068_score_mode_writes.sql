-- needs 0067_score_modes.sql: it replaces functions that write scores
-- Functions that write scores, for types of every mode (0067_score_modes.sql).

-- As in 0037_score_history.sql.
create or replace function save_score(p_app uuid, p_session uuid, p_player uuid, p_score float8, p_metadata json default null,
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
  v_effect text;
  v_periods int;  -- null: there are none; 2: some may have to be made
begin
  p_score := p_score + 0.0;  -- −0 becomes 0
  perform pg_advisory_xact_lock_shared(uuid_hash_extended(p_session, 71));
  select g.type_key, g.status, g.open_until, coalesce(t.ascending, false) as ascending,
         coalesce(t.score_mode, 'best') as mode, t.min_score, t.max_score,
         coalesce(t.scored, true) as scored,
         exists (select from webhook_endpoints e
                  where e.app_id = p_app and e.enabled and 'score.updated' = any (e.event_types)) as is_told
    into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
  if not found then outcome := 'no_session'; return; end if;
  if s.status <> 'active' and coalesce(s.open_until <= clock_timestamp(), true) then outcome := 'not_running'; return; end if;
  if p_score < s.min_score or p_score > s.max_score then outcome := 'out_of_bounds'; return; end if;

  if not s.scored then  -- the first score of a type fixes its sort order and mode
    update mini_game_types t set scored = true where t.app_id = p_app and t.id = s.type_key and not t.scored;
    select t.ascending, t.score_mode into s.ascending, s.mode from mini_game_types t where t.app_id = p_app and t.id = s.type_key;
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
         updated_at = v_now,
         metadata = p_metadata
   where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player
  returning sp.scored_at, sp.created_at, sp.updated_at,
            case when exists (select from period_boards x where x.app_id = p_app and x.type_key = s.type_key)
                 then 1 + are_periods_due(p_app, s.type_key, v_now)::int end
    into v_at, created_at, updated_at, v_periods;
  if not found then outcome := 'not_registered'; return; end if;
  if s.is_told then perform publish_score(p_app, p_session, p_player); end if;

  outcome := 'ok';
  old_best := b.rank_key;
  new_best := b.rank_key;
  version := b.version;
  xid := pg_current_xact_id()::text;
  v_key := case when s.ascending then 0 - p_score else p_score end;
  if v_periods = 2 then perform open_periods(p_app, s.type_key, v_now); end if;
  if v_periods is not null then
    periods := record_in_periods(p_app, s.type_key, p_session, p_player, v_now, p_score, v_key, s.ascending, v_at, created_at,
      p_metadata, s.mode);
  end if;
  v_effect := score_effect(s.mode, v_key, v_at, p_session, b.rank_key, b.achieved_at, b.session_id);
  if v_effect = 'counts' then
    update player_best pb
       set score = p_score, rank_key = v_key, session_id = p_session, achieved_at = v_at, version = pb.version + 1
     where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = p_player
    returning pb.version into version;
    new_best := v_key;
  elsif v_effect = 'recount' then  -- in a new snapshot
    select r.new_best, r.version into new_best, version from recompute_best(p_app, s.type_key, p_player, s.ascending) r;
  end if;
end $$;

-- As in 0054_period_updates.sql.
create or replace function save_scores_group(p_app uuid[], p_session uuid[], p_player uuid[], p_score float8[],
  p_metadata json[] default null)
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
  v_has_periods uuid[] := '{}';  -- types
  v_periods jsonb[];  -- by item
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
             updated_at = v_now,
             metadata = i.metadata
        from unnest(p_app, p_session, p_player, p_score, v_wave, p_metadata)
               with ordinality i(app, session, player, score, wave, metadata, i)
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

    if v_has_periods <> '{}' then
      select array_agg(r.periods order by i.n) into v_periods
        from generate_series(1, cardinality(p_app)) i(n)
        left join record_group_in_periods(v_done, p_app, p_session, p_player, v_now) r using (n);
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
        cross join lateral (
          select score_effect(coalesce(t.score_mode, 'best'), k.key, me.scored_at, me.session_id, b.rank_key, b.achieved_at,
                              b.session_id)) e(effect)
        left join lateral (
          select me.score, k.key as rank_key, me.session_id, me.scored_at, true as take where e.effect = 'counts'
          union all
          select c.score, c.rank_key, c.session_id, c.achieved_at, true
            from counted_score_of(i.app, me.type_key, i.player) c where e.effect = 'recount') x on true
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
           case when v_periods is not null then v_periods[i.i] end
      from unnest(p_app, p_session, p_score, v_wave) with ordinality i(app, session, score, wave, i)
      left join o on o.i = i.i
      left join u on u.i = i.i
      left join game_sessions g on g.app_id = i.app and g.id = i.session
      left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
     where i.wave = w;
  end loop;
end $$;

-- As in 0053_score_hooks.sql. maxIncrease compares what counts of the player's scores before and after; of a sum, that differs
-- by the score and that of the session before.
create or replace function save_judged_scores(p_app uuid, p_session uuid, p_players uuid[], p_scores float8[], p_metadata text[],
  p_quota int, p_player_quota int, p_holds text[] default null)
returns table (n int, outcome text, type_key uuid, old_best float8, new_best float8, version bigint, xid text,
  created_at timestamptz, updated_at timestamptz, periods jsonb, held_id uuid, score float8)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_n int := cardinality(p_players);
  v_apps uuid[] := array_fill(p_app, array[v_n]);
  v_sessions uuid[] := array_fill(p_session, array[v_n]);
  v_now timestamptz;
  s record;
  v_held int[] := '{}';
  v_good int[] := '{}';
  v_reasons text[] := '{}';  -- of the held, as texts of arrays
  v_notes text[] := '{}';
  h record;
begin
  if (select count(distinct x) from unnest(p_players) x) <> v_n then
    raise exception 'players repeat' using errcode = '22023';
  end if;
  perform lock_for_scores(v_apps, v_sessions, p_players);
  for h in select p.id from players p where p.app_id = p_app and p.id = any (p_players) and p.standing = 'banned' loop
    raise exception 'player % is banned', h.id using errcode = 'ZB403';
  end loop;
  select g.type_key, g.status, g.open_until, t.min_score, t.max_score, t.rules, coalesce(t.ascending, false) as ascending,
         coalesce(t.score_mode, 'best') as mode
    into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
  if not found then outcome := 'no_session'; return next; return; end if;
  v_now := clock_timestamp();
  if s.status <> 'active' and coalesce(s.open_until <= v_now, true) then outcome := 'not_running'; return next; return; end if;

  return query
  select i.i::int, case when sp.player_id is null then 'not_registered' else 'out_of_bounds' end, s.type_key, null::float8,
         null::float8, null::bigint, null::text, null::timestamptz, null::timestamptz, null::jsonb, null::uuid, null::float8
    from unnest(p_players, p_scores) with ordinality i(player, score, i)
    left join session_players sp on sp.app_id = p_app and sp.session_id = p_session and sp.player_id = i.player
   where sp.player_id is null or i.score < s.min_score or i.score > s.max_score;
  if found then return; end if;

  for h in
    select i.i::int as i, coalesce(broken_rules(s.rules,
             case when s.ascending then 0 - i.score else i.score + 0.0 end,
             -- a hidden player has no best on boards
             case when s.mode = 'sum' then (  -- the score of the session makes way for it
                    select case when s.ascending then 0 - sp.score else sp.score end
                     where exists (select from counted_score_of(p_app, s.type_key, i.player)))
                  when b.version >= 0 then b.rank_key
                  else (select c.rank_key from counted_score_of(p_app, s.type_key, i.player) c) end,
             sp.created_at, s.open_until is not null,
             i.metadata::jsonb, pace.writes, v_now), '{}') || case when i.hold is not null then array['hook'] else '{}' end as reasons,
           nullif(i.hold, '') as note
      from unnest(p_players, p_scores, p_metadata, p_holds) with ordinality i(player, score, metadata, hold, i)
      join session_players sp on sp.app_id = p_app and sp.session_id = p_session and sp.player_id = i.player
      join player_best b on b.app_id = p_app and b.type_key = s.type_key and b.player_id = i.player
      left join score_pace pace on pace.app_id = p_app and pace.type_key = s.type_key and pace.player_id = i.player
     order by 1 loop
    if h.reasons = '{}' then v_good := v_good || h.i;
    else
      v_held := v_held || h.i;
      v_reasons := v_reasons || h.reasons::text;
      v_notes := v_notes || h.note;
    end if;
  end loop;

  if v_held <> '{}' then
    if not make_room_for_held(p_app, cardinality(v_held), p_quota) then outcome := 'held_full'; return next; return; end if;
    if exists (select from unnest(v_held) k
                where (select count(*) from held_scores x
                        where x.app_id = p_app and x.player_id = p_players[k] and x.state = 'held') >= p_player_quota) then
      outcome := 'held_too_many'; return next; return;
    end if;
  end if;

  if s.rules ? 'maxPerMinute' then
    insert into score_pace as y (app_id, type_key, player_id, writes)
    select p_app, s.type_key, p, array[v_now] from unnest(p_players) p
    on conflict (app_id, player_id, type_key) do update
      set writes = (v_now || y.writes)[1 : (s.rules ->> 'maxPerMinute')::int];
  end if;

  if v_good <> '{}' then
    return query
    select v_good[r.n], r.outcome, r.type_key, r.old_best, r.new_best, r.version, r.xid, r.created_at, r.updated_at, r.periods,
           null::uuid, p_scores[v_good[r.n]] + 0.0
      from save_scores_group(v_apps[1 : cardinality(v_good)], v_sessions[1 : cardinality(v_good)],
        array(select p_players[k] from unnest(v_good) with ordinality g(k, o) order by o),
        array(select p_scores[k] from unnest(v_good) with ordinality g(k, o) order by o),
        array(select p_metadata[k]::json from unnest(v_good) with ordinality g(k, o) order by o)) r;
  end if;

  for h in
    insert into held_scores as y (app_id, id, session_id, player_id, type_key, score, metadata, reasons, note, created_at)
    select p_app, gen_random_uuid(), p_session, p_players[k.i], s.type_key, p_scores[k.i] + 0.0, p_metadata[k.i]::json,
           k.reasons::text[], k.note, v_now
      from unnest(v_held, v_reasons, v_notes) k(i, reasons, note)
    returning y.id, y.player_id loop
    n := array_position(p_players, h.player_id);
    outcome := 'held';
    held_id := h.id;
    type_key := s.type_key;
    select sp.score, sp.created_at, sp.updated_at into score, created_at, updated_at
      from session_players sp
     where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = h.player_id;
    return next;
  end loop;
end $$;
