-- Files on their way in: announced ones, whose bytes come by a signed address, and resumable ones, whose bytes come in pieces.

-- A file that was announced. Its id and its key are given out; the row goes in the transaction that makes the file's own.
create table reservations (
  id bigint primary key check (id > 0),
  key text not null unique,
  file_name text not null,
  -- What the sender said it will be, as the PUT must say it too.
  content_type text not null,
  -- Bytes at most or, when is_exact, bytes.
  size bigint not null check (size > 0),
  is_exact boolean not null,
  user_id uuid references users on delete cascade,
  -- When its address ends.
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp()
);
create index reservations_expires on reservations (expires_at);
create index reservations_user on reservations (user_id) where user_id is not null;

-- An upload over the tus protocol. What has arrived lies in the spool folder, in a file named by the id: its length is the offset.
create table resumable_uploads (
  id text primary key,
  -- null until the sender knows it.
  size bigint check (size >= 0),
  metadata jsonb,
  user_id uuid references users on delete cascade,
  app_id uuid references apps on delete cascade,
  -- The file it becomes: chosen once all has arrived, so that whoever goes on after a break makes the same one.
  file_id bigint unique check (file_id > 0),
  key text unique,
  -- When the file was there.
  finished_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check ((file_id is null) = (key is null)),
  check (finished_at is null or key is not null)
);
create index resumable_uploads_age on resumable_uploads (coalesce(finished_at, created_at));
create index resumable_uploads_user on resumable_uploads (user_id) where user_id is not null;
create index resumable_uploads_app on resumable_uploads (app_id) where app_id is not null;

-- Whether an object without a record is one that is still to get it.
create function object_is_reserved(object_key text) returns boolean language sql stable parallel safe as $$
  select exists (select from reservations where key = object_key)
      or exists (select from resumable_uploads where key = object_key and finished_at is null)
$$;
