-- Photos of ground control points. Their files are rows of `files`, and a point names them by address (gcps.photo_urls): which
-- point shows which photo is said there alone.

create table gcp_photos (
  file_id bigint primary key references files on delete cascade,
  -- sent: as a photo, and no point of its sender's shows it yet.
  -- given: sent as a photo, and to a point: it goes with the last record that shows it.
  -- lent: sent as a file of any kind, and shown by a point: it stays its sender's.
  state text not null check (state in ('sent', 'given', 'lent'))
);

-- Whoever shows photos holds their files until the end of the transaction, and whoever stops showing them waits for that
-- before it looks whether anybody else does: so none goes that is shown.
create function hold_photos() returns trigger language plpgsql as $$
begin
  perform from files where key = any(object_keys_in(new.photo_urls)) order by key for key share;
  -- A stranger who shows a photo by its address does not take it over.
  update gcp_photos p set state = 'given' from files f
   where p.file_id = f.id and p.state = 'sent'
     and f.key = any(object_keys_in(new.photo_urls)) and f.user_id is not distinct from new.user_id;
  return null;
end $$;

create function let_go_of_photos() returns trigger language plpgsql as $$
declare
  dropped text[] := array(
    select unnest(object_keys_in(old.photo_urls)) except select unnest(object_keys_in(new.photo_urls)));
begin
  perform from files f where f.key = any(dropped)
      and exists (select from gcp_photos p where p.file_id = f.id and p.state = 'given')
    order by f.key for update;
  with gone as (
    delete from files f where f.key = any(dropped)
       and exists (select from gcp_photos p where p.file_id = f.id and p.state = 'given')
       and not object_is_shown(f.key)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
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
