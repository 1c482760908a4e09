-- Ground control points, each with its pin, and the files they are imported from.

create table csv_uploads (
  id uuid primary key,
  zone_id bigint not null references zones,
  user_id uuid references users on delete set null,
  file_name text not null,
  file_url text not null,
  object_key text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  error_message text,
  row_count integer,
  processed_rows integer,
  dry_run boolean not null default false,
  on_error text not null default 'skip' check (on_error in ('skip', 'abort')),
  -- What the reader found the file to be: delimiter, encoding, reference system, columns.
  detected jsonb,
  -- How far the import is: data rows settled, and what became of them. Moves in the transaction that applies them.
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
-- One file runs once at a time in a zone: asking again gives the record that runs.
create unique index csv_uploads_running on csv_uploads (zone_id, object_key, dry_run)
  where status in ('PENDING', 'PROCESSING');

-- What was wrong with rows, and what the uploader should know: the report. `row_number` and `line` are null for the whole file.
create table csv_upload_findings (
  upload_id uuid not null references csv_uploads on delete cascade,
  ordinal integer not null,
  row_number integer,
  line integer,
  title text,
  failed boolean not null,
  -- [{code, message, column, value}]
  faults jsonb not null,
  primary key (upload_id, ordinal)
);

create table gcps (
  id bigint generated always as identity primary key,
  title text not null,
  title_key text not null,
  description text,
  gcp_type text not null check (gcp_type in ('SINGLE', 'MULTI')),
  altitude double precision,
  april_tag_id smallint check (april_tag_id between 0 and 50),
  gcp_data text,
  photo_urls text[] not null default '{}',
  zone_id bigint references zones,
  user_id uuid references users on delete set null,
  csv_upload_id uuid references csv_uploads on delete set null,
  -- Accuracies and what the height is above, as the survey file gave them.
  survey jsonb,
  -- When somebody changed it by hand; null for what an import alone wrote.
  edited_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index gcps_zone on gcps (zone_id, created_at, id);
create index gcps_list on gcps (created_at, id);
-- Imports find what they wrote before by title within a zone.
create index gcps_title on gcps (zone_id, title_key);
create index gcps_tag on gcps (april_tag_id, zone_id) where april_tag_id is not null;
create index gcps_upload on gcps (csv_upload_id) where csv_upload_id is not null;

alter table pins add foreign key (gcp_id) references gcps on delete cascade;
