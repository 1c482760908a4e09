-- Files and their conversions. The bytes are objects in the object storage, named by their key.

create table files (
  id bigint primary key check (id > 0),
  key text not null unique,
  file_name text not null,
  mime_type text not null,
  size bigint not null check (size >= 0),
  sha256 text not null check (length(sha256) = 64),
  user_id uuid references users on delete set null,
  app_id uuid,
  created_at timestamptz not null default clock_timestamp()
);
create index files_sha256 on files (sha256, created_at);
create index files_user on files (user_id, created_at) where user_id is not null;
create index files_made on files (created_at, id);

-- Search by the beginning of one of the first three words, newest first among equal names.
create index files_word_1 on files (from_word(lower(file_name), 1) collate "C", created_at desc, id desc)
  where from_word(lower(file_name), 1) is not null;
create index files_word_2 on files (from_word(lower(file_name), 2) collate "C", created_at desc, id desc)
  where from_word(lower(file_name), 2) is not null;
create index files_word_3 on files (from_word(lower(file_name), 3) collate "C", created_at desc, id desc)
  where from_word(lower(file_name), 3) is not null;

comment on table files is 'Uploaded and converted files.';
comment on column files.id is '52 random bits: file ids are used as addresses and must not be enumerable.';
comment on column files.key is 'The key of the bytes in the object storage.';
comment on column files.file_name is 'As the sender named it. For display only.';
comment on column files.mime_type is 'Detected in the bytes, never taken from the sender.';
comment on column files.user_id is
  'The owner. Null for files that were sent without a session, and for results of conversions.';
comment on column files.app_id is
  'The app whose key was sent with the upload: it receives the events. No foreign key: an app that is gone has no '
  'webhooks.';

create table conversions (
  sha256 text primary key check (length(sha256) = 64),
  status text not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  attempts integer not null default 0,
  result_id bigint references files,
  error_code text,
  error text,
  report jsonb,
  seconds double precision,
  created_at timestamptz not null default clock_timestamp(),
  touched_at timestamptz not null default clock_timestamp(),
  check ((status = 'COMPLETED') = (result_id is not null and seconds is not null)),
  check ((status = 'FAILED') = (error is not null))
);
create index conversions_result on conversions (result_id) where result_id is not null;

comment on table conversions is
  'Conversions to USDZ, one row for each content: equal bytes are converted once, for all uploads together.';
comment on column conversions.attempts is 'Runs started. Limits the retries of a model that crashes the converter.';
comment on column conversions.touched_at is 'When the conversion last made progress.';

create table unused_objects (
  key text primary key,
  since timestamptz not null default now()
);

comment on table unused_objects is
  'Objects that no record refers to any more. A key is inserted in the transaction that drops the last reference, '
  'and deleted once the bytes are removed, so that no object is forgotten after a crash.';

-- Addresses of files -----------------------------------------------------------------------------------------------------
-- The address of a file of this service is stored as its path, /files/<key>, and answered with the current public address
-- (platform/storage/own-addresses.ts), so that the service may move to another host.

-- The key in an address of this service, whatever the public address was when it was stored; null for other addresses.
create function object_key_in(address text) returns text language sql immutable strict parallel safe
return substring(address from '/files/([a-z0-9]{2}/[A-Za-z0-9_-]{22}(?:\.[a-z0-9]{1,12})?)$');
create function object_keys_in(addresses text[]) returns text[] language sql immutable strict parallel safe
return array(select object_key_in(a) from unnest(addresses) a where object_key_in(a) is not null);

-- A stored address as the API answers it.
create function written_address(stored text, public_url text) returns text language sql immutable parallel safe
return case when starts_with(stored, '/files/') then public_url || stored else stored end;
create function written_addresses(stored text[], public_url text) returns text[] language sql immutable parallel safe
return case when stored = '{}' then stored
  else array(select written_address(a, public_url) from unnest(stored) with ordinality as kept (a, n) order by n) end;

-- Change feed ------------------------------------------------------------------------------------------------------------

-- Reports conversions by content, which files share. The deletion of a file ends what is reported of it.
create function tell_of_contents() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects)
  select 'conversion', array_agg(distinct sha256) from changed having count(*) > 0;
  return null;
end $$;
create trigger conversions_told_made after insert on conversions referencing new table as changed
  for each statement execute function tell_of_contents();
create trigger conversions_told_changed after update on conversions referencing new table as changed
  for each statement execute function tell_of_contents();
create trigger conversions_told_gone after delete on conversions referencing old table as changed
  for each statement execute function tell_of_contents();
create trigger files_told_gone after delete on files referencing old table as changed
  for each statement execute function tell_of_contents();
