-- Webhooks: what an app is told of, and the outbox of what is still to be told. A delivery is written in the transaction of
-- the change that it tells of, so that there is one if, and only if, the change was committed.

create table webhook_endpoints (
  app_id uuid not null references apps on delete cascade,
  id uuid not null unique,
  url text not null,
  description text,
  event_types text[] not null,
  enabled boolean not null default true,
  -- Why and since when it is not enabled, where the service did that by itself.
  disabled_reason text,
  disabled_at timestamptz,
  -- Sealed. The one before signs beside the new one until its time is over.
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  -- Since when nothing that was sent there arrived; null while things do.
  failing_since timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (app_id, id)
);

-- One event on its way to one endpoint. There is no foreign key to the endpoint: transactions that publish would all lock its
-- row. Deliveries of an endpoint that is gone are swept.
create table webhook_deliveries (
  -- The order in which changes were made, for changes of one subject: whoever makes them holds a lock on it.
  seq bigint generated always as identity primary key,
  app_id uuid not null,
  endpoint_id uuid not null,
  -- Of the event, the same at each endpoint that it goes to.
  id uuid not null,
  type text not null,
  -- What it is about: what is sent to an endpoint about one subject arrives in the order of the changes.
  subject text not null,
  -- Whose record it is, so that an erasure finds it.
  user_id uuid,
  data jsonb not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  created_at timestamptz not null default clock_timestamp(),
  -- While PENDING: when it is to be looked at next. While it is being sent that is the end of the lease.
  due_at timestamptz not null default clock_timestamp(),
  tried_since timestamptz,
  settled_at timestamptz,
  attempts jsonb not null default '[]'
) with (fillfactor = 85);
create unique index webhook_deliveries_list on webhook_deliveries (app_id, endpoint_id, id);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, seq) where status = 'PENDING';
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, subject, seq) where status = 'PENDING';
create index webhook_deliveries_settled on webhook_deliveries (settled_at) where status <> 'PENDING';
create index webhook_deliveries_user on webhook_deliveries (user_id) where user_id is not null;

-- Whether an app is to be told of changes of this kind. Asked at each of them: one look into an index.
create function has_webhook(p_app uuid, p_type text) returns boolean language sql stable
return exists (select from webhook_endpoints e where e.app_id = p_app and e.enabled and p_type = any (e.event_types));

-- A UUIDv7 (RFC 9562 §5.7) of this moment: milliseconds, version, random bits.
create function new_event_id() returns uuid language sql volatile
return encode(set_bit(set_bit(
  overlay(uuid_send(gen_random_uuid()) placing
          substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
  52, 1), 53, 1), 'hex')::uuid;

-- Writes an event to the outbox: one delivery for each enabled endpoint that subscribes to the type and belongs to p_app, or
-- to any app that p_owner owns. Each may be null. Without such an endpoint nothing is written. p_data is the record as the API
-- answers it, p_about the user whose record that is.
create function publish_event(p_app uuid, p_owner uuid, p_type text, p_subject text, p_data jsonb, p_about uuid)
returns void language plpgsql volatile as $$
declare
  v_endpoints uuid[];
  v_apps uuid[];
begin
  select array_agg(e.id order by e.id), array_agg(e.app_id order by e.id) into v_endpoints, v_apps
    from webhook_endpoints e
   where e.app_id = any (array(select p_app union select a.id from apps a where a.owner_id = p_owner and a.deleted_at is null))
     and e.enabled and p_type = any (e.event_types);
  if v_endpoints is null then return; end if;
  insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, user_id, data)
  select t.app_id, t.endpoint_id, n.id, p_type, p_subject, p_about, p_data
    from (select new_event_id() as id offset 0) n, unnest(v_apps, v_endpoints) t(app_id, endpoint_id);
end $$;

create function publish_event(p_app uuid, p_owner uuid, p_type text, p_subject text, p_data jsonb)
returns void language sql volatile
begin atomic
  select publish_event(p_app, p_owner, p_type, p_subject, p_data, p_owner);
end;
