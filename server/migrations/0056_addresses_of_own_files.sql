-- needs 0056_addresses_of_own_files.sql: a release that does not know paths would answer them as addresses
-- The address of a file of this service is kept as its path, /files/<key>, and written out with the public address of the
-- day when it is answered (platform/storage/own-addresses.ts): a service that moves to another address contradicts nothing.

-- An address as it is kept: the path for one of ours, whatever the public address was when it was given out, else as it came.
-- It is ours when something here knows its key, which nobody can guess.
create function stored_address(address text) returns text language plpgsql stable as $$
declare
  wanted text := object_key_in(address);
begin
  if wanted is not null and (exists (select from files where key = wanted)
      or exists (select from players where image_key = wanted)
      or exists (select from scans where preview_key = wanted)
      or exists (select from csv_uploads where object_key = wanted)
      or object_is_reserved(wanted)) then
    return '/files/' || wanted;
  end if;
  return address;
end $$;

-- The same of several; what becomes one path stands there once.
create function stored_addresses(addresses text[]) returns text[] language plpgsql stable as $$
begin
  if object_keys_in(addresses) = '{}' then return addresses; end if;
  return array(
    select stored from (
      select stored_address(a) as stored, n from unnest(addresses) with ordinality as given (a, n)) as kept
     group by stored, case when object_key_in(stored) is null then n end order by min(n));
end $$;

-- An address as it is answered.
create function written_address(stored text, public_url text) returns text language sql immutable parallel safe
return case when starts_with(stored, '/files/') then public_url || stored else stored end;
create function written_addresses(stored text[], public_url text) returns text[] language sql immutable parallel safe
return case when stored = '{}' then stored
  else array(select written_address(a, public_url) from unnest(stored) with ordinality as kept (a, n) order by n) end;

create function store_image_address() returns trigger language plpgsql as $$
begin
  new.image_url := stored_address(new.image_url);
  return new;
end $$;
create trigger apps_address_kept before insert or update of image_url on apps for each row
  when (new.image_url is not null) execute function store_image_address();
create trigger mini_game_types_address_kept before insert or update of image_url on mini_game_types for each row
  when (new.image_url is not null) execute function store_image_address();

create function store_addresses_of_pin() returns trigger language plpgsql as $$
begin
  new.content_url := stored_address(new.content_url);
  new.relocalization_photo_url := stored_address(new.relocalization_photo_url);
  if new.localization_data ->> 'worldmapURL' is not null then
    new.localization_data := new.localization_data
      || jsonb_build_object('worldmapURL', stored_address(new.localization_data ->> 'worldmapURL'));
  end if;
  return new;
end $$;
create trigger pins_addresses_kept before insert or update of content_url, relocalization_photo_url, localization_data
  on pins for each row
  when (new.content_url is not null or new.relocalization_photo_url is not null or new.localization_data is not null)
  execute function store_addresses_of_pin();

create function store_addresses_of_gcp() returns trigger language plpgsql as $$
begin
  new.photo_urls := stored_addresses(new.photo_urls);
  return new;
end $$;
create trigger gcps_addresses_kept before insert or update of photo_urls on gcps for each row
  when (new.photo_urls <> '{}') execute function store_addresses_of_gcp();

-- What was kept before. Nobody is told: to those who read it, nothing changed.
alter table players disable trigger players_changed;
update players set image_url = '/files/' || image_key where image_key is not null;
alter table players enable trigger players_changed;
update apps set image_url = image_url where object_key_in(image_url) is not null;
update mini_game_types set image_url = image_url where object_key_in(image_url) is not null;
update pins set content_url = content_url
 where object_key_in(content_url) is not null or object_key_in(relocalization_photo_url) is not null
    or object_key_in(localization_data ->> 'worldmapURL') is not null;
update gcps set photo_urls = photo_urls where photo_urls <> '{}' and object_keys_in(photo_urls) <> '{}';
update csv_uploads set file_url = '/files/' || object_key where object_key_in(file_url) = object_key;
