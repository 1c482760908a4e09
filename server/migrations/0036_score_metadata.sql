-- needs 0036_score_metadata.sql: it replaces functions that write scores
-- JSON that a game sends with a score, shown with the entry of the score. A score without it clears that of the one before.

alter table session_players add column metadata json;
comment on column session_players.metadata is
  'What the game sent with the current score. Of type json, which keeps the order of members.';
alter table period_best add column metadata json;
comment on column period_best.metadata is 'Copied from the score, which may change after the period.';

-- Functions of 0032_period_boards.sql to 0034_period_score_groups.sql, with metadata. save_score is in 0037_score_history.sql.

-- Puts the scores of some players that were written in the period of a board on it, whatever it had of them.
create or replace function fill_period_board(p_app uuid, p_type uuid, p_board uuid, p_start timestamptz, p_end timestamptz,
  p_players uuid[])
returns void language plpgsql volatile as $$
begin
  perform 1 from player_best b
   where b.app_id = p_app and b.type_key = p_type and b.player_id = any (p_players)
   order by b.player_id for update;
  insert into period_best as b
    (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, metadata, version)
  select distinct on (sp.player_id) p_app, p_board, sp.player_id, sp.score,
         case when t.ascending then 0 - sp.score else sp.score end as key, sp.session_id, sp.scored_at, sp.created_at,
         sp.updated_at, sp.metadata, 1
    from session_players sp
    left join mini_game_types t on t.app_id = sp.app_id and t.id = sp.type_key
   where sp.app_id = p_app and sp.player_id = any (p_players) and sp.type_key = p_type
     and sp.scored_at is not null and sp.updated_at >= p_start and (p_end is null or sp.updated_at < p_end)
   order by sp.player_id, key desc, sp.scored_at, sp.session_id
  on conflict (app_id, board_key, player_id) do update
    set score = excluded.score, rank_key = excluded.rank_key, session_id = excluded.session_id,
        achieved_at = excluded.achieved_at, joined_at = excluded.joined_at, written_at = excluded.written_at,
        metadata = excluded.metadata, version = b.version + 1
    -- What was recorded in a period that has ended is right, and the scores may have changed since.
    where p_end is null or p_end > clock_timestamp() or b.rank_key is null or excluded.rank_key > b.rank_key;
end $$;

create or replace function recompute_period_best(p_app uuid, p_type uuid, p_player uuid, p_board uuid, p_start timestamptz,
  p_ascending boolean, out new_best float8, out version bigint)
language plpgsql volatile set enable_seqscan = off as $$
declare
  x record;
begin
  select sp.score, sp.session_id, sp.scored_at, sp.created_at, sp.updated_at, sp.metadata,
         case when p_ascending then 0 - sp.score else sp.score end as rank_key into x
    from session_players sp
   where sp.app_id = p_app and sp.player_id = p_player and sp.type_key = p_type and sp.scored_at is not null
     and sp.updated_at >= p_start
   order by 7 desc, sp.scored_at, sp.session_id
   limit 1;
  update period_best b
     set score = x.score, rank_key = x.rank_key, session_id = x.session_id, achieved_at = x.scored_at,
         joined_at = x.created_at, written_at = x.updated_at, metadata = x.metadata, version = b.version + 1
   where b.app_id = p_app and b.board_key = p_board and b.player_id = p_player
  returning b.rank_key, b.version into new_best, version;
end $$;

-- record_in_periods for the scores of many players, each once, with two statements. n is the position of the item.
create or replace function record_group_in_periods(p_n int[], p_app uuid[], p_type uuid[], p_session uuid[], p_player uuid[],
  p_now timestamptz)
returns table (n int, periods jsonb) language plpgsql volatile set enable_seqscan = off as $$
begin
  return query
  with moved as materialized (
    select i.n, i.app, i.player, x.board_key, b.rank_key as old_key, best.*
      from unnest(p_n, p_app, p_type, p_session, p_player) i(n, app, type, session, player)
      join session_players me on me.app_id = i.app and me.session_id = i.session and me.player_id = i.player
      left join mini_game_types t on t.app_id = i.app and t.id = i.type
      cross join lateral (select case when t.ascending then 0 - me.score else me.score end as key) k
      join period_boards x on x.app_id = i.app and x.type_key = i.type and x.closed_at is null
       and x.starts_at <= p_now and coalesce(x.ends_at, 'infinity') > p_now
      left join period_best b on b.app_id = i.app and b.board_key = x.board_key and b.player_id = i.player
      cross join lateral (
        select me.score, k.key, me.session_id, me.scored_at, me.created_at, me.updated_at, me.metadata
         where b.rank_key is null or k.key > b.rank_key or (b.session_id = i.session and k.key = b.rank_key)
            or (k.key = b.rank_key and (me.scored_at, i.session) < (b.achieved_at, b.session_id))
        union all
        -- the best itself got worse
        (select sp.score, case when t.ascending then 0 - sp.score else sp.score end, sp.session_id, sp.scored_at,
                sp.created_at, sp.updated_at, sp.metadata
           from session_players sp
          where b.session_id = i.session and k.key < b.rank_key
            and sp.app_id = i.app and sp.player_id = i.player and sp.type_key = i.type and sp.scored_at is not null
            and sp.updated_at >= x.starts_at
          order by 2 desc, sp.scored_at, sp.session_id
          limit 1)) best),
  written as (
    insert into period_best as y
      (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, metadata, version)
    select m.app, m.board_key, m.player, m.score, m.key, m.session_id, m.scored_at, m.created_at, m.updated_at, m.metadata, 1
      from moved m
    on conflict (app_id, board_key, player_id) do update
      set score = excluded.score, rank_key = excluded.rank_key, session_id = excluded.session_id,
          achieved_at = excluded.achieved_at, joined_at = excluded.joined_at, written_at = excluded.written_at,
          metadata = excluded.metadata, version = y.version + 1
    returning y.app_id, y.board_key, y.player_id, y.version)
  select m.n, jsonb_agg(jsonb_build_object('board', m.board_key, 'from', m.old_key, 'to', m.key, 'version', w.version))
    from moved m
    join written w on w.app_id = m.app and w.board_key = m.board_key and w.player_id = m.player
   group by m.n;
end $$;

drop function save_scores_group(uuid[], uuid[], uuid[], float8[]);
-- Writes the scores of many requests in one transaction: one outcome for each item (n is its position, from 1), as save_score
-- would give it. Items of the same player are applied in the order of the arrays, in waves of one item for each player.
create function save_scores_group(p_app uuid[], p_session uuid[], p_player uuid[], p_score float8[],
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
        left join (
          select r.* from (
            select array_agg(d.n) as n, array_agg(p_app[d.n]) as app, array_agg(sp.type_key) as type,
                   array_agg(p_session[d.n]) as session, array_agg(p_player[d.n]) as player
              from unnest(v_done) d(n)
              join session_players sp on sp.app_id = p_app[d.n] and sp.session_id = p_session[d.n]
               and sp.player_id = p_player[d.n]
             where sp.type_key = any (v_has_periods)) s,
            lateral record_group_in_periods(s.n, s.app, s.type, s.session, s.player, v_now) r) r using (n);
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

drop function save_scores(uuid, uuid, uuid[], float8[]);
-- Writes 1 to 1000 scores of one session, all or nothing: either every row is ok, or the rows name what is at fault and
-- nothing is written. A row without n is about the session.
create function save_scores(p_app uuid, p_session uuid, p_players uuid[], p_scores float8[],
  p_metadata json[] default null)
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
  return query select * from save_scores_group(v_apps, v_sessions, p_players, p_scores, p_metadata);
end $$;
