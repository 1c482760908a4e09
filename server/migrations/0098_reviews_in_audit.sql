-- needs 0049_audit_changes.sql: it replaces functions that write audit entries
-- Audit entries of reviews name the app, by which the console finds what was reviewed, and the state before and after.

-- As in 0045_score_reviews.sql.
create or replace function review_score(p_app uuid, p_id uuid, p_state text, p_note text, p_actor text, p_address text,
  out outcome text, out player_id uuid, out type_key uuid, out old_best float8, out new_best float8, out version bigint,
  out xid text, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  h held_scores;
  s record;
  f record;
  v_written timestamptz;
begin
  select * into h from held_scores x where x.app_id = p_app and x.id = p_id;
  if not found then outcome := 'no_review'; return; end if;
  -- the locks of save_scores_group come first: deletions take them before the held score
  perform lock_for_scores(array[p_app], array[h.session_id], array[h.player_id]);
  select * into h from held_scores x where x.app_id = p_app and x.id = p_id for update;
  if not found then outcome := 'no_review'; return; end if;
  if h.state = p_state then outcome := 'same'; return; end if;
  player_id := h.player_id;
  type_key := h.type_key;
  select g.status, g.open_until, coalesce(t.ascending, false) as ascending into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = h.session_id;
  select sp.score, sp.scored_at, sp.updated_at, sp.metadata into f from session_players sp
   where sp.app_id = p_app and sp.session_id = h.session_id and sp.player_id = h.player_id;

  if p_state = 'accepted' then
    if s.status <> 'active' then
      update game_sessions g set open_until = 'infinity' where g.app_id = p_app and g.id = h.session_id;
    end if;
    select r.outcome, r.old_best, r.new_best, r.version, r.xid, r.periods, r.updated_at
      into outcome, old_best, new_best, version, xid, periods, v_written
      from save_scores_group(array[p_app], array[h.session_id], array[h.player_id], array[h.score],
             array[h.metadata]) r;
    if s.status <> 'active' then
      update game_sessions g set open_until = s.open_until where g.app_id = p_app and g.id = h.session_id;
    end if;
    if outcome <> 'ok' then return; end if;
  elsif h.state = 'accepted' then
    if f.updated_at <> h.written_at then outcome := 'written_since'; return; end if;
    select r.old_best, r.new_best, r.version, r.periods into old_best, new_best, version, periods
      from restore_former_score(h, s.ascending) r;
    xid := pg_current_xact_id()::text;
  end if;

  outcome := 'ok';
  update held_scores x
     set state = p_state, note = p_note, reviewed_at = clock_timestamp(), written_at = v_written,
         former_score = case when p_state = 'accepted' then f.score end,
         former_scored_at = case when p_state = 'accepted' then f.scored_at end,
         former_updated_at = case when p_state = 'accepted' then f.updated_at end,
         former_metadata = case when p_state = 'accepted' then f.metadata end
   where x.app_id = p_app and x.id = p_id;
  insert into audit_log (actor, action, subject, address, app_id, changes)
  values (p_actor, 'held_score.' || p_state, p_id::text, p_address, p_app,
          jsonb_build_object('state', jsonb_build_object('from', h.state, 'to', p_state)));
end $$;

-- As in 0044_check_ins.sql.
create or replace function review_check_in(p_app uuid, p_id uuid, p_accepts boolean, p_note text, p_session uuid, p_points double precision,
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
  insert into audit_log (actor, action, subject, address, app_id, changes)
  values (p_actor, 'check_in.' || c.state, p_id::text, p_address, p_app,
          jsonb_build_object('state', jsonb_build_object('from', 'held', 'to', c.state)));
  check_in := check_in_json(c);
  outcome := 'reviewed';
  perform publish_event(p_app, null, 'check_in.' || c.state, c.player_id::text, check_in,
    (select user_id from players p where p.app_id = p_app and p.id = c.player_id));
end $$;

-- As in 0095_points_taken_back.sql.
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
  insert into audit_log (actor, action, subject, address, app_id, changes)
  values (p_actor, 'check_in.' || c.state, p_id::text, p_address, p_app,
          jsonb_build_object('state', jsonb_build_object('from', case when p_accepts then 'rejected' else 'accepted' end, 'to', c.state)));
  check_in := check_in_json(c);
  perform publish_event(p_app, null, 'check_in.' || c.state, c.player_id::text, check_in,
    (select user_id from players p where p.app_id = p_app and p.id = c.player_id));
end $$;
