-- needs 0036_score_metadata.sql: it replaces functions that write scores
-- Groups of scores on boards of periods, with fewer reads and writes than in 0036_score_metadata.sql: each score is read once
-- for all boards, and rows that exist are updated. An insert that finds a row would first run the triggers of a new one.

drop function record_group_in_periods(int[], uuid[], uuid[], uuid[], uuid[], timestamptz);

-- record_in_periods for scores that a group has written, each of another player. p_done has their positions in the arrays, and n
-- is one of them.
create function record_group_in_periods(p_done int[], p_app uuid[], p_session uuid[], p_player uuid[],
  p_now timestamptz)
returns table (n int, periods jsonb) language plpgsql volatile set enable_seqscan = off as $$
begin
  return query
  with mine as materialized (
    select d.n, me.app_id as app, me.player_id as player, me.type_key, me.session_id, me.score, me.scored_at, me.created_at,
           me.updated_at, me.metadata, t.ascending, case when t.ascending then 0 - me.score else me.score end as key
      from unnest(p_done) d(n)
      join session_players me on me.app_id = p_app[d.n] and me.session_id = p_session[d.n] and me.player_id = p_player[d.n]
      left join mini_game_types t on t.app_id = me.app_id and t.id = me.type_key),
  moved as materialized (
    select m.n, m.app, m.player, x.board_key, b.player_id is null as is_new, b.rank_key as old_key, best.*
      from mine m
      join period_boards x on x.app_id = m.app and x.type_key = m.type_key and x.closed_at is null
       and x.starts_at <= p_now and coalesce(x.ends_at, 'infinity') > p_now
      left join period_best b on b.app_id = m.app and b.board_key = x.board_key and b.player_id = m.player
      cross join lateral (
        select m.score, m.key, m.session_id, m.scored_at, m.created_at, m.updated_at, m.metadata
         where b.rank_key is null or m.key > b.rank_key or (b.session_id = m.session_id and m.key = b.rank_key)
            or (m.key = b.rank_key and (m.scored_at, m.session_id) < (b.achieved_at, b.session_id))
        union all
        -- the best itself got worse
        (select sp.score, case when m.ascending then 0 - sp.score else sp.score end, sp.session_id, sp.scored_at,
                sp.created_at, sp.updated_at, sp.metadata
           from session_players sp
          where b.session_id = m.session_id and m.key < b.rank_key
            and sp.app_id = m.app and sp.player_id = m.player and sp.type_key = m.type_key and sp.scored_at is not null
            and sp.updated_at >= x.starts_at
          order by 2 desc, sp.scored_at, sp.session_id
          limit 1)) best),
  changed as (
    update period_best y
       set score = m.score, rank_key = m.key, session_id = m.session_id, achieved_at = m.scored_at, joined_at = m.created_at,
           written_at = m.updated_at, metadata = m.metadata, version = y.version + 1
      from moved m
     where not m.is_new and y.app_id = m.app and y.board_key = m.board_key and y.player_id = m.player
    returning m.n, m.board_key, m.old_key, m.key, y.version),
  made as (
    insert into period_best as y
      (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, metadata, version)
    select m.app, m.board_key, m.player, m.score, m.key, m.session_id, m.scored_at, m.created_at, m.updated_at, m.metadata, 1
      from moved m where m.is_new
    returning y.app_id, y.board_key, y.player_id, y.version)
  select w.n, jsonb_agg(jsonb_build_object('board', w.board_key, 'from', w.old_key, 'to', w.key, 'version', w.version))
    from (select c.n, c.board_key, c.old_key, c.key, c.version from changed c
          union all
          select m.n, m.board_key, m.old_key, m.key, d.version
            from made d join moved m on m.app = d.app_id and m.board_key = d.board_key and m.player = d.player_id) w
   group by w.n;
end $$;

-- As in 0036_score_metadata.sql.
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
           case when v_periods is not null then v_periods[i.i] end
      from unnest(p_app, p_session, p_score, v_wave) with ordinality i(app, session, score, wave, i)
      left join o on o.i = i.i
      left join u on u.i = i.i
      left join game_sessions g on g.app_id = i.app and g.id = i.session
      left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
     where i.wave = w;
  end loop;
end $$;
