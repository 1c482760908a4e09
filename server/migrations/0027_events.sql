-- What apps are told of, and how it is sent.

-- The app whose key was sent when the thing was made. An app that is gone has no webhooks either: no foreign key.
alter table files add column app_id uuid;
alter table csv_uploads add column app_id uuid;

-- While PENDING: BEHIND waits for one of the same subject that goes first, SENDING is being sent by some process until due_at.
alter table webhook_deliveries add column hold text check (hold in ('BEHIND', 'SENDING'));
-- How often it was tried in all, and how often it failed since it was last set going; of the attempts the last 50 are kept.
alter table webhook_deliveries add column tried int not null default 0, add column failures int not null default 0;
-- Nothing is sent there before this: the receiver asked for it.
alter table webhook_endpoints add column paused_until timestamptz;
-- Gone for its owner; its row follows its deliveries.
alter table webhook_endpoints add column deleted_at timestamptz;
alter table webhook_endpoints add check (deleted_at is null or not enabled);
alter table webhook_deliveries add foreign key (user_id) references users on delete cascade;
create index webhook_endpoints_deleted on webhook_endpoints (id) where deleted_at is not null;

-- A moment as the API answers it.
create function api_moment(p timestamptz) returns text language sql stable
return to_char(p at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Players ---------------------------------------------------------------------------------------------------------------

create function publish_player() returns trigger language plpgsql as $$
declare
  p players := coalesce(new, old);
  v_type text := case tg_op when 'INSERT' then 'player.created' when 'UPDATE' then 'player.updated' else 'player.deleted' end;
begin
  if not has_webhook(p.app_id, v_type) then return null; end if;
  perform publish_event(p.app_id, null, v_type, p.id::text,
    jsonb_build_object('id', p.id, 'displayName', p.display_name, 'userId', p.user_id, 'imageUrl', p.image_url,
      'createdAt', api_moment(p.created_at), 'updatedAt', api_moment(p.updated_at)), p.user_id);
  return null;
end $$;
create trigger players_told after insert or delete on players for each row execute function publish_player();
create trigger players_changed after update on players for each row
  when (old.* is distinct from new.*) execute function publish_player();

-- Game sessions ---------------------------------------------------------------------------------------------------------

create function publish_session(p_app uuid, p_session uuid, p_type text) returns void language plpgsql volatile as $$
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
          'minScore', t.min_score, 'maxScore', t.max_score) end)
    || case g.status when 'paused' then '{"paused": true}'::jsonb else '{}'::jsonb end, null)
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
end $$;

create function publish_new_session() returns trigger language plpgsql as $$
begin
  perform publish_session(new.app_id, new.id, 'game_session.created');
  -- A finished game that is recorded.
  if new.status = 'completed' then perform publish_session(new.app_id, new.id, 'game_session.completed'); end if;
  return null;
end $$;
create trigger game_sessions_told after insert on game_sessions for each row execute function publish_new_session();

create function publish_completed_session() returns trigger language plpgsql as $$
begin
  perform publish_session(new.app_id, new.id, 'game_session.completed');
  return null;
end $$;
-- As the transaction ends: one that completes a session may change its name as well.
create constraint trigger game_sessions_completed after update of status on game_sessions
  deferrable initially deferred
  for each row when (new.status = 'completed' and old.status <> 'completed') execute function publish_completed_session();

-- Scores ----------------------------------------------------------------------------------------------------------------

-- Of the player, so that its scores arrive in order with what else is told of it. Whoever writes one holds the player's best.
create function publish_scores() returns trigger language plpgsql as $$
begin
  if not exists (select from webhook_endpoints e
                  where e.app_id = any (array(select w.app_id from written w)) and e.enabled
                    and 'score.updated' = any (e.event_types)) then return null; end if;
  perform publish_event(w.app_id, null, 'score.updated', w.player_id::text,
    jsonb_build_object('gameSessionId', w.session_id, 'score', w.score, 'createdAt', api_moment(w.created_at),
      'updatedAt', api_moment(w.updated_at), 'playerId', w.player_id, 'displayName', p.display_name, 'imageUrl', p.image_url,
      'user', case when u.id is not null then jsonb_build_object('id', u.id, 'username', u.username) end), u.id)
    from written w
    join players p on p.app_id = w.app_id and p.id = w.player_id
    left join users u on u.id = p.user_id
   order by w.app_id, w.player_id;
  return null;
end $$;
-- Registration inserts, with no score yet; every score is an update.
create trigger session_players_scored after update on session_players referencing new table as written
  for each statement execute function publish_scores();

-- CSV uploads -----------------------------------------------------------------------------------------------------------

create function publish_csv_upload() returns trigger language plpgsql as $$
begin
  perform publish_event(new.app_id, new.user_id, 'csv_upload.' || lower(new.status), new.id::text,
    jsonb_build_object('id', new.id, 'fileName', new.file_name, 'fileUrl', new.file_url, 'status', new.status,
      'errorMessage', new.error_message, 'rowCount', new.row_count, 'processedRows', new.processed_rows,
      'userId', new.user_id, 'createdAt', api_moment(new.created_at), 'updatedAt', api_moment(new.updated_at)));
  return null;
end $$;
create trigger csv_uploads_told after update of status on csv_uploads for each row
  when (new.status in ('COMPLETED', 'FAILED') and old.status is distinct from new.status)
  execute function publish_csv_upload();

-- Sending ---------------------------------------------------------------------------------------------------------------

-- Takes what is due, for some seconds: nobody else takes it meanwhile. Of one subject only the first, and of each endpoint
-- p_room at most, less where p_endpoints says so. Two statements where one could do: the second sees what was settled
-- before the first had its locks, so that nothing is put behind a delivery that has left already.
create function claim_deliveries(p_room int, p_endpoints uuid[], p_rooms int[], p_seconds float8)
returns table (seq bigint, app_id uuid, endpoint_id uuid, id uuid, type text, created_at timestamptz, data text, failures int,
  url text, secret text, old_secret text)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_endpoint uuid := '00000000-0000-0000-0000-000000000000';
  v_room int;
  v_due bigint[];
  v_taken int;
  e record;
begin
  loop
    select d.endpoint_id into v_endpoint from webhook_deliveries d
     where d.status = 'PENDING' and d.endpoint_id > v_endpoint order by d.endpoint_id limit 1;
    exit when not found;
    v_room := coalesce((select k.room from unnest(p_endpoints, p_rooms) k(endpoint, room) where k.endpoint = v_endpoint), p_room);
    continue when v_room <= 0;
    select w.url, w.secret, case when w.old_secret_until > v_now then w.old_secret end as old_secret into e
      from webhook_endpoints w join apps a on a.id = w.app_id and a.deleted_at is null
     where w.id = v_endpoint and w.enabled and coalesce(w.paused_until <= v_now, true);
    continue when not found;

    -- Those that turn out to be behind others are put aside, so that they do not hide what can be sent.
    for i in 1..10 loop
      v_due := array(
        select d.seq from webhook_deliveries d
         where d.endpoint_id = v_endpoint and d.status = 'PENDING' and d.due_at <= v_now
         order by d.due_at, d.seq limit 500
           for update skip locked);
      exit when cardinality(v_due) = 0;
      return query
      with looked_at as materialized (
        select d.seq, not exists (
                 select from webhook_deliveries p
                  where p.endpoint_id = v_endpoint and p.subject = d.subject and p.status = 'PENDING' and p.seq < d.seq) as first
          from webhook_deliveries d where d.seq = any (v_due)),
      behind as (
        -- The one that goes first wakes it. An hour is for what nobody thought of.
        update webhook_deliveries d set hold = 'BEHIND', due_at = v_now + interval '1 hour'
          from looked_at l where not l.first and d.seq = l.seq)
      update webhook_deliveries d
         set hold = 'SENDING', due_at = v_now + make_interval(secs => p_seconds), tried_since = coalesce(d.tried_since, v_now)
        from (select l.seq from looked_at l where l.first order by l.seq limit v_room) l
       where d.seq = l.seq
      returning d.seq, d.app_id, d.endpoint_id, d.id, d.type, d.created_at, d.data::text, d.failures,
                e.url, e.secret, e.old_secret;
      get diagnostics v_taken = row_count;
      v_room := v_room - v_taken;
      exit when v_room <= 0;
    end loop;
  end loop;
end $$;

-- Lets the first of each of these subjects go, if it waited for another.
create function wake_deliveries(p_endpoints uuid[], p_subjects text[]) returns void language sql volatile
begin atomic
  update webhook_deliveries d set hold = null, due_at = clock_timestamp()
    from (select distinct f.seq
            from (select distinct * from unnest(p_endpoints, p_subjects) l(endpoint, subject)) l,
                 lateral (select n.seq from webhook_deliveries n
                           where n.endpoint_id = l.endpoint and n.subject = l.subject and n.status = 'PENDING'
                           order by n.seq limit 1) f) f
   where d.seq = f.seq and d.hold = 'BEHIND';
end;

-- Says what became of what was taken: DELIVERED, FAILED (tried again after so many seconds), GONE (the receiver wants no
-- more), RETURNED (was not tried). An endpoint where nothing arrived for p_days is disabled, and keeps what is pending; where
-- other things do arrive, a delivery is given up after as long. Returns the endpoints that were disabled.
create function settle_deliveries(p_seq bigint[], p_outcome text[], p_wait float8[], p_pause float8[], p_attempt text[], p_days float8)
returns table (app_id uuid, endpoint_id uuid, reason text)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_since timestamptz := v_now - make_interval(secs => p_days * 86400);
  v_endpoints uuid[];
  v_subjects text[];
begin
  perform 1 from webhook_endpoints e
   where e.id in (select d.endpoint_id from webhook_deliveries d where d.seq = any (p_seq)
                   and d.seq in (select r.seq from unnest(p_seq, p_outcome) r(seq, outcome) where r.outcome <> 'RETURNED'))
     and (e.failing_since is not null or 'FAILED' = any (p_outcome) or 'GONE' = any (p_outcome))
   order by e.id for no key update;

  return query
  with said as (
    select d.endpoint_id, bool_or(r.outcome = 'DELIVERED') as arrived, bool_or(r.outcome = 'FAILED') as failed,
           bool_or(r.outcome = 'GONE') as gone, max(r.pause) as pause
      from unnest(p_seq, p_outcome, p_pause) r(seq, outcome, pause)
      join webhook_deliveries d on d.seq = r.seq and d.status = 'PENDING'
     where r.outcome <> 'RETURNED'
     group by d.endpoint_id),
  disabled as (
    update webhook_endpoints e
       set failing_since = case when s.arrived then null when s.failed or s.gone then coalesce(e.failing_since, v_now) end,
           paused_until = case when s.pause > 0 then v_now + make_interval(secs => s.pause) else e.paused_until end,
           enabled = not f.finally, disabled_at = case when f.finally then v_now end, disabled_reason = f.reason,
           updated_at = case when f.finally then v_now else e.updated_at end
      from said s
      cross join lateral (
        select case when s.gone then 'The receiver answered 410 Gone'
                    when not s.arrived and s.failed and e2.failing_since < v_since then
                      'Nothing that was sent there arrived for ' || p_days || ' days' end as reason,
               e2.id
          from webhook_endpoints e2 where e2.id = s.endpoint_id) r
      cross join lateral (select r.reason, r.reason is not null as finally) f
     where e.id = s.endpoint_id and e.enabled
       and (f.finally or s.pause > 0 or (s.arrived and e.failing_since is not null)
            or (not s.arrived and s.failed and e.failing_since is null))
    returning e.app_id, e.id, f.reason),
  noted as (
    insert into audit_log (actor, action, subject, address)
    select 'service', 'webhook.disabled', d.id::text, null from disabled d where d.reason is not null)
  select d.app_id, d.id, d.reason from disabled d where d.reason is not null;

  with settled as (
    update webhook_deliveries d
       set attempts = case when r.outcome = 'RETURNED' then d.attempts
                           when jsonb_array_length(d.attempts) >= 50 then (d.attempts - 0) || r.attempt::jsonb
                           else d.attempts || r.attempt::jsonb end,
           tried = d.tried + (r.outcome <> 'RETURNED')::int,
           failures = d.failures + (r.outcome in ('FAILED', 'GONE'))::int,
           hold = null,
           status = case when r.outcome = 'DELIVERED' then 'DELIVERED'
                         when r.outcome = 'FAILED' and d.tried_since < v_since and e.enabled then 'FAILED'
                         else 'PENDING' end,
           settled_at = case when r.outcome = 'DELIVERED' or (r.outcome = 'FAILED' and d.tried_since < v_since and e.enabled)
                             then v_now end,
           due_at = v_now + make_interval(secs => r.wait)
      from unnest(p_seq, p_outcome, p_wait, p_attempt) r(seq, outcome, wait, attempt),
           webhook_endpoints e
     where d.seq = r.seq and d.status = 'PENDING' and e.id = d.endpoint_id
    returning d.endpoint_id, d.subject, d.status)
  select array_agg(s.endpoint_id), array_agg(s.subject) into v_endpoints, v_subjects from settled s where s.status <> 'PENDING';
  if v_endpoints is not null then perform wake_deliveries(v_endpoints, v_subjects); end if;
end $$;

-- Takes the records of a user out of the outbox and the log of deliveries.
create function forget_deliveries(p_user uuid) returns void language plpgsql volatile as $$
declare
  v_endpoints uuid[];
  v_subjects text[];
begin
  with gone as (delete from webhook_deliveries d where d.user_id = p_user returning d.endpoint_id, d.subject)
  select array_agg(g.endpoint_id), array_agg(g.subject) into v_endpoints, v_subjects from gone g;
  if v_endpoints is not null then perform wake_deliveries(v_endpoints, v_subjects); end if;
end $$;
