-- Rejecting an accepted check-in takes its points back, whatever has become of the player and the game session.

-- Takes points off the score of a player in a session, also of a banned player. The caller has locked the session and the player.
-- Without such a score nothing is taken, and xid is null. Raises CA001 with the outcome of save_score if that refuses.
create function take_points_back(p_app uuid, p_session uuid, p_player uuid, p_points double precision,
  out type_key uuid, out old_best float8, out new_best float8, out version bigint, out xid text, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now timestamptz;
begin
  perform 1 from session_players sp
    where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player and sp.scored_at is not null;
  if not found then return; end if;
  if exists (select from players p where p.app_id = p_app and p.id = p_player and p.standing <> 'banned') then
    select a.type_key, a.old_best, a.new_best, a.version, a.xid, a.periods
      into type_key, old_best, new_best, version, xid, periods
      from award_points(p_app, p_session, p_player, -p_points) a;
    return;
  end if;
  -- no board shows a banned player: those are made from its scores again when its standing changes
  v_now := clock_timestamp();
  update session_players sp set score = sp.score - p_points + 0.0, scored_at = v_now, updated_at = v_now
   where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player;
  if has_webhook(p_app, 'score.updated') then perform publish_score(p_app, p_session, p_player); end if;
end $$;

-- As in 0093_doubts.sql. A rejected check-in takes its points off the score as take_points_back does.
create or replace function revise_check_in(p_app uuid, p_id uuid, p_accepts boolean, p_note text, p_session uuid, p_points double precision,
  p_once text, p_cooldown int, p_time_zone text, p_actor text, p_address text,
  out outcome text, out check_in jsonb, out player_id uuid, out type_key uuid, out old_best float8, out new_best float8,
  out version bigint, out xid text, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  c check_ins;
  a record;
  v_session uuid;
  v_score double precision;
begin
  select * into c from check_ins ci where ci.app_id = p_app and ci.id = p_id and ci.reason is not null;
  player_id := c.player_id;
  v_session := case when p_accepts then p_session else c.session_id end;
  if v_session is not null then perform lock_award(p_app, v_session); end if;
  perform 1 from players p where p.app_id = p_app and p.id = player_id for no key update;
  select * into c from check_ins ci where ci.app_id = p_app and ci.id = p_id and ci.reason is not null for update;
  if c.id is null then outcome := 'not_found'; return; end if;
  if c.state = 'held' then
    select * into a from review_check_in(p_app, p_id, p_accepts, p_note, p_session, p_points, p_actor, p_address);
    outcome := a.outcome; check_in := a.check_in; type_key := a.type_key; old_best := a.old_best; new_best := a.new_best;
    version := a.version; xid := a.xid; periods := a.periods;
    return;
  end if;
  check_in := check_in_json(c);
  outcome := 'reviewed';
  if c.state = (case when p_accepts then 'accepted' else 'rejected' end) then return; end if;
  if not p_accepts and c.session_id is distinct from v_session then outcome := 'changed'; return; end if;

  if p_accepts and exists (
    select from check_ins o
     where o.app_id = p_app and o.player_id = c.player_id and o.fence_id = c.fence_id and o.id <> c.id and o.state <> 'rejected'
       and case p_once
         when 'day' then date_trunc('day', o.created_at at time zone p_time_zone)
                       = date_trunc('day', c.created_at at time zone p_time_zone)
         when 'cooldown' then abs(extract(epoch from o.created_at - c.created_at)) < p_cooldown
         else true end) then
    outcome := 'already';
    return;
  end if;
  if v_session is not null and p_accepts then
    select * into a from award_points(p_app, v_session, c.player_id, p_points);
    v_score := a.score;
  elsif v_session is not null and c.points <> 0 then
    select * into a from take_points_back(p_app, v_session, c.player_id, c.points);
  end if;
  if v_session is not null and (p_accepts or c.points <> 0) then
    type_key := a.type_key;
    old_best := a.old_best;
    new_best := a.new_best;
    version := a.version;
    xid := a.xid;
    periods := a.periods;
  end if;
  update check_ins ci
     set state = case when p_accepts then 'accepted' else 'rejected' end, note = p_note, reviewed_at = clock_timestamp(),
         type_key = case when p_accepts then revise_check_in.type_key end,
         session_id = case when p_accepts then v_session end,
         points = case when p_accepts and v_session is not null then p_points end,
         score = case when p_accepts then v_score end
   where ci.app_id = p_app and ci.id = p_id
  returning * into c;
  insert into audit_log (actor, action, subject, address) values (p_actor, 'check_in.' || c.state, p_id::text, p_address);
  check_in := check_in_json(c);
  perform publish_event(p_app, null, 'check_in.' || c.state, c.player_id::text, check_in,
    (select user_id from players p where p.app_id = p_app and p.id = c.player_id));
end $$;
