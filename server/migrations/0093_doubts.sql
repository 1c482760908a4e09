-- Why events at fences may be wrong, and one list of reviews.

-- The fixes with which players enter fences, by which one that several players send is found.
create table entering_fixes (
  app_id uuid not null,
  mark text not null,
  player_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (app_id, mark, player_id),
  foreign key (app_id, player_id) references players on delete cascade
);
create index entering_fixes_player on entering_fixes (app_id, player_id);
create index entering_fixes_old on entering_fixes (at);

comment on table entering_fixes is
  'Keyed hashes of the fixes with which players have entered fences. Kept for an hour. Not part of a backup.';

comment on column player_positions.plausible is
  'The newest fix that the player can have reached from the one before, when it was received, and how many milliseconds of travel are left beyond the time since: check-ins and doubts measure the speed from here.';

-- As in 0051_review_events.sql, with the members that tell reviews of scores from those of check-ins.
create or replace function publish_review() returns trigger language plpgsql as $$
declare
  v_type text := case when tg_op = 'INSERT' then 'score.held' else 'score.reviewed' end;
begin
  if not has_webhook(new.app_id, v_type) then return null; end if;
  perform publish_event(new.app_id, null, v_type, h.player_id::text,
    jsonb_build_object('id', h.id, 'kind', 'score', 'gameSessionId', h.session_id,
      'miniGameTypeId', nullif(h.type_key, '00000000-0000-0000-0000-000000000000'),
      'playerId', h.player_id, 'displayName', p.display_name, 'score', h.score,
      'currentScore', case when sp.scored_at is not null then sp.score end,
      'metadata', h.metadata, 'fenceId', null, 'fenceName', null, 'points', null,
      'reasons', h.reasons, 'state', h.state, 'note', h.note,
      'createdAt', api_moment(h.created_at), 'reviewedAt', api_moment(h.reviewed_at)), p.user_id)
    from held_scores h
    join players p on p.app_id = h.app_id and p.id = h.player_id
    join session_players sp on sp.app_id = h.app_id and sp.session_id = h.session_id and sp.player_id = h.player_id
   where h.app_id = new.app_id and h.id = new.id;
  return null;
end $$;

-- Decides about a check-in that was held, also once it is decided otherwise, with an audit entry. A rejected one takes its
-- points off the score. outcome: reviewed (also if it was decided so before), not_found, already (the player has another
-- check-in at the fence, and the rule allows one), changed (it was decided meanwhile).
create function revise_check_in(p_app uuid, p_id uuid, p_accepts boolean, p_note text, p_session uuid, p_points double precision,
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
  if v_session is not null and (p_accepts or c.points <> 0) then
    select * into a from award_points(p_app, v_session, c.player_id, case when p_accepts then p_points else -c.points end);
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
