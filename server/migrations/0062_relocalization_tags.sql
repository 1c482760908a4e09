-- needs 0046_photo_checks.sql: pins and checks that an older process changes get their tags by these triggers, which change no other column
-- Relocalization photos are checked as photos of ground control points are, and a pin has the tags of its photo.

alter table photo_checks drop constraint photo_checks_file_id_fkey;
alter table photo_checks add foreign key (file_id) references files on delete cascade;

comment on table photo_checks is
  'What photos of ground control points and relocalization photos show, one row for each photo whose check was requested. '
  'Whether a photo shows the tag of its point is not stored: it is decided when it is read, by the point as it is then.';

alter table pins add column relocalization_tags jsonb;
comment on column pins.relocalization_tags is
  'The IDs of the April tags in its relocalization photo, sorted. Null without such a photo, and until it is checked.';

-- The IDs of tags, each once.
create function ids_of_tags(tags jsonb) returns jsonb language sql immutable
return (select coalesce(jsonb_agg(distinct tag -> 'id'), '[]') from jsonb_array_elements(tags) as tag);

-- The lock waits for a check that is ending. A check that ends later waits for this transaction, and then finds the pin.
-- So pending checks are locked, too.
create function take_relocalization_tags() returns trigger language plpgsql as $$
begin
  new.relocalization_tags := (
    select case c.state when 'read' then ids_of_tags(c.tags) end from files f join photo_checks c on c.file_id = f.id
     where f.key = object_key_in(new.relocalization_photo_url) for share of c);
  return new;
end $$;
-- By name after pins_addresses_kept.
create trigger pins_relocalization_made before insert on pins for each row
  when (new.relocalization_photo_url is not null) execute function take_relocalization_tags();
create trigger pins_relocalization_changed before update of relocalization_photo_url on pins for each row
  when (new.relocalization_photo_url is distinct from old.relocalization_photo_url)
  execute function take_relocalization_tags();

-- check-store.ts locks these pins before it ends a check: a change of a pin locks the pin, then the check.
create function give_relocalization_tags() returns trigger language plpgsql as $$
begin
  update pins set relocalization_tags = case new.state when 'read' then ids_of_tags(new.tags) end
   where object_key_in(relocalization_photo_url) = (select key from files where id = new.file_id);
  return null;
end $$;
create trigger photo_checks_ended after update of state on photo_checks for each row
  when (old.state = 'pending' and new.state <> 'pending') execute function give_relocalization_tags();
