-- Sending webhook events: leases, results, and limits of the backlog.
-- Advisory lock 7210024 is held by the process that enforces limits.

-- Leases deliveries that are due for p_seconds: the first of each subject, and at most p_room for each endpoint, or its entry
-- in p_rooms. Two statements where one could do: the second sees what was settled before the first had its locks, so that
-- nothing is put behind a delivery that has already left.
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

    -- Deliveries that turn out to be behind others are postponed, so that they do not hide those that can be sent.
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
        -- wake_deliveries makes it due again. The hour is a safety net.
        update webhook_deliveries d set hold = 'BEHIND', due_at = v_now + interval '1 hour'
          from looked_at l where not l.first and d.seq = l.seq)
      update webhook_deliveries d
         set hold = 'SENDING', due_at = v_now + make_interval(secs => p_seconds), tried_since = coalesce(d.tried_since, v_now)
        from (select l.seq from looked_at l where l.first order by l.seq limit v_room) l
       where d.seq = l.seq
      returning d.seq, d.app_id, d.endpoint_id, d.id, d.type, d.created_at,
                coalesce(d.data, (select w.data from webhook_events w where w.id = d.id))::text, d.failures, e.url, e.secret, e.old_secret;
      get diagnostics v_taken = row_count;
      v_room := v_room - v_taken;
      exit when v_room <= 0;
    end loop;
  end loop;
end $$;

-- Makes the first delivery of each of these subjects due, if it waited for another. It locks the row, so that a delivery which
-- another process is just putting behind is seen as that process leaves it.
create function wake_deliveries(p_endpoints uuid[], p_subjects text[]) returns void language sql volatile
begin atomic
  update webhook_deliveries d
     set hold = case when d.hold = 'BEHIND' then null else d.hold end,
         due_at = case when d.hold = 'BEHIND' then clock_timestamp() else d.due_at end
    from (select distinct f.seq
            from (select distinct * from unnest(p_endpoints, p_subjects) l(endpoint, subject)) l,
                 lateral (select n.seq from webhook_deliveries n
                           where n.endpoint_id = l.endpoint and n.subject = l.subject and n.status = 'PENDING'
                           order by n.seq limit 1) f) f
   where d.seq = f.seq;
end;

-- Records the results of leased deliveries: DELIVERED; FAILED (try again after p_wait seconds); GONE (the receiver wants no
-- more); RETURNED (not tried). An endpoint where nothing arrived for p_days is disabled, and keeps what is pending; where
-- other deliveries arrive, a delivery is given up after as long. Returns the endpoints that were disabled.
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

-- Deletes the deliveries with records of a user.
create function forget_deliveries(p_user uuid) returns void language plpgsql volatile as $$
declare
  v_endpoints uuid[];
  v_subjects text[];
begin
  with gone as (delete from webhook_deliveries d where d.user_id = p_user returning d.endpoint_id, d.subject)
  select array_agg(g.endpoint_id), array_agg(g.subject) into v_endpoints, v_subjects from gone g;
  if v_endpoints is not null then perform wake_deliveries(v_endpoints, v_subjects); end if;
end $$;

-- Limits -----------------------------------------------------------------------------------------------------------------

-- Disables the webhooks whose backlog exceeds a limit: of one webhook, of an app, of the whole service. Of an app the webhooks
-- with the largest backlog go first; of the service, the webhooks of the owner with the largest, until half of the limit is
-- left: a flood is over in few steps, and costs nobody else a webhook. Bytes are those of payloads and of logs of attempts.
-- One process at a time; others return at once. Returns every webhook over a limit, whose deliveries are to be removed, and
-- whether it was disabled now.
create function bound_backlogs(p_rows bigint, p_bytes bigint, p_app_rows bigint, p_app_bytes bigint, p_all_rows bigint,
  p_all_bytes bigint)
returns table (app_id uuid, endpoint_id uuid, reason text, removed bigint, is_new boolean)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_apps uuid[];
  v_over uuid[];
  v_rows bigint[];
  v_reasons text[];
begin
  if not pg_try_advisory_xact_lock(7210024) then return; end if;

  with backlog as materialized (
    select d.app_id, d.endpoint_id, count(*) as rows, sum(d.bytes + pg_column_size(d.attempts)) as bytes
      from webhook_deliveries d where d.status = 'PENDING' group by d.app_id, d.endpoint_id),
  sized as (
    select b.*, greatest(b.rows::float8 / p_rows, b.bytes::float8 / p_bytes) as share,
           b.rows > p_rows or b.bytes > p_bytes as is_over
      from backlog b),
  in_app as (
    select s.*, s.is_over or (sum(s.rows) over each > p_app_rows and sum(s.rows) over up > p_app_rows / 2)
             or (sum(s.bytes) over each > p_app_bytes and sum(s.bytes) over up > p_app_bytes / 2) as is_over_app
      from sized s
    window each as (partition by s.app_id, s.is_over), up as (each order by s.share, s.endpoint_id)),
  owned as (
    select a.*, greatest(sum(a.rows) over o::float8 / p_all_rows, sum(a.bytes) over o::float8 / p_all_bytes) as owner_share
      from in_app a left join apps on apps.id = a.app_id
    window o as (partition by a.is_over_app, apps.owner_id)),
  in_all as (
    select a.*, a.is_over_app or (sum(a.rows) over each > p_all_rows and sum(a.rows) over up > p_all_rows / 2)
             or (sum(a.bytes) over each > p_all_bytes and sum(a.bytes) over up > p_all_bytes / 2) as is_over_all
      from owned a
    window each as (partition by a.is_over_app), up as (each order by a.owner_share, a.share, a.endpoint_id))
  select array_agg(o.app_id), array_agg(o.endpoint_id), array_agg(o.rows), array_agg(case
           when o.is_over and o.rows > p_rows then
             format('%s deliveries waited, of %s that may: they were removed', o.rows, p_rows)
           when o.is_over then
             format('%s bytes waited, of %s that may: the %s deliveries were removed', o.bytes, p_bytes, o.rows)
           when o.is_over_app then
             format('More waited for the webhooks of this app than may: the %s deliveries of this one were removed', o.rows)
           else
             format('More waited for all webhooks of the service than may: the %s deliveries of this one were removed', o.rows)
         end)
    into v_apps, v_over, v_rows, v_reasons
    from in_all o where o.is_over_all;
  if v_over is null then return; end if;

  return query
  with disabled as (
    update webhook_endpoints e
       set enabled = false, disabled_at = coalesce(e.disabled_at, clock_timestamp()), disabled_reason = o.reason,
           updated_at = clock_timestamp()
      from unnest(v_over, v_reasons) o(endpoint, reason)
     where e.id = o.endpoint and e.deleted_at is null and (e.enabled or e.disabled_reason is null)
    returning e.id),
  noted as (
    insert into audit_log (actor, action, subject, address)
    select 'service', 'webhook.disabled', d.id::text, null from disabled d)
  select o.app, o.endpoint, o.reason, o.rows, exists (select from disabled d where d.id = o.endpoint)
    from unnest(v_apps, v_over, v_rows, v_reasons) o(app, endpoint, rows, reason);
end $$;

-- Removes up to p_batch pending deliveries of a webhook, except those being sent. Waits for nobody. Returns how many it
-- removed: call it until that is 0.
create function remove_waiting(p_endpoint uuid, p_batch int) returns int language plpgsql volatile as $$
declare
  v_removed int;
begin
  delete from webhook_deliveries d where d.seq = any (array(
    select w.seq from webhook_deliveries w where w.endpoint_id = p_endpoint and w.status = 'PENDING'
     limit p_batch for update skip locked));
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;

-- Removes up to p_batch of the oldest settled deliveries of one webhook that has more than p_most rows. Returns how many it
-- removed: call it until that is 0.
create function trim_delivery_logs(p_most bigint, p_batch int) returns int language plpgsql volatile as $$
declare
  o record;
  v_removed int;
begin
  if not pg_try_advisory_xact_lock(7210024) then return 0; end if;
  for o in
    select e.app_id, e.id, rows_counted(c.relation, c.scope) - p_most as rows
      from row_counts c join webhook_endpoints e on e.id = c.scope::uuid
     where c.relation = 'webhook_deliveries' and c.rows > p_most
  loop
    continue when o.rows <= 0;
    delete from webhook_deliveries d where d.seq = any (array(
      select w.seq from webhook_deliveries w
       where w.app_id = o.app_id and w.endpoint_id = o.id and w.status <> 'PENDING'
       order by w.id limit least(o.rows, p_batch) for update skip locked));
    get diagnostics v_removed = row_count;
    if v_removed > 0 then return v_removed; end if;
  end loop;
  return 0;
end $$;
