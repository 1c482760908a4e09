-- Which records refer to a file, who may see and who keeps it, and how addresses of files are stored. A module that refers to
-- objects adds its table to these functions.

-- Only rows that refer to files of this service are in these indexes.
create index pins_content_object on pins (object_key_in(content_url)) where object_key_in(content_url) is not null;
create index pins_photo_object on pins (object_key_in(relocalization_photo_url))
  where object_key_in(relocalization_photo_url) is not null;
create index pins_world_object on pins (object_key_in(localization_data ->> 'worldmapURL'))
  where object_key_in(localization_data ->> 'worldmapURL') is not null;
create index apps_image_object on apps (object_key_in(image_url)) where object_key_in(image_url) is not null;
create index mini_game_types_image_object on mini_game_types (object_key_in(image_url))
  where object_key_in(image_url) is not null;

-- Whether any record shows an object.
create function object_is_shown(wanted text) returns boolean language sql stable
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

-- Whether a record has an object. Other objects are left over from writes that were interrupted. An address of an object
-- does not count: without a record only bytes are left.
create function object_is_known(wanted text) returns boolean language sql stable
return exists (select from files where key = wanted)
    or exists (select from players where image_key = wanted)
    or exists (select from csv_uploads where object_key = wanted)
    or exists (select from scans where preview_key = wanted)
    or exists (select from unused_objects where key = wanted)
    or object_is_reserved(wanted);

-- Whether a record of this maker keeps a file of this owner.
create function holds_files_of(owner uuid, maker uuid) returns boolean language sql stable
return maker = owner or user_runs_the_box(maker);

-- Whether an object is kept: shown by a record of the owner of the file, or of an administrator or operator. Other records do
-- not keep the file from being deleted; their link then leads nowhere. Any record keeps a file that was sent without a session.
create function object_is_held(wanted text, owner uuid) returns boolean language sql stable
return case when owner is null then object_is_shown(wanted) else
       exists (select from pins p where object_key_in(p.content_url) = wanted and holds_files_of(owner, p.user_id))
    or exists (select from pins p where object_key_in(p.relocalization_photo_url) = wanted and holds_files_of(owner, p.user_id))
    or exists (select from pins p where object_key_in(p.localization_data ->> 'worldmapURL') = wanted
                 and holds_files_of(owner, p.user_id))
    or exists (select from gcps g where object_keys_in(g.photo_urls) @> array[wanted]
                 and g.photo_urls <> '{}' and object_keys_in(g.photo_urls) <> '{}' and holds_files_of(owner, g.user_id))
    or exists (select from csv_uploads u where u.object_key = wanted and holds_files_of(owner, u.user_id))
    or exists (select from apps a where object_key_in(a.image_url) = wanted and holds_files_of(owner, a.owner_id))
    or exists (select from mini_game_types t join apps a on a.id = t.app_id
                where object_key_in(t.image_url) = wanted and holds_files_of(owner, a.owner_id))
    or exists (select from files f join scans s on s.file_id = f.id where f.key = wanted)
    or exists (select from scans where preview_key = wanted) end;

-- Who may see the bytes of an object. owners: these users and operators only; null: whoever knows the address. may_change:
-- the owner of a scan may change that at any time. The result of a conversion is as open as the most open file of that content.
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

-- Deletes files of one owner: those of private scans ("hidden"), and of the others those that no record keeps; then the
-- results of conversions whose content no file has any more. Files of private scans are deleted whatever refers to them:
-- nobody but the owner could see them, and that must not change because the scan is gone. A result is kept like its source.
-- The caller has deleted the scans, and holds the locks of these contents, so that nobody requests or deletes their
-- conversions meanwhile.
create function remove_files(wanted bigint[], hidden bigint[]) returns void language plpgsql as $$
declare
  owner uuid := (select user_id from files where id = any(wanted) limit 1);
  contents text[] := array(select distinct sha256 from files where id = any(wanted));
  hidden_contents text[] := array(select distinct sha256 from files where id = any(hidden));
  results bigint[];
  hidden_results bigint[];
begin
  with gone as (
    delete from files f where f.id = any(wanted) and (f.id = any(hidden) or not object_is_held(f.key, f.user_id))
       and not exists (select from conversions c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
  with forgotten as (
    delete from conversions c where c.sha256 = any(contents)
       and not exists (select from files f where f.sha256 = c.sha256)
    returning c.result_id, c.sha256 = any(hidden_contents) as is_hidden)
  select array_agg(result_id), array_agg(result_id) filter (where is_hidden) into results, hidden_results
    from forgotten where result_id is not null;
  with gone as (
    delete from files f where f.id = any(results) and f.user_id is null
       and (f.id = any(coalesce(hidden_results, '{}')) or not object_is_held(f.key, owner))
       and not exists (select from conversions c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
end $$;

-- Stored addresses ---------------------------------------------------------------------------------------------------------

-- An address as it is stored: the path if the file is one of this service, whatever its public address was, else as sent. A
-- key is one of this service if a record has it; nobody can guess a key.
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

-- Several addresses as they are stored. Those that become the same path are stored once.
create function stored_addresses(addresses text[]) returns text[] language plpgsql stable as $$
begin
  if object_keys_in(addresses) = '{}' then return addresses; end if;
  return array(
    select stored from (
      select stored_address(a) as stored, n from unnest(addresses) with ordinality as given (a, n)) as kept
     group by stored, case when object_key_in(stored) is null then n end order by min(n));
end $$;

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
