-- Apps and their API keys.

create table apps (
  id uuid primary key,
  owner_id uuid references users,
  name text not null,
  description text not null,
  image_url text,
  visibility text not null check (visibility in ('PUBLIC', 'PRIVATE')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (owner_id is not null or deleted_at is not null)
);
create index apps_owner on apps (owner_id, created_at);
create index apps_public on apps (created_at, id) where visibility = 'PUBLIC' and deleted_at is null;

comment on table apps is 'Apps: the tenants of players and scores.';
comment on column apps.owner_id is 'Null only once the app is deleted, so that its owner can be erased first.';
comment on column apps.deleted_at is
  'From this moment on the app and its keys are gone for everybody. Its rows are deleted in batches, and this row '
  'last.';

create table app_keys (
  key_id text primary key,
  app_id uuid not null references apps on delete cascade,
  hash bytea not null,
  encrypted text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
create index app_keys_app on app_keys (app_id);
-- An app has one key without an end. After a rotation the former key has one.
create unique index app_keys_current on app_keys (app_id) where expires_at is null;
create index app_keys_ended on app_keys (expires_at) where expires_at is not null;

comment on table app_keys is 'API keys of apps.';
comment on column app_keys.key_id is 'The public part of the key, by which it is found.';
comment on column app_keys.hash is 'Hash of the whole key, against which a request is compared.';
comment on column app_keys.encrypted is
  'The whole key, encrypted with the secret of the service: its owner may read it again.';
comment on column app_keys.expires_at is 'End of the grace period of a key that was rotated. Null for the current key.';
comment on column app_keys.last_used_at is
  'Written every few seconds. No index includes it, so that each write stays a HOT update.';
