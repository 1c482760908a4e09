-- Photos of ground control points and files of pins. Both refer to files by stored address; a record locks the files it
-- shows, and a file that was sent as a photo is deleted with the last record that keeps it.

create table gcp_photos (
  file_id bigint primary key references files on delete cascade,
  state text not null check (state in ('sent', 'given', 'lent'))
);

comment on table gcp_photos is 'Files that were sent as photos, or that a ground control point shows.';
comment on column gcp_photos.state is
  'sent: uploaded as a photo, and not shown yet by a point of its sender. given: uploaded as a photo and shown by a'
  ' point; deleted with the last record that shows it. lent: uploaded as a file of any kind and shown by a point; '
  'it stays its sender''s.';

-- Of files that a record no longer shows, deletes those that were sent as photos and that no record keeps
-- (object_is_held). Records lock
-- the files they show FOR KEY SHARE until they commit, and this waits for them, so that no file is deleted that is shown.
create function let_go_of_given(dropped text[]) returns void language plpgsql as $$
begin
  perform from files f where f.key = any(dropped)
      and exists (select from gcp_photos p where p.file_id = f.id and p.state = 'given')
    order by f.key for update;
  with gone as (
    delete from files f where f.key = any(dropped)
       and exists (select from gcp_photos p where p.file_id = f.id and p.state = 'given')
       and not object_is_held(f.key, f.user_id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
end $$;

create function hold_photos() returns trigger language plpgsql as $$
begin
  perform from files where key = any(object_keys_in(new.photo_urls)) order by key for key share;
  -- Only a record of the sender takes the photo over, not one of somebody else who knows its address.
  update gcp_photos p set state = 'given' from files f
   where p.file_id = f.id and p.state = 'sent'
     and f.key = any(object_keys_in(new.photo_urls)) and f.user_id is not distinct from new.user_id;
  return null;
end $$;

create function let_go_of_photos() returns trigger language plpgsql as $$
begin
  perform let_go_of_given(array(
    select unnest(object_keys_in(old.photo_urls)) except select unnest(object_keys_in(new.photo_urls))));
  return null;
end $$;

create trigger gcps_photos_made after insert on gcps for each row
  when (new.photo_urls <> '{}') execute function hold_photos();
create trigger gcps_photos_added after update of photo_urls on gcps for each row
  when (new.photo_urls is distinct from old.photo_urls) execute function hold_photos();
create trigger gcps_photos_dropped after update of photo_urls on gcps for each row
  when (new.photo_urls is distinct from old.photo_urls) execute function let_go_of_photos();
create trigger gcps_photos_deleted after delete on gcps for each row
  when (old.photo_urls <> '{}') execute function let_go_of_photos();

-- Pins -------------------------------------------------------------------------------------------------------------------

create function addresses_of(pin pins) returns text[] language sql immutable
return array_remove(array[pin.content_url, pin.relocalization_photo_url, pin.localization_data ->> 'worldmapURL'], null);

create function hold_files_of_pin() returns trigger language plpgsql as $$
begin
  perform from files where key = any(object_keys_in(addresses_of(new))) order by key for key share;
  return null;
end $$;

create function let_go_of_files_of_pin() returns trigger language plpgsql as $$
declare
  dropped text[] := object_keys_in(addresses_of(old));
begin
  if tg_op = 'UPDATE' then
    dropped := array(select unnest(dropped) except select unnest(object_keys_in(addresses_of(new))));
  end if;
  perform let_go_of_given(dropped);
  return null;
end $$;

create trigger pins_files_made after insert on pins for each row
  when (new.content_url is not null or new.relocalization_photo_url is not null or new.localization_data is not null)
  execute function hold_files_of_pin();
create trigger pins_files_changed after update of content_url, relocalization_photo_url, localization_data on pins for each row
  when (new.content_url is distinct from old.content_url or new.localization_data is distinct from old.localization_data
    or new.relocalization_photo_url is distinct from old.relocalization_photo_url)
  execute function hold_files_of_pin();
create trigger pins_files_dropped after update of content_url, relocalization_photo_url, localization_data on pins for each row
  when (new.content_url is distinct from old.content_url or new.localization_data is distinct from old.localization_data
    or new.relocalization_photo_url is distinct from old.relocalization_photo_url)
  execute function let_go_of_files_of_pin();
create trigger pins_files_deleted after delete on pins for each row
  when (old.content_url is not null or old.relocalization_photo_url is not null or old.localization_data is not null)
  execute function let_go_of_files_of_pin();
