-- Functions of 0036_score_metadata.sql and 0037_score_history.sql that write less for a score on boards of periods that the
-- player is on already: they update these rows in one statement, and insert only those that are new. An insert that finds a row
-- would first run the triggers of a new one.

create or replace function record_in_periods(p_app uuid, p_type uuid, p_session uuid, p_player uuid, p_now timestamptz,
  p_score float8, p_key float8, p_ascending boolean, p_at timestamptz, p_joined timestamptz, p_metadata json)
returns jsonb language plpgsql volatile set enable_seqscan = off as $$
declare
  p record;
  u record;
  v_better uuid[];  -- boards on which this score counts now
  v_worse uuid[];  -- boards whose best got worse
  v_starts timestamptz[];  -- of v_worse
  v_from jsonb;  -- the former rank key, by board
  v_moves jsonb := '[]';
begin
  for p in select x.board_key, x.starts_at, b.rank_key, b.session_id, b.achieved_at, b.player_id is null as is_new
             from period_boards x
             left join period_best b on b.app_id = p_app and b.board_key = x.board_key and b.player_id = p_player
            where x.app_id = p_app and x.type_key = p_type and x.closed_at is null
              and x.starts_at <= p_now and coalesce(x.ends_at, 'infinity') > p_now loop
    continue when p.session_id <> p_session
      and (p_key < p.rank_key or (p_key = p.rank_key and (p_at, p_session) > (p.achieved_at, p.session_id)));
    if p.is_new then
      insert into period_best
        (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, metadata, version)
      values (p_app, p.board_key, p_player, p_score, p_key, p_session, p_at, p_joined, p_now, p_metadata, 1);
      v_moves := v_moves || jsonb_build_object('board', p.board_key, 'from', null, 'to', p_key, 'version', 1);
    elsif p.session_id = p_session and p_key < p.rank_key then
      v_worse := v_worse || p.board_key;
      v_starts := v_starts || p.starts_at;
      v_from := coalesce(v_from, '{}') || jsonb_build_object(p.board_key::text, p.rank_key);
    else
      v_better := v_better || p.board_key;
      v_from := coalesce(v_from, '{}') || jsonb_build_object(p.board_key::text, p.rank_key);
    end if;
  end loop;
  if v_better is not null then
    for u in update period_best y
                set score = p_score, rank_key = p_key, session_id = p_session, achieved_at = p_at, joined_at = p_joined,
                    written_at = p_now, metadata = p_metadata, version = y.version + 1
              where y.app_id = p_app and y.board_key = any (v_better) and y.player_id = p_player
             returning y.board_key, y.version loop
      v_moves := v_moves || jsonb_build_object('board', u.board_key, 'from', v_from -> u.board_key::text, 'to', p_key,
        'version', u.version);
    end loop;
  end if;
  if v_worse is not null then
    for u in update period_best y
                set score = n.score, rank_key = n.key, session_id = n.session_id, achieved_at = n.scored_at,
                    joined_at = n.created_at, written_at = n.updated_at, metadata = n.metadata, version = y.version + 1
               from unnest(v_worse, v_starts) w(board, start) cross join lateral (
                 select sp.score, case when p_ascending then 0 - sp.score else sp.score end as key, sp.session_id, sp.scored_at,
                        sp.created_at, sp.updated_at, sp.metadata
                   from session_players sp
                  where sp.app_id = p_app and sp.player_id = p_player and sp.type_key = p_type and sp.scored_at is not null
                    and sp.updated_at >= w.start
                  order by 2 desc, sp.scored_at, sp.session_id
                  limit 1) n
              where y.app_id = p_app and y.board_key = w.board and y.player_id = p_player
             returning y.board_key, y.rank_key, y.version loop
      v_moves := v_moves || jsonb_build_object('board', u.board_key, 'from', v_from -> u.board_key::text,
        'to', u.rank_key, 'version', u.version);
    end loop;
  end if;
  return nullif(v_moves, '[]');
end $$;

create or replace function record_group_in_periods(p_n int[], p_app uuid[], p_type uuid[], p_session uuid[], p_player uuid[],
  p_now timestamptz)
returns table (n int, periods jsonb) language plpgsql volatile set enable_seqscan = off as $$
begin
  return query
  with moved as materialized (
    select i.n, i.app, i.player, x.board_key, b.player_id is null as is_new, b.rank_key as old_key, best.*
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
