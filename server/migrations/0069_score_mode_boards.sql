-- needs 0067_score_modes.sql: it replaces functions that write scores
-- Boards of periods and imports, for types of every mode (0067_score_modes.sql).

-- As in 0036_score_metadata.sql.
create or replace function fill_period_board(p_app uuid, p_type uuid, p_board uuid, p_start timestamptz, p_end timestamptz,
  p_players uuid[])
returns void language plpgsql volatile as $$
begin
  perform 1 from player_best b
   where b.app_id = p_app and b.type_key = p_type and b.player_id = any (p_players)
   order by b.player_id for update;
  insert into period_best as b
    (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, metadata, version)
  select p_app, p_board, s.player_id, c.*, 1
    from (select sp.player_id,
                 array_agg(row(sp.score, sp.session_id, sp.scored_at, sp.created_at, sp.updated_at, sp.metadata)::session_score)
            from session_players sp
           where sp.app_id = p_app and sp.player_id = any (p_players) and sp.type_key = p_type
             and sp.scored_at is not null and sp.updated_at >= p_start and (p_end is null or sp.updated_at < p_end)
           group by 1) s(player_id, scores)
    left join mini_game_types t on t.app_id = p_app and t.id = p_type
   cross join lateral counted_score(coalesce(t.score_mode, 'best'), coalesce(t.ascending, false), s.scores) c
   order by s.player_id
  on conflict (app_id, board_key, player_id) do update
    set score = excluded.score, rank_key = excluded.rank_key, session_id = excluded.session_id,
        achieved_at = excluded.achieved_at, joined_at = excluded.joined_at, written_at = excluded.written_at,
        metadata = excluded.metadata, version = b.version + 1
    -- What was recorded in a period that has ended is right, and the scores may have changed since. A best that was
    -- recorded leaves out what was written before the board was made.
    where p_end is null or p_end > clock_timestamp() or b.rank_key is null
       or (excluded.rank_key > b.rank_key
           and not exists (select from mini_game_types t
                            where t.app_id = p_app and t.id = p_type and t.score_mode <> 'best'));
end $$;

-- As in 0036_score_metadata.sql.
create or replace function recompute_period_best(p_app uuid, p_type uuid, p_player uuid, p_board uuid, p_start timestamptz,
  p_ascending boolean, out new_best float8, out version bigint)
language plpgsql volatile set enable_seqscan = off as $$
declare
  x counted_score;
begin
  select * into x from counted_score_of(p_app, p_type, p_player, p_start);
  update period_best b
     set score = x.score, rank_key = x.rank_key, session_id = x.session_id, achieved_at = x.achieved_at,
         joined_at = x.joined_at, written_at = x.written_at, metadata = x.metadata, version = b.version + 1
   where b.app_id = p_app and b.board_key = p_board and b.player_id = p_player
  returning b.rank_key, b.version into new_best, version;
end $$;

drop function record_in_periods(uuid, uuid, uuid, uuid, timestamptz, float8, float8, boolean, timestamptz, timestamptz, json);
-- As in 0037_score_history.sql.
create function record_in_periods(p_app uuid, p_type uuid, p_session uuid, p_player uuid, p_now timestamptz, p_score float8,
  p_key float8, p_ascending boolean, p_at timestamptz, p_joined timestamptz, p_metadata json, p_mode text)
returns jsonb language plpgsql volatile set enable_seqscan = off as $$
declare
  p record;
  v_new float8;
  v_version bigint;
  v_moves jsonb := '[]';
begin
  for p in select x.board_key, x.starts_at, b.rank_key, b.player_id is null as is_new,
                  score_effect(p_mode, p_key, p_at, p_session, b.rank_key, b.achieved_at, b.session_id) as effect
             from period_boards x
             left join period_best b on b.app_id = p_app and b.board_key = x.board_key and b.player_id = p_player
            where x.app_id = p_app and x.type_key = p_type and x.closed_at is null
              and x.starts_at <= p_now and coalesce(x.ends_at, 'infinity') > p_now loop
    continue when p.effect is null;
    if p.is_new then
      insert into period_best
        (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, metadata, version)
      values (p_app, p.board_key, p_player, p_score, p_key, p_session, p_at, p_joined, p_now,
              p_metadata, 1);
      v_new := p_key;
      v_version := 1;
    end if;
    if p.effect = 'recount' then
      select r.new_best, r.version into v_new, v_version
        from recompute_period_best(p_app, p_type, p_player, p.board_key, p.starts_at, p_ascending) r;
    elsif not p.is_new then
      update period_best y
         set score = p_score, rank_key = p_key, session_id = p_session, achieved_at = p_at, joined_at = p_joined,
             written_at = p_now, metadata = p_metadata, version = y.version + 1
       where y.app_id = p_app and y.board_key = p.board_key and y.player_id = p_player
      returning y.version into v_version;
      v_new := p_key;
    end if;
    v_moves := v_moves || jsonb_build_object('board', p.board_key, 'from', p.rank_key, 'to', v_new, 'version', v_version);
  end loop;
  return nullif(v_moves, '[]');
end $$;

-- As in 0054_period_updates.sql.
create or replace function record_group_in_periods(p_done int[], p_app uuid[], p_session uuid[], p_player uuid[],
  p_now timestamptz)
returns table (n int, periods jsonb) language plpgsql volatile set enable_seqscan = off as $$
begin
  return query
  with mine as materialized (
    select d.n, me.app_id as app, me.player_id as player, me.type_key, me.session_id, me.score, me.scored_at, me.created_at,
           me.updated_at, me.metadata, case when t.ascending then 0 - me.score else me.score end as key,
           coalesce(t.score_mode, 'best') as mode
      from unnest(p_done) d(n)
      join session_players me on me.app_id = p_app[d.n] and me.session_id = p_session[d.n] and me.player_id = p_player[d.n]
      left join mini_game_types t on t.app_id = me.app_id and t.id = me.type_key),
  moved as materialized (
    select m.n, m.app, m.player, x.board_key, b.player_id is null as is_new, b.rank_key as old_key, counted.*
      from mine m
      join period_boards x on x.app_id = m.app and x.type_key = m.type_key and x.closed_at is null
       and x.starts_at <= p_now and coalesce(x.ends_at, 'infinity') > p_now
      left join period_best b on b.app_id = m.app and b.board_key = x.board_key and b.player_id = m.player
      cross join lateral (
        select score_effect(m.mode, m.key, m.scored_at, m.session_id, b.rank_key, b.achieved_at, b.session_id)) e(effect)
      cross join lateral (
        select m.score, m.key, m.session_id, m.scored_at, m.created_at, m.updated_at, m.metadata
         where e.effect in ('counts', 'same')
        union all
        select c.* from counted_score_of(m.app, m.type_key, m.player, x.starts_at) c where e.effect = 'recount') counted),
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

-- As in 0035_period_deletions.sql.
create or replace function remove_from_periods(p_app uuid, p_type uuid, p_session uuid, p_player uuid)
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
              and x.starts_at <= v_now and coalesce(x.ends_at, 'infinity') > v_now
              and is_counted(p_app, p_type, p_session, b.session_id) loop
    select r.new_best, r.version into v_new, v_version
      from recompute_period_best(p_app, p_type, p_player, p.board_key, p.starts_at, p.ascending) r;
    v_moves := v_moves || jsonb_build_object('board', p.board_key, 'from', p.rank_key, 'to', v_new, 'version', v_version);
  end loop;
  return nullif(v_moves, '[]');
end $$;

-- As in 0042_score_imports.sql. In a type whose mode is not best, only players without a score get one, so that a file that is
-- imported again adds nothing.
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
      select pb.rank_key, pb.achieved_at from player_best pb
       where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = i.player offset 0) b
    cross join lateral (select case when s.ascending then 0 - i.score else i.score end as key) k
    cross join lateral (select p.standing from players p where p.app_id = p_app and p.id = i.player offset 0) y
   where i.score >= coalesce(s.min_score, '-Infinity') and i.score <= coalesce(s.max_score, 'Infinity')
     and y.standing <> 'banned'
     and case when s.mode = 'best'
              then b.rank_key is null or k.key > b.rank_key or (k.key = b.rank_key and i.is_dated and i.at < b.achieved_at)
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
  update session_players sp set scored_at = p_at[i]
    from unnest(v_take) i
   where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_players[i];
  update player_best b
     set achieved_at = p_at[i], session_id = p_session, score = p_scores[i] + 0.0,
         version = b.version + (b.session_id <> p_session)::int
    from unnest(v_take) i
   where b.app_id = p_app and b.type_key = s.type_key and b.player_id = p_players[i]
     and (b.session_id = p_session
       or (b.rank_key = case when s.ascending then 0 - p_scores[i] else p_scores[i] end
           and (p_at[i], p_session) < (b.achieved_at, b.session_id)));
  if not exists (select from period_boards x where x.app_id = p_app and x.type_key = s.type_key) then return; end if;
  update period_best b
     set achieved_at = p_at[i], session_id = p_session, score = p_scores[i] + 0.0, joined_at = sp.created_at,
         written_at = sp.updated_at, version = b.version + (b.session_id <> p_session)::int
    from unnest(v_take) i, period_boards x, session_players sp
   where x.app_id = p_app and x.type_key = s.type_key and x.closed_at is null
     and x.starts_at <= v_now and coalesce(x.ends_at, 'infinity') > v_now
     and b.app_id = p_app and b.board_key = x.board_key and b.player_id = p_players[i]
     and sp.app_id = p_app and sp.session_id = p_session and sp.player_id = b.player_id
     and (b.session_id = p_session
       or (b.rank_key = case when s.ascending then 0 - p_scores[i] else p_scores[i] end
           and (p_at[i], p_session) < (b.achieved_at, b.session_id)));
end $$;
