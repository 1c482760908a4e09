-- Imports of survey files.

create table csv_uploads (
  id uuid primary key,
  zone_id bigint not null references zones,
  user_id uuid references users on delete set null,
  app_id uuid,
  file_name text not null,
  file_url text not null,
  object_key text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  error_message text,
  row_count integer,
  processed_rows integer,
  dry_run boolean not null default false,
  on_error text not null default 'skip' check (on_error in ('skip', 'abort')),
  crs text,
  header text,
  reading jsonb not null default '{}',
  detected jsonb,
  sample jsonb,
  settled_rows integer not null default 0,
  created_rows integer not null default 0,
  updated_rows integer not null default 0,
  unchanged_rows integer not null default 0,
  failed_rows integer not null default 0,
  warnings integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index csv_uploads_zone on csv_uploads (zone_id, created_at desc, id desc);
create index csv_uploads_user on csv_uploads (user_id) where user_id is not null;
create index csv_uploads_object on csv_uploads (object_key);
-- A file is imported once at a time into a zone; asking again returns the import that runs. The address decides whether two
-- files are the same, because a file of another host has no object until it is fetched.
create unique index csv_uploads_running on csv_uploads (zone_id, md5(file_url), dry_run)
  where status in ('PENDING', 'PROCESSING');

comment on table csv_uploads is 'Imports of survey files into a zone.';
comment on column csv_uploads.app_id is
  'The app whose key was sent with the import: it receives the events. No foreign key: an app that is gone has no '
  'webhooks.';
comment on column csv_uploads.object_key is 'The key of the file in the object storage. The import keeps that file.';
comment on column csv_uploads.crs is 'The coordinate reference system, for files that name none.';
comment on column csv_uploads.header is 'The header line to read the file by, in place of its own.';
comment on column csv_uploads.reading is 'Further options of the import: layer, angles, maxError, heightDatum.';
comment on column csv_uploads.detected is 'What the reader detected: delimiter, encoding, reference system, columns.';
comment on column csv_uploads.sample is 'The first points of a dry run.';
comment on column csv_uploads.settled_rows is
  'Data rows that are done. The counts of rows change in the transaction that applies the rows, so that an import '
  'resumes after a crash.';

create table csv_upload_findings (
  upload_id uuid not null references csv_uploads on delete cascade,
  ordinal integer not null,
  row_number integer,
  line integer,
  title text,
  failed boolean not null,
  faults jsonb not null,
  primary key (upload_id, ordinal)
);

comment on table csv_upload_findings is 'The report of an import: errors and warnings by row.';
comment on column csv_upload_findings.row_number is 'Null, like line, for what concerns the whole file.';
comment on column csv_upload_findings.faults is '[{code, message, column, value}]';

-- Change feed: each statement reports once, for all its rows.
create function tell_of_csv_uploads() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects)
  select 'csv_upload', array_agg(id::text) from changed having count(*) > 0;
  return null;
end $$;
create trigger csv_uploads_told_changed after update on csv_uploads referencing new table as changed
  for each statement execute function tell_of_csv_uploads();
create trigger csv_uploads_told_gone after delete on csv_uploads referencing old table as changed
  for each statement execute function tell_of_csv_uploads();

-- Webhook events csv_upload.completed and csv_upload.failed, with the record that GET answers.
create function publish_csv_upload() returns trigger language plpgsql as $$
begin
  perform publish_event(new.app_id, new.user_id, 'csv_upload.' || lower(new.status), new.id::text,
    jsonb_build_object('id', new.id, 'fileName', new.file_name, 'fileUrl', new.file_url, 'status', new.status,
      'errorMessage', new.error_message, 'rowCount', new.row_count, 'processedRows', new.processed_rows,
      'userId', new.user_id, 'zoneId', new.zone_id, 'dryRun', new.dry_run, 'onError', new.on_error, 'crs', new.crs,
      'header', new.header, 'layer', new.reading -> 'layer', 'angles', new.reading -> 'angles',
      'maxError', new.reading -> 'maxError', 'heightDatum', new.reading -> 'heightDatum',
      'createdAt', api_moment(new.created_at), 'updatedAt', api_moment(new.updated_at)));
  return null;
end $$;
create trigger csv_uploads_told after update of status on csv_uploads for each row
  when (new.status in ('COMPLETED', 'FAILED') and old.status is distinct from new.status)
  execute function publish_csv_upload();
