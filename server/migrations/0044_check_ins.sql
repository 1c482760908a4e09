-- Check-ins of players at fences, and the points that they are awarded.

-- The game session in which an app's awards of a mini game type are scored: a player's score is the sum of its points.
create table fence_awards (
  app_id uuid not null references apps on delete cascade,
  type_key uuid not null,
  session_id uuid not null,
  primary key (app_id, type_key),
  unique (app_id, session_id),
  foreign key (app_id, session_id) references game_sessions on delete cascade
);

comment on table fence_awards is 'The game sessions that hold the points of check-ins, one for each mini game type.';

create table check_ins (
  app_id uuid not null,
  id uuid not null,
  fence_id uuid not null,
  player_id uuid not null,
  state text not null check (state in ('accepted', 'held', 'rejected')),
  reason text,
  note text,
  fix_at timestamptz not null,
  mark text,
  type_key uuid,
  session_id uuid,
  points double precision,
  score double precision,
  created_at timestamptz not null default clock_timestamp(),
  reviewed_at timestamptz,
  primary key (app_id, id),
  unique (app_id, player_id, fence_id, fix_at),
  foreign key (app_id, player_id) references players on delete cascade,
  foreign key (app_id, fence_id) references fences on delete cascade
);
create index check_ins_list on check_ins (app_id, created_at, id);
create index check_ins_latest on check_ins (app_id, player_id, fence_id, created_at) where state <> 'rejected';
create index check_ins_held on check_ins (app_id, created_at, id) where state = 'held';
create index check_ins_fence on check_ins (app_id, fence_id);
create index check_ins_mark on check_ins (app_id, mark) where mark is not null;

comment on table check_ins is 'Check-ins that were accepted or are held for review. Refused ones leave no row.';
comment on column check_ins.reason is 'Why it was held.';
comment on column check_ins.fix_at is 'The time of the fix, which is not kept itself. A second request with it is the same check-in.';
comment on column check_ins.mark is
  'A keyed hash of the fix, by which one that several players send is found. Removed after a day.';
comment on column check_ins.score is 'The score of the player after the award.';

-- A check-in as the API returns it and as events hold it.
create function check_in_json(c check_ins) returns jsonb language sql stable as $$
  select jsonb_build_object('id', c.id, 'fenceId', c.fence_id, 'playerId', c.player_id, 'state', c.state, 'reason', c.reason,
    'createdAt', api_moment(c.created_at), 'reviewedAt', api_moment(c.reviewed_at), 'note', c.note,
    'awards', case when c.score is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
      'miniGameTypeId', nullif(c.type_key, '00000000-0000-0000-0000-000000000000'), 'gameSessionId', c.session_id,
      'points', c.points, 'score', c.score)) end)
$$;

-- Adds points to the score of a player in the session of awards. Raises CA001 with the outcome of save_score if that refuses.
create function award_points(p_app uuid, p_session uuid, p_player uuid, p_points double precision,
  out score double precision, out type_key uuid, out old_best float8, out new_best float8, out version bigint, out xid text,
  out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_registered text;
  r record;
begin
  v_registered := register_player(p_app, p_session, p_player);
  if v_registered not in ('ok', 'again') then
    raise exception '%', v_registered using errcode = 'CA001';
  end if;
  select coalesce(sp.score, 0) + p_points into score
    from session_players sp where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player;
  select * into r from save_score(p_app, p_session, p_player, score);
  if r.outcome <> 'ok' then
    raise exception '%', r.outcome using errcode = 'CA001';
  end if;
  type_key := r.type_key;
  old_best := r.old_best;
  new_best := r.new_best;
  version := r.version;
  xid := r.xid;
  periods := r.periods;
end $$;

-- Locks the session of awards and its type, before the player.
create function lock_award(p_app uuid, p_session uuid) returns void language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(uuid_hash_extended(p_session, 71));
  update mini_game_types t set scored = true
    from game_sessions g
   where g.app_id = p_app and g.id = p_session and t.app_id = p_app and t.id = g.type_key and not t.scored;
end $$;

-- Records a check-in that was judged, with its award, in one transaction. Lock order: session (advisory), player, then as in
-- 0012_scores.sql.
-- outcome: recorded; same (the fix was sent before); changed (the position was written since it was read); already (with
-- next_at, unless it is never possible again); pending (one is held); no_player (or a banned one); no_fence.
create function record_check_in(p_app uuid, p_player uuid, p_fence uuid, p_id uuid, p_at timestamptz, p_version bigint,
  p_plausible jsonb, p_reason text, p_mark text, p_once text, p_cooldown int, p_time_zone text,
  p_session uuid, p_points double precision, p_shared int,
  out outcome text, out next_at timestamptz, out check_in jsonb, out type_key uuid, out old_best float8, out new_best float8,
  out version bigint, out xid text, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  c check_ins;
  a record;
  v_score double precision;
  v_now timestamptz;
  v_seen bigint;
begin
  if p_session is not null then perform lock_award(p_app, p_session); end if;
  perform 1 from players where app_id = p_app and id = p_player and standing <> 'banned' for no key update;
  if not found then outcome := 'no_player'; return; end if;
  perform 1 from fences where app_id = p_app and id = p_fence for key share;
  if not found then outcome := 'no_fence'; return; end if;
  v_now := clock_timestamp();

  select * into c from check_ins
   where app_id = p_app and player_id = p_player and fence_id = p_fence and fix_at = p_at;
  if found then outcome := 'same'; check_in := check_in_json(c); return; end if;

  select coalesce(max(y.version), 0) into v_seen from (
    select y.version from player_positions y where y.app_id = p_app and y.player_id = p_player for update) y;
  if v_seen <> p_version then outcome := 'changed'; return; end if;

  select * into c from check_ins
   where app_id = p_app and player_id = p_player and fence_id = p_fence and state <> 'rejected'
   order by created_at desc limit 1;
  if c.state = 'held' then outcome := 'pending'; return; end if;
  if c.id is not null then
    next_at := case p_once
      when 'day' then (date_trunc('day', c.created_at at time zone p_time_zone) + interval '1 day') at time zone p_time_zone
      when 'cooldown' then c.created_at + make_interval(secs => p_cooldown) end;
    if next_at is null or next_at > v_now then outcome := 'already'; return; end if;
    next_at := null;
  end if;

  if p_reason is null and p_shared <= (
    select count(distinct player_id) from check_ins
     where app_id = p_app and mark = p_mark and player_id <> p_player and created_at > v_now - interval '1 day') then
    p_reason := 'shared_fix';
  end if;

  if p_version = 0 then
    insert into player_positions (app_id, player_id, version, plausible) values (p_app, p_player, 1, p_plausible);
  else
    -- what is older than the app keeps it is not kept any longer for this
    update player_positions y
       set version = y.version + 1, plausible = p_plausible, seen_at = v_now, fix = case when k.fresh then y.fix end,
           stays = case when k.fresh then y.stays else '[]' end
      from (select coalesce((select retain_seconds from fence_settings where app_id = p_app), 600)) r(seconds),
           lateral (select o.seen_at > v_now - make_interval(secs => r.seconds) as fresh from player_positions o
                     where o.app_id = p_app and o.player_id = p_player) k
     where y.app_id = p_app and y.player_id = p_player;
  end if;

  if p_reason is null and p_session is not null then
    select * into a from award_points(p_app, p_session, p_player, p_points);
    v_score := a.score;
    type_key := a.type_key;
    old_best := a.old_best;
    new_best := a.new_best;
    version := a.version;
    xid := a.xid;
    periods := a.periods;
  end if;
  insert into check_ins (app_id, id, fence_id, player_id, state, reason, fix_at, mark, type_key, session_id, points, score,
    created_at)
  values (p_app, p_id, p_fence, p_player, case when p_reason is null then 'accepted' else 'held' end, p_reason, p_at, p_mark,
    type_key, case when xid is not null then p_session end, case when xid is not null then p_points end,
    v_score, v_now)
  returning * into c;
  check_in := check_in_json(c);
  outcome := 'recorded';
  perform publish_event(p_app, null, 'check_in.' || c.state, p_player::text, check_in,
    (select user_id from players where app_id = p_app and id = p_player));
end $$;

-- Accepts or rejects a held check-in, with an audit entry. outcome: reviewed, not_found, not_held.
create function review_check_in(p_app uuid, p_id uuid, p_accepts boolean, p_note text, p_session uuid, p_points double precision,
  p_actor text, p_address text,
  out outcome text, out check_in jsonb, out player_id uuid, out type_key uuid, out old_best float8, out new_best float8,
  out version bigint, out xid text, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  c check_ins;
  a record;
  v_score double precision;
begin
  if p_session is not null then perform lock_award(p_app, p_session); end if;
  select ci.player_id into player_id from check_ins ci where ci.app_id = p_app and ci.id = p_id;
  perform 1 from players p where p.app_id = p_app and p.id = player_id for no key update;
  select * into c from check_ins ci where ci.app_id = p_app and ci.id = p_id for update;
  if c.id is null then outcome := 'not_found'; return; end if;
  if c.state <> 'held' then outcome := 'not_held'; check_in := check_in_json(c); return; end if;
  if p_accepts and p_session is not null then
    select * into a from award_points(p_app, p_session, c.player_id, p_points);
    v_score := a.score;
    type_key := a.type_key;
    old_best := a.old_best;
    new_best := a.new_best;
    version := a.version;
    xid := a.xid;
    periods := a.periods;
  end if;
  update check_ins ci
     set state = case when p_accepts then 'accepted' else 'rejected' end, note = p_note, reviewed_at = clock_timestamp(),
         type_key = review_check_in.type_key, session_id = case when xid is not null then p_session end,
         points = case when xid is not null then p_points end, score = v_score
   where ci.app_id = p_app and ci.id = p_id
  returning * into c;
  insert into audit_log (actor, action, subject, address) values (p_actor, 'check_in.' || c.state, p_id::text, p_address);
  check_in := check_in_json(c);
  outcome := 'reviewed';
  perform publish_event(p_app, null, 'check_in.' || c.state, c.player_id::text, check_in,
    (select user_id from players p where p.app_id = p_app and p.id = c.player_id));
end $$;
