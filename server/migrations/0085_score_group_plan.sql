-- needs 0068_score_mode_writes.sql: it replaces a function that writes scores
-- As in 0068_score_mode_writes.sql. There, statistics of many small sessions led to a plan that read all rows of a large
-- session for each of its scores.
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
    with i as materialized (  -- one relation with the whole key: a row is looked up by all of it, whatever the statistics say
      select i.i::int, i.app, i.session, i.player, i.score + 0.0 as score, i.metadata
        from unnest(p_app, p_session, p_player, p_score, v_wave, p_metadata)
               with ordinality i(app, session, player, score, wave, metadata, i)
        join game_sessions g on g.app_id = i.app and g.id = i.session
        left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
       where i.wave = w and (g.status = 'active' or g.open_until > v_now)
         and i.score >= coalesce(t.min_score, '-Infinity') and i.score <= coalesce(t.max_score, 'Infinity')),
    d as (
      update session_players sp
         set score = i.score,
             scored_at = case when sp.scored_at is not null and sp.score = i.score then sp.scored_at else v_now end,
             updated_at = v_now,
             metadata = i.metadata
        from i
       where sp.app_id = i.app and sp.session_id = i.session and sp.player_id = i.player
      returning i.i)
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
