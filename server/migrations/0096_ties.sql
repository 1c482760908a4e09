-- needs 0069_score_mode_boards.sql: an older release could not read the mode of a type whose equal scores have another order
-- How equal scores of different players are ordered: the one that was reached first above, the one that was reached last, or
-- by the ID of the player alone.
--
-- Every board is ordered by its index: the best score, then achieved_at, then the player. So achieved_at of a board is the
-- moment that a score was reached for `first`, that moment mirrored at 1970 for `last`, and 1970 for `none`. Only
-- counted_score and sessions' boards, which have no index, need to know; what writes scores counts again unless the mode is best.

alter table mini_game_types
  drop constraint mini_game_types_score_mode_check,
  add constraint mini_game_types_score_mode_check check (score_mode ~ '^(best|latest|sum)( (last|none))?$') not valid;
alter table mini_game_types validate constraint mini_game_types_score_mode_check;
comment on column mini_game_types.score_mode is
  'What counts of a player''s scores: the best, the one that was written last, or their sum. Then which of equal scores is above: without a word the one that was reached first; last; or none, by the player. Fixed once a score is written.';

-- What a board orders equal scores by, instead of when they were reached. Without numbers, which would round microseconds.
create function tie_order(p_mode text, p_at timestamptz) returns timestamptz language sql immutable
return case split_part(p_mode, ' ', 2)
         when 'last' then (timestamp 'epoch' - ((p_at at time zone 'UTC') - timestamp 'epoch')) at time zone 'UTC'
         when 'none' then timestamp 'epoch' at time zone 'UTC'
         else p_at end;

-- As in 0067_score_modes.sql. Of a player's own scores, the one that was reached first counts, whatever the order of ties.
create or replace function counted_score(p_mode text, p_ascending boolean, p_scores session_score[])
returns setof counted_score language sql stable as $$
  select v.score, case when p_ascending then 0 - v.score else v.score end, s.session_id, tie_order(p_mode, s.scored_at),
         s.joined_at, s.written_at, s.metadata
    from split_part(p_mode, ' ', 1) m(mode)
   cross join lateral (
     select * from unnest(p_scores) o
      order by case when m.mode = 'best' then case when p_ascending then 0 - o.score else o.score end end desc,
               case when m.mode = 'latest' then o.written_at end desc,
               case when m.mode = 'sum' and o.score <> 0 then o.scored_at end desc nulls last,
               o.scored_at, o.session_id
      limit 1) s
   cross join lateral (
     select case when m.mode = 'sum' then (select sum(o.score::text::numeric)::float8 from unnest(p_scores) o)
                 else s.score end) v(score)
$$;

-- As in 0067_score_modes.sql.
create or replace function check_summand() returns trigger language plpgsql as $$
begin
  if exists (select from mini_game_types t
              where t.app_id = new.app_id and t.id = new.type_key and t.score_mode like 'sum%') then
    raise exception 'score % is too large for a sum', new.score using errcode = 'ZS400';
  end if;
  return new;
end $$;

-- As in 0067_score_modes.sql, with ties.
create or replace function publish_session(p_app uuid, p_session uuid, p_type text) returns void language plpgsql volatile as $$
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
          'minScore', t.min_score, 'maxScore', t.max_score,
          'submittedBy', t.submitted_by, 'timeZone', t.time_zone,
          'historyDays', t.history_days, 'rules', t.rules, 'segments', t.segments,
          'scoreMode', split_part(t.score_mode, ' ', 1),
          'ties', coalesce(nullif(split_part(t.score_mode, ' ', 2), ''), 'first')) end)
    || case g.status when 'paused' then '{"paused": true}'::jsonb else '{}'::jsonb end, null)
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
end $$;

-- As in 0087_judged_score_plan.sql, for totals with every order of ties.
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
    left join lateral (
      select sp.player_id from session_players sp
       where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = i.player offset 0) sp on true
   where sp.player_id is null or i.score < s.min_score or i.score > s.max_score;
  if found then return; end if;

  for h in
    select i.i::int as i, coalesce(broken_rules(s.rules,
             case when s.ascending then 0 - i.score else i.score + 0.0 end,
             -- a hidden player has no best on boards
             case when s.mode like 'sum%' then (  -- the score of the session makes way for it
                    select case when s.ascending then 0 - sp.score else sp.score end
                     where exists (select from counted_score_of(p_app, s.type_key, i.player)))
                  when b.version >= 0 then b.rank_key
                  else (select c.rank_key from counted_score_of(p_app, s.type_key, i.player) c) end,
             sp.created_at, s.open_until is not null,
             i.metadata::jsonb, pace.writes, v_now), '{}') || case when i.hold is not null then array['hook'] else '{}' end as reasons,
           nullif(i.hold, '') as note
      from unnest(p_players, p_scores, p_metadata, p_holds) with ordinality i(player, score, metadata, hold, i)
     cross join lateral (
       select sp.score, sp.created_at from session_players sp
        where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = i.player offset 0) sp
     cross join lateral (
       select b.version, b.rank_key from player_best b
        where b.app_id = p_app and b.type_key = s.type_key and b.player_id = i.player offset 0) b
      left join lateral (
        select p.writes from score_pace p
         where p.app_id = p_app and p.type_key = s.type_key and p.player_id = i.player offset 0) pace on true
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
