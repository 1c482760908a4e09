-- Bounds the time of a claim.

-- Leases deliveries that are due for p_seconds: the first of each subject, and at most p_room for each endpoint, or its entry
-- in p_rooms. Two statements where one could do: the second sees what was settled before the first had its locks, so that
-- nothing is put behind a delivery that has already left. It looks at p_room deliveries of each endpoint, at least 100; at more
-- only in its first 20 ms, so that the backlog of a flood does not occupy the database.
create or replace function claim_deliveries(p_room int, p_endpoints uuid[], p_rooms int[], p_seconds float8)
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
    for i in 1..50 loop
      exit when i > 1 and clock_timestamp() > v_now + interval '20 ms';
      v_due := array(
        select d.seq from webhook_deliveries d
         where d.endpoint_id = v_endpoint and d.status = 'PENDING' and d.due_at <= v_now
         order by d.due_at, d.seq limit greatest(v_room, 100)
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
