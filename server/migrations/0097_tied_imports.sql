-- needs 0096_ties.sql: it replaces a function that imports scores
-- As in 0086_score_import_plans.sql. Bests whose achieved_at is not when they were reached are counted again.
create or replace function import_scores(p_app uuid, p_session uuid, p_players uuid[], p_scores float8[], p_at timestamptz[],
  p_is_dated boolean[])
returns table (n int, outcome text, type_key uuid, old_best float8, new_best float8, version bigint, xid text, periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  s record;
  v_take int[];
  v_players uuid[];
  v_scores float8[];
  v_now timestamptz;
begin
  perform pg_advisory_xact_lock_shared(uuid_hash_extended(p_session, 71));
  update mini_game_types t set scored = true
    from game_sessions g
   where g.app_id = p_app and g.id = p_session and t.app_id = p_app and t.id = g.type_key and not t.scored;
  select g.type_key, coalesce(t.ascending, false) as ascending,
         coalesce(t.score_mode, 'best') as mode, t.min_score, t.max_score,
         g.status = 'active' or coalesce(g.open_until > clock_timestamp(), false) as is_open
    into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
  if s is null or not s.is_open then
    return query select i.i::int, case when s is null then 'no_session' else 'not_running' end, null::uuid, null::float8,
                        null::float8, null::bigint, null::text, null::jsonb
                   from unnest(p_players) with ordinality i(player, i);
    return;
  end if;

  -- as in register_player
  perform 1
     from (select i.player from unnest(p_players) i(player) order by 1) i
    cross join lateral (select 1 from players p where p.app_id = p_app and p.id = i.player offset 0 for share) p;
  insert into player_best (app_id, type_key, player_id, version)
  select p_app, s.type_key, i.player, case when p.standing = 'normal' then 0 else -4503599627370496 end
    from unnest(p_players, p_scores) i(player, score)
   cross join lateral (select p.standing from players p where p.app_id = p_app and p.id = i.player offset 0) p
   where p.standing <> 'banned' and i.score >= coalesce(s.min_score, '-Infinity') and i.score <= coalesce(s.max_score, 'Infinity')
   order by i.player
  on conflict do nothing;
  perform 1
     from (select i.player from unnest(p_players) i(player) order by 1) i
    cross join lateral (
      select 1 from player_best b
       where b.app_id = p_app and b.type_key = s.type_key and b.player_id = i.player offset 0 for update) b;

  select coalesce(array_agg(i.i::int order by i.i), '{}'), array_agg(i.player order by i.i), array_agg(i.score order by i.i)
    into v_take, v_players, v_scores
    from unnest(p_players, p_scores, p_at, p_is_dated) with ordinality i(player, score, at, is_dated, i)
    cross join lateral (
      select pb.rank_key,
             case when s.mode = 'best' then pb.achieved_at
                  else (select sp.scored_at from session_players sp
                         where sp.app_id = p_app and sp.session_id = pb.session_id and sp.player_id = i.player) end as reached_at
        from player_best pb
       where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = i.player offset 0) b
    cross join lateral (select case when s.ascending then 0 - i.score else i.score end as key) k
    cross join lateral (select p.standing from players p where p.app_id = p_app and p.id = i.player offset 0) y
   where i.score >= coalesce(s.min_score, '-Infinity') and i.score <= coalesce(s.max_score, 'Infinity')
     and y.standing <> 'banned'
     and case when s.mode like 'best%'
              then b.rank_key is null or k.key > b.rank_key or (k.key = b.rank_key and i.is_dated and i.at < b.reached_at)
              else not exists (select from counted_score_of(p_app, s.type_key, i.player)) end;

  return query
  select i.i::int,
         case when p.id is null then 'no_player'
              when p.standing = 'banned' then 'banned'
              when i.score < s.min_score or i.score > s.max_score then 'out_of_bounds'
              else 'not_better' end,
         null::uuid, null::float8, null::float8, null::bigint, null::text, null::jsonb
    from unnest(p_players, p_scores) with ordinality i(player, score, i)
    left join lateral (select p.id, p.standing from players p where p.app_id = p_app and p.id = i.player offset 0) p on true
   where i.i <> all (v_take);
  if v_take = '{}' then return; end if;

  insert into session_players (app_id, session_id, player_id, type_key)
  select p_app, p_session, i.player, s.type_key from unnest(v_players) i(player) order by 3
  on conflict do nothing;
  return query
  select v_take[w.n], w.outcome, w.type_key, w.old_best, w.new_best, w.version, w.xid, w.periods
    from save_scores(p_app, p_session, v_players, v_scores) w;

  v_now := clock_timestamp();
  -- A board at an earlier time would show scores that were reached before it and written after it.
  if exists (select from unnest(v_take) i where p_is_dated[i]) then
    insert into score_history_starts as h (app_id, type_key, since)
    values (p_app, s.type_key, v_now + interval '15 seconds')
    on conflict (app_id, type_key) do update set since = greatest(h.since, excluded.since);
  end if;
  with i as materialized (
    select p_app as app, p_session as session, p_players[i] as player, p_at[i] as at from unnest(v_take) i)
  update session_players sp set scored_at = i.at
    from i
   where sp.app_id = i.app and sp.session_id = i.session and sp.player_id = i.player;
  if s.mode <> 'best' then
    perform recompute_best(p_app, s.type_key, p_players[i], s.ascending) from unnest(v_take) i;
    perform recompute_period_best(p_app, s.type_key, p_players[i], x.board_key, x.starts_at, s.ascending)
       from unnest(v_take) i cross join period_boards x
      where x.app_id = p_app and x.type_key = s.type_key and x.closed_at is null
        and x.starts_at <= v_now and coalesce(x.ends_at, 'infinity') > v_now;
    return;
  end if;
  with i as materialized (
    select p_app as app, s.type_key as type, p_players[i] as player, p_at[i] as at, p_scores[i] + 0.0 as score,
           case when s.ascending then 0 - p_scores[i] else p_scores[i] end as key
      from unnest(v_take) i)
  update player_best b
     set achieved_at = i.at, session_id = p_session, score = i.score, version = b.version + (b.session_id <> p_session)::int
    from i
   where b.app_id = i.app and b.type_key = i.type and b.player_id = i.player
     and (b.session_id = p_session
       or (b.rank_key = i.key and (i.at, p_session) < (b.achieved_at, b.session_id)));
  if not exists (select from period_boards x where x.app_id = p_app and x.type_key = s.type_key) then return; end if;
  with i as materialized (
    select p_app as app, x.board_key as board, p_players[i] as player, p_at[i] as at, p_scores[i] + 0.0 as score,
           case when s.ascending then 0 - p_scores[i] else p_scores[i] end as key, sp.created_at, sp.updated_at
      from unnest(v_take) i
     cross join lateral (
       select sp.created_at, sp.updated_at from session_players sp
        where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_players[i] offset 0) sp
     cross join period_boards x
     where x.app_id = p_app and x.type_key = s.type_key and x.closed_at is null
       and x.starts_at <= v_now and coalesce(x.ends_at, 'infinity') > v_now)
  update period_best b
     set achieved_at = i.at, session_id = p_session, score = i.score, joined_at = i.created_at, written_at = i.updated_at,
         version = b.version + (b.session_id <> p_session)::int
    from i
   where b.app_id = i.app and b.board_key = i.board and b.player_id = i.player
     and (b.session_id = p_session
       or (b.rank_key = i.key and (i.at, p_session) < (b.achieved_at, b.session_id)));
end $$;
