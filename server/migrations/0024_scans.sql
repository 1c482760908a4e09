-- Scans: what somebody captured, where and when, and what was found in its file.

create table scans (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- The app whose key came beside the session: it is told what becomes of the scan.
  app_id uuid references apps on delete set null,
  -- A file is one scan at most.
  file_id bigint not null unique references files,
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  status text not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  -- Runs begun since it was last asked for, and which is the one whose result counts.
  attempts integer not null default 0,
  run uuid,
  error_code text,
  error text,
  title text,
  category text,
  lat double precision check (lat between -90 and 90),
  long double precision check (long between -180 and 180),
  altitude double precision,
  -- Who said where it is. What the caller said stands, whatever the file says.
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
  -- When its processing last went on.
  touched_at timestamptz not null default clock_timestamp(),
  check ((lat is null) = (long is null)),
  check ((status = 'FAILED') = (error is not null))
);
create index scans_user on scans (user_id, captured_at desc, id desc);
create index scans_public on scans (captured_at desc, id desc) where visibility = 'public' and status = 'COMPLETED';
create index scans_app on scans (app_id) where app_id is not null;

-- Who may see the bytes of an object. `owners`: these and ops alone; null: whoever knows its address. `may_change`: the owner
-- of a scan may decide otherwise at any time. What a conversion made is as open as any of the files of that content.
create function object_access(wanted text, out owners uuid[], out may_change boolean) language plpgsql stable as $$
declare
  scan scans;
  source text;
begin
  select * into scan from scans s
   where s.preview_key = wanted or s.file_id = (select id from files where key = wanted) limit 1;
  if scan.id is not null then
    owners := case scan.visibility when 'private' then array[scan.user_id] end;
    may_change := true;
    return;
  end if;
  select c.sha256 into source from files f join conversions c on c.result_id = f.id where f.key = wanted;
  if source is null then
    may_change := false;
    return;
  end if;
  may_change := exists (select from files f join scans s on s.file_id = f.id where f.sha256 = source);
  if may_change and not exists (
    select from files f where f.sha256 = source
       and not exists (select from scans s where s.file_id = f.id and s.visibility = 'private')) then
    owners := array(select distinct s.user_id from files f join scans s on s.file_id = f.id where f.sha256 = source);
  end if;
end $$;

-- A scan shows its file and its preview.
create or replace function object_is_shown(wanted text) returns boolean language sql stable
return exists (select from pins where object_key_in(content_url) = wanted)
    or exists (select from pins where object_key_in(relocalization_photo_url) = wanted)
    or exists (select from pins where object_key_in(localization_data ->> 'worldmapURL') = wanted)
    or exists (select from gcps where object_keys_in(photo_urls) @> array[wanted]
                 and photo_urls <> '{}' and object_keys_in(photo_urls) <> '{}')
    or exists (select from csv_uploads u where u.object_key = wanted)
    or exists (select from apps where object_key_in(image_url) = wanted)
    or exists (select from mini_game_types where object_key_in(image_url) = wanted)
    or exists (select from files f join scans s on s.file_id = f.id where f.key = wanted)
    or exists (select from scans where preview_key = wanted);

-- The preview of a scan is nobody else's: it goes with the scan, and when another takes its place.
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

-- Takes files away that no record shows, and what was made of contents that no file has any more. Nobody else may ask for or
-- forget the conversions of these contents meanwhile: the caller holds their locks.
create function remove_unshown_files(wanted bigint[]) returns void language plpgsql as $$
declare
  contents text[] := array(select distinct sha256 from files where id = any(wanted));
  results bigint[];
begin
  with gone as (
    delete from files f where f.id = any(wanted) and not object_is_shown(f.key)
       and not exists (select from conversions c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
  with forgotten as (
    delete from conversions c where c.sha256 = any(contents)
       and not exists (select from files f where f.sha256 = c.sha256)
    returning c.result_id)
  select array_agg(result_id) into results from forgotten where result_id is not null;
  with gone as (
    delete from files f where f.id = any(results) and f.user_id is null and not object_is_shown(f.key)
       and not exists (select from conversions c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
end $$;

-- Every process hears of what becomes of a scan, and of the USDZ of its file.
create function tell_of_scan() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('scan', array[coalesce(new.id, old.id)::text]);
  return null;
end $$;
create trigger scans_told after insert or update or delete on scans for each row execute function tell_of_scan();

create function tell_of_usdz() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects)
  select 'scan', array_agg(s.id::text) from files f join scans s on s.file_id = f.id where f.sha256 = new.sha256
  having count(*) > 0;
  return null;
end $$;
create trigger conversions_tell_scans after insert or update of status on conversions for each row
  execute function tell_of_usdz();
