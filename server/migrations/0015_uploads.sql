-- Uploads that are not files yet: announced ones, whose bytes arrive at a signed address, and resumable ones (tus).

create table reservations (
  id bigint primary key check (id > 0),
  key text not null unique,
  file_name text not null,
  content_type text not null,
  size bigint not null check (size > 0),
  is_exact boolean not null,
  user_id uuid references users on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp()
);
create index reservations_expires on reservations (expires_at);
create index reservations_user on reservations (user_id) where user_id is not null;

comment on table reservations is
  'Announced uploads. Id and key of the file are already given out; the row is deleted in the transaction that '
  'inserts the file.';
comment on column reservations.content_type is 'What the sender announced. The PUT must repeat it.';
comment on column reservations.size is 'Bytes: the exact number if is_exact, else the most allowed.';
comment on column reservations.expires_at is 'When the signed address expires.';

create table resumable_uploads (
  id text primary key,
  size bigint check (size >= 0),
  metadata jsonb,
  user_id uuid references users on delete cascade,
  app_id uuid references apps on delete cascade,
  file_id bigint unique check (file_id > 0),
  key text unique,
  folder text,
  finished_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check ((file_id is null) = (key is null)),
  check (finished_at is null or key is not null)
);
create index resumable_uploads_age on resumable_uploads (coalesce(finished_at, created_at));
create index resumable_uploads_user on resumable_uploads (user_id) where user_id is not null;
create index resumable_uploads_app on resumable_uploads (app_id) where app_id is not null;

comment on table resumable_uploads is
  'Uploads over the tus protocol. The bytes received so far are in a file named by the id, whose length is the '
  'offset.';
comment on column resumable_uploads.size is 'Null until the sender declares it.';
comment on column resumable_uploads.file_id is
  'The file it becomes. Chosen when the last byte has arrived, so that a retry after a crash creates the same file.';
comment on column resumable_uploads.folder is
  'The folder that holds the bytes, once there are some: each machine may have one of its own.';
comment on column resumable_uploads.finished_at is 'When the file was created.';

create table upload_days (
  day date primary key,
  bytes bigint not null check (bytes >= 0)
);

comment on table upload_days is 'Bytes uploaded on a day (UTC), for the daily limit of the service.';

-- Whether an object without a file is one that an upload is about to record.
create function object_is_reserved(object_key text) returns boolean language sql stable parallel safe as $$
  select exists (select from reservations where key = object_key)
      or exists (select from resumable_uploads where key = object_key and finished_at is null)
$$;
