-- How long check-ins are kept, and positions that several players send at the same moment.

alter table fence_settings add column check_in_days int check (check_in_days between 1 and 3650);

comment on column fence_settings.check_in_days is 'How long check-ins are kept. Null: until they are deleted with their fence or player.';

-- Records a check-in that was judged, with its award, in one transaction. Lock order: session (advisory), player, position (advisory),
-- then as in 0012_scores.sql.
-- outcome: recorded; same (the fix was sent before); changed (the position was written since it was read); already (with
-- next_at, unless it is never possible again); pending (one is held); no_player (or a banned one); no_fence.
create or replace function record_check_in(p_app uuid, p_player uuid, p_fence uuid, p_id uuid, p_at timestamptz, p_version bigint,
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

  -- Of several players who send one position at the same moment, each sees those before it.
  if p_reason is null then
    perform pg_advisory_xact_lock(hashtextextended(p_app || p_mark, 72));
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
