-- Scans: what somebody captured, where and when, and what was found in the file.

create table scans (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  app_id uuid references apps on delete set null,
  file_id bigint not null unique references files,
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  status text not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  attempts integer not null default 0,
  run uuid,
  error_code text,
  error text,
  title text,
  category text,
  lat double precision check (lat between -90 and 90),
  long double precision check (long between -180 and 180),
  altitude double precision,
  position_from text check (position_from in ('caller', 'exif', 'georeference')),
  captured_at timestamptz not null,
  captured_from text not null check (captured_from in ('caller', 'file', 'upload')),
  location text,
  time_of_day text,
  weather text,
  file_type text,
  bounds jsonb,
  triangles bigint,
  points bigint,
  width integer,
  height integer,
  notes text[] not null default '{}',
  preview_key text unique,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  touched_at timestamptz not null default clock_timestamp(),
  check ((lat is null) = (long is null)),
  check ((status = 'FAILED') = (error is not null))
);
create index scans_user on scans (user_id, captured_at desc, id desc);
create index scans_public on scans (captured_at desc, id desc) where visibility = 'public' and status = 'COMPLETED';
create index scans_app on scans (app_id) where app_id is not null;

comment on table scans is 'Scans: captured 3D models, point clouds and photos. A file belongs to one scan at most.';
comment on column scans.app_id is 'The app whose key was sent with the scan: it receives the events.';
comment on column scans.attempts is 'Runs started since the processing was last requested.';
comment on column scans.run is 'The run whose result counts.';
comment on column scans.position_from is
  'Where the position is from. What the caller sent takes precedence over the file.';
comment on column scans.preview_key is 'The key of the preview image in the object storage. No row of files has it.';
comment on column scans.touched_at is 'When the processing last made progress.';

-- The object of a preview belongs to the scan alone.
create function let_go_of_preview() returns trigger language plpgsql as $$
begin
  insert into unused_objects (key) values (old.preview_key) on conflict do nothing;
  return null;
end $$;
create trigger scans_preview_deleted after delete on scans for each row
  when (old.preview_key is not null) execute function let_go_of_preview();
create trigger scans_preview_changed after update of preview_key on scans for each row
  when (old.preview_key is not null and new.preview_key is distinct from old.preview_key)
  execute function let_go_of_preview();

-- Row counts -------------------------------------------------------------------------------------------------------------

-- The day (since 1970, UTC) that a public scan is listed under; null for other scans. Public scans are counted by day: a page
-- deep in the list is found by its day, and only rows of that day are skipped.
create function scan_day(visibility text, status text, captured_at timestamptz) returns text language sql stable
return case when visibility = 'public' and status = 'COMPLETED'
            then floor(date_part('epoch', captured_at) / 86400)::bigint::text end;

create function note_scan() returns trigger language plpgsql as $$
declare
  before text := case when tg_op <> 'INSERT' then scan_day(old.visibility, old.status, old.captured_at) end;
  after text := case when tg_op <> 'DELETE' then scan_day(new.visibility, new.status, new.captured_at) end;
begin
  if before is distinct from after then
    insert into row_count_changes
    select 'scans', day, change from (values (before, -1), (after, 1)) as m (day, change) where day is not null;
  end if;
  return null;
end $$;

select count_rows('scans');

-- Change feed ------------------------------------------------------------------------------------------------------------

create function tell_of_scan() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('scan', array[coalesce(new.id, old.id)::text]);
  return null;
end $$;
create trigger scans_told after insert or update or delete on scans for each row execute function tell_of_scan();

-- A scan shows the conversion of its file.
create function tell_of_usdz() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects)
  select 'scan', array_agg(s.id::text) from files f join scans s on s.file_id = f.id where f.sha256 = new.sha256
  having count(*) > 0;
  return null;
end $$;
create trigger conversions_tell_scans after insert or update of status on conversions for each row
  execute function tell_of_usdz();

-- The visibility of a scan decides who may see the conversion of its file.
create function tell_of_scanned_content() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) select 'conversion', array[f.sha256] from files f where f.id = new.file_id;
  return null;
end $$;
create trigger scans_told_made after insert on scans for each row execute function tell_of_scanned_content();
create trigger scans_told_shown after update of visibility on scans for each row
  when (old.visibility is distinct from new.visibility) execute function tell_of_scanned_content();
