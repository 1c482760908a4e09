-- A webhook, an app and the whole service may have so much waiting to be sent, and a webhook so long a log.

-- Disables webhooks of which more waits than may. Of an app that has too much the webhooks with most go first; of the whole, the
-- webhooks of the owner with most, until what is left is half of what may be: a flood is over in few steps, and costs nobody
-- else a webhook. Bytes are those of the payloads and of the logs of attempts. One process at a time; another finds nothing to
-- do. Returns every webhook over a bound, whose deliveries are to be removed, and whether it was disabled now.
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

-- Removes some of what waits for a webhook; what is being sent just now is left to who sends it. Nobody is waited for.
-- Returns how many deliveries went: call it until none does.
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

-- Removes the oldest deliveries that arrived or were given up, of one webhook that has more than so many rows, p_batch at most.
-- Returns how many went: call it until none does.
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
