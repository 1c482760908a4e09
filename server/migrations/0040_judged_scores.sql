-- needs 0036_score_metadata.sql: an older release would write scores without judging them
-- Scores that are judged before they count: rules of a mini game type, and reviews of what was held.
--
-- save_judged_scores stands in front of save_scores_group (0034_period_score_groups.sql) for types with rules; all other
-- scores do not pass through here. Its locks come in the order of 0012_scores.sql, then that of the app's
-- held scores (advisory; key: the app's id hashed with seed 72).

alter table mini_game_types add column rules jsonb;
comment on column mini_game_types.rules is
  'What a score must satisfy, or it is held: maxPerMinute, maxIncrease, minSessionSeconds, requireMetadata. Null: no rules.';

create table held_scores (
  app_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  player_id uuid not null,
  type_key uuid not null,
  score float8 not null check (score > '-Infinity' and score < 'Infinity'),
  metadata json,
  reasons text[] not null,
  state text not null default 'held' check (state in ('held', 'accepted', 'rejected')),
  note text,
  created_at timestamptz not null default clock_timestamp(),
  reviewed_at timestamptz,
  written_at timestamptz,
  former_score float8,
  former_scored_at timestamptz,
  former_updated_at timestamptz,
  former_metadata json,
  primary key (app_id, id),
  foreign key (app_id, session_id, player_id) references session_players on delete cascade
);
create index held_scores_newest on held_scores (app_id, created_at desc, id desc);
create index held_scores_of_state on held_scores (app_id, state, created_at desc, id desc);
create index held_scores_of_player on held_scores (app_id, player_id, created_at desc, id desc);
create index held_scores_of_session on held_scores (app_id, session_id, player_id);

comment on table held_scores is 'Scores that were kept back for a review, and what was decided.';
comment on column held_scores.reasons is 'The rules that the score broke.';
comment on column held_scores.written_at is
  'When an accepted score was written: its session_players.updated_at. While that is equal, nothing was written since.';
comment on column held_scores.former_score is
  'With the other former columns: the row in session_players before the score was accepted.';

create table score_pace (
  app_id uuid not null,
  type_key uuid not null,
  player_id uuid not null,
  writes timestamptz[] not null,
  primary key (app_id, player_id, type_key),
  foreign key (app_id, player_id) references players (app_id, id) on delete cascade
) with (fillfactor = 70);

comment on table score_pace is
  'When a player last wrote scores of a type with maxPerMinute, as many moments as the rule needs. Locked by player_best.';

-- Tells every process that what an app judges has changed.
create function note_judging() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects)
  values ('judging', array[(case when tg_op = 'DELETE' then old.app_id else new.app_id end)::text]);
  return null;
end $$;
create trigger mini_game_types_ruled after insert on mini_game_types
  for each row when (new.rules is not null) execute function note_judging();
create trigger mini_game_types_rules_changed after update of rules on mini_game_types
  for each row when (new.rules is distinct from old.rules) execute function note_judging();

-- The rules that a score breaks. p_key and p_best are rank keys; p_best is null without a score before.
create function broken_rules(p_rules jsonb, p_key float8, p_best float8, p_joined timestamptz, p_is_recorded boolean,
  p_metadata jsonb, p_writes timestamptz[], p_now timestamptz)
returns text[] language sql immutable
return array_remove(array[
  case when (select count(*) from unnest(p_writes) w where w > p_now - interval '1 minute')
            >= (p_rules ->> 'maxPerMinute')::int then 'maxPerMinute' end,
  case when p_key - p_best > (p_rules ->> 'maxIncrease')::float8 then 'maxIncrease' end,
  case when not p_is_recorded and p_now < p_joined + make_interval(secs => (p_rules ->> 'minSessionSeconds')::float8)
       then 'minSessionSeconds' end,
  case when exists (select from jsonb_array_elements_text(p_rules -> 'requireMetadata') name
                     where not coalesce(p_metadata ? name, false)) then 'requireMetadata' end], null);

-- Removes the reviewed scores that are oldest, so that an app has room for p_new held ones. Locks the held scores of the app.
create function make_room_for_held(p_app uuid, p_new int, p_quota int) returns boolean language plpgsql volatile as $$
declare
  v_over bigint;
  v_removed bigint;
begin
  perform pg_advisory_xact_lock(uuid_hash_extended(p_app, 72));
  v_over := (select count(*) from held_scores h where h.app_id = p_app) + p_new - p_quota;
  if v_over <= 0 then return true; end if;
  delete from held_scores h
   where h.app_id = p_app and h.id in (
     select x.id from held_scores x where x.app_id = p_app and x.state <> 'held' order by x.created_at, x.id limit v_over);
  get diagnostics v_removed = row_count;
  return v_removed = v_over;
end $$;

-- Judges 1 to 1000 scores of one session and writes them, all or nothing, as save_scores does: what satisfies the rules is
-- written, the rest is held. outcome, beside those of save_scores: held (held_id is its review, score that of the session, unchanged);
-- held_full and held_too_many, without n: nothing was written, because the app, or the player of an item, has too many held.
create function save_judged_scores(p_app uuid, p_session uuid, p_players uuid[], p_scores float8[], p_metadata text[],
  p_quota int, p_player_quota int)
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
  h record;
begin
  if (select count(distinct x) from unnest(p_players) x) <> v_n then
    raise exception 'players repeat' using errcode = '22023';
  end if;
  perform lock_for_scores(v_apps, v_sessions, p_players);
  for h in select p.id from players p where p.app_id = p_app and p.id = any (p_players) and p.standing = 'banned' loop
    raise exception 'player % is banned', h.id using errcode = 'ZB403';
  end loop;
  select g.type_key, g.status, g.open_until, t.min_score, t.max_score, t.rules, coalesce(t.ascending, false) as ascending into s
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
             case when b.version >= 0 then b.rank_key else (
               select max(case when s.ascending then 0 - x.score else x.score end) from session_players x
                where x.app_id = p_app and x.player_id = i.player and x.type_key = s.type_key and x.scored_at is not null) end,
             sp.created_at, s.open_until is not null,
             i.metadata::jsonb, pace.writes, v_now), '{}') as reasons
      from unnest(p_players, p_scores, p_metadata) with ordinality i(player, score, metadata, i)
      join session_players sp on sp.app_id = p_app and sp.session_id = p_session and sp.player_id = i.player
      join player_best b on b.app_id = p_app and b.type_key = s.type_key and b.player_id = i.player
      left join score_pace pace on pace.app_id = p_app and pace.type_key = s.type_key and pace.player_id = i.player
     order by 1 loop
    if h.reasons = '{}' then v_good := v_good || h.i;
    else
      v_held := v_held || h.i;
      v_reasons := v_reasons || h.reasons::text;
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
    insert into held_scores as y (app_id, id, session_id, player_id, type_key, score, metadata, reasons, created_at)
    select p_app, gen_random_uuid(), p_session, p_players[k.i], s.type_key, p_scores[k.i] + 0.0, p_metadata[k.i]::json,
           k.reasons::text[], v_now
      from unnest(v_held, v_reasons) k(i, reasons)
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

-- Mini game types in events have all members.
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
          'historyDays', t.history_days, 'rules', t.rules) end)
    || case g.status when 'paused' then '{"paused": true}'::jsonb else '{}'::jsonb end, null)
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
end $$;
