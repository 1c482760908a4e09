-- Webhook endpoints, and the outbox of events for them. An event is written in the transaction of the change that it reports,
-- so that it exists if, and only if, the change was committed.

create table webhook_endpoints (
  app_id uuid not null references apps on delete cascade,
  id uuid not null unique,
  url text not null,
  description text,
  event_types text[] not null,
  enabled boolean not null default true,
  disabled_reason text,
  disabled_at timestamptz,
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  failing_since timestamptz,
  paused_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (app_id, id),
  check (deleted_at is null or not enabled)
);
create index webhook_endpoints_deleted on webhook_endpoints (id) where deleted_at is not null;

comment on table webhook_endpoints is 'Webhooks of an app.';
comment on column webhook_endpoints.disabled_reason is
  'Why the service disabled it, at disabled_at. Null if its owner did.';
comment on column webhook_endpoints.secret is 'Encrypted with the secret of the service, like old_secret.';
comment on column webhook_endpoints.old_secret is
  'The former secret, which signs beside the new one until old_secret_until.';
comment on column webhook_endpoints.failing_since is
  'Since when no delivery has succeeded. Null while deliveries succeed.';
comment on column webhook_endpoints.paused_until is 'The receiver asked to be sent nothing before this.';
comment on column webhook_endpoints.deleted_at is
  'From this moment on it is gone for its owner. The row is deleted after its deliveries.';

create table webhook_events (
  id uuid primary key,
  subject text not null,
  endpoints uuid[] not null,
  data jsonb not null
);

comment on table webhook_events is
  'Payloads, one for each event, however many endpoints it goes to. Deleted with the last delivery. Rows are never '
  'updated, and there are no foreign keys, so that transactions that publish do not wait for each other.';
comment on column webhook_events.endpoints is
  'Where it goes. With the subject, an index of the deliveries finds those that are left.';

create table webhook_deliveries (
  seq bigint generated always as identity primary key,
  app_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  type text not null,
  subject text not null,
  user_id uuid references users on delete cascade,
  data jsonb,
  bytes int not null default 0,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  hold text check (hold in ('BEHIND', 'SENDING')),
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  tried_since timestamptz,
  tried int not null default 0,
  failures int not null default 0,
  settled_at timestamptz,
  attempts jsonb not null default '[]'
) with (fillfactor = 85);
create unique index webhook_deliveries_list on webhook_deliveries (app_id, endpoint_id, id);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, seq) where status = 'PENDING';
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, subject, seq) where status = 'PENDING';
create index webhook_deliveries_settled on webhook_deliveries (settled_at) where status <> 'PENDING';
create index webhook_deliveries_user on webhook_deliveries (user_id) where user_id is not null;
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, id) where status = 'FAILED';
create index webhook_deliveries_of_subject on webhook_deliveries (endpoint_id, subject, id);

comment on table webhook_deliveries is
  'The outbox: one event on its way to one endpoint. No foreign key to the endpoint, whose row every publishing '
  'transaction would lock; deliveries of an endpoint that is gone are removed by a job.';
comment on column webhook_deliveries.seq is
  'The order of changes to one subject. A change holds a lock on the subject.';
comment on column webhook_deliveries.id is 'The id of the event, equal at every endpoint it goes to.';
comment on column webhook_deliveries.subject is
  'What the event is about. Events about one subject arrive at an endpoint in the order of the changes.';
comment on column webhook_deliveries.user_id is 'Whose record the payload is: deleted when that user is erased.';
comment on column webhook_deliveries.data is 'The payload of a delivery that has no row in webhook_events; else null.';
comment on column webhook_deliveries.bytes is 'Size of the payload in memory: what the delivery adds to a backlog.';
comment on column webhook_deliveries.hold is
  'While PENDING. BEHIND: waits for an earlier delivery about the same subject. SENDING: a process is sending it '
  'until due_at.';
comment on column webhook_deliveries.due_at is
  'While PENDING: when to look at it next. While SENDING: the end of the lease.';
comment on column webhook_deliveries.tried is 'Attempts in all.';
comment on column webhook_deliveries.failures is 'Failed attempts since the delivery was last started.';
comment on column webhook_deliveries.attempts is 'The last 50 attempts.';

-- Row counts by endpoint. An event is deleted with the last of its deliveries: of two transactions that delete its last ones
-- the second waits for the first, and then sees what the first deleted.
create function note_rows_of_endpoints() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes select tg_table_name, endpoint_id::text, count(*) from added group by endpoint_id;
  else
    insert into row_count_changes select tg_table_name, endpoint_id::text, -count(*) from removed group by endpoint_id;
    perform from webhook_events e where e.id in (select id from removed) order by e.id for update;
    delete from webhook_events e using (select distinct id from removed) r
     where e.id = r.id and not exists (
       select from webhook_deliveries d where d.endpoint_id = any (e.endpoints) and d.subject = e.subject and d.id = e.id);
  end if;
  return null;
end $$;

select count_rows('webhook_deliveries');

-- Publishing -------------------------------------------------------------------------------------------------------------

-- Whether an app has an enabled endpoint for this event type. One index lookup, made at each change.
create function has_webhook(p_app uuid, p_type text) returns boolean language sql stable
return exists (select from webhook_endpoints e where e.app_id = p_app and e.enabled and p_type = any (e.event_types));

-- A UUIDv7 (RFC 9562 §5.7) of now: milliseconds, version, random bits.
create function new_event_id() returns uuid language sql volatile
return encode(set_bit(set_bit(
  overlay(uuid_send(gen_random_uuid()) placing
          substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
  52, 1), 53, 1), 'hex')::uuid;

-- Writes an event: one delivery for each enabled endpoint that subscribes to the type and belongs to p_app, or to any app
-- that p_owner owns. Each may be null. Writes nothing without such an endpoint. p_data is the record as the API answers it,
-- p_about the user whose record that is.
create function publish_event(p_app uuid, p_owner uuid, p_type text, p_subject text, p_data jsonb, p_about uuid)
returns void language plpgsql volatile as $$
declare
  v_id uuid;
  v_endpoints uuid[];
  v_apps uuid[];
begin
  select array_agg(e.id order by e.id), array_agg(e.app_id order by e.id) into v_endpoints, v_apps
    from webhook_endpoints e
   where e.app_id = any (array(select p_app union select a.id from apps a where a.owner_id = p_owner and a.deleted_at is null))
     and e.enabled and p_type = any (e.event_types);
  if v_endpoints is null then return; end if;
  v_id := new_event_id();
  insert into webhook_events (id, subject, endpoints, data) values (v_id, p_subject, v_endpoints, p_data);
  insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, user_id, bytes)
  select t.app_id, t.endpoint_id, v_id, p_type, p_subject, p_about, pg_column_size(p_data)
    from unnest(v_apps, v_endpoints) t(app_id, endpoint_id);
end $$;

-- The same, where the record is the owner's.
create function publish_event(p_app uuid, p_owner uuid, p_type text, p_subject text, p_data jsonb)
returns void language sql volatile
begin atomic
  select publish_event(p_app, p_owner, p_type, p_subject, p_data, p_owner);
end;
