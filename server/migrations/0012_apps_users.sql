-- Keys that end, apps that go, profile images, and what the erasure of a user needs to find.

-- An app has one key that does not end; those it was rotated from end with their grace.
create unique index app_keys_current on app_keys (app_id) where expires_at is null;
create index app_keys_ended on app_keys (expires_at) where expires_at is not null;

-- A deleted app is gone for everybody at once, keys and all; its rows follow in batches, and at last its own.
alter table apps alter column owner_id drop not null;
alter table apps add column deleted_at timestamptz;
alter table apps add check (owner_id is not null or deleted_at is not null);
create index apps_public on apps (created_at, id) where visibility = 'PUBLIC' and deleted_at is null;

-- Objects that nothing points to any more. A key gets here in the transaction that lets go of it, and leaves when the
-- bytes are removed: so none is forgotten, whatever breaks off in between.
create table unused_objects (
  key text primary key,
  since timestamptz not null default now()
);

-- The profile image of a player: an object of ours. image_url is its address.
alter table players add column image_key text;

create function let_go_of_image() returns trigger language plpgsql as $$
begin
  insert into unused_objects (key) values (old.image_key) on conflict do nothing;
  return null;
end $$;
create trigger players_image_replaced after update of image_key on players for each row
  when (old.image_key is not null and old.image_key is distinct from new.image_key) execute function let_go_of_image();
create trigger players_image_deleted after delete on players for each row
  when (old.image_key is not null) execute function let_go_of_image();

-- The log is read by time, by who acted and by what was done; it is kept 400 days.
create index audit_log_at on audit_log (at);
create index audit_log_actor on audit_log (actor, id);
create index audit_log_action on audit_log (action, id);

create index users_list on users (created_at, id);
create index users_admins on users (id)
  where 'admin' = any (claimed_roles) or 'admin' = any (granted_roles) or admin_email is not null;
create index gcps_user on gcps (user_id) where user_id is not null;
create index csv_uploads_user on csv_uploads (user_id) where user_id is not null;

-- The key of the object that an address of ours names, whatever the public address was when it was stored; else null.
create function object_key_in(address text) returns text language sql immutable strict parallel safe
return substring(address from '/files/([a-z0-9]{2}/[A-Za-z0-9_-]{22}(?:\.[a-z0-9]{1,12})?)$');
create function object_keys_in(addresses text[]) returns text[] language sql immutable strict parallel safe
return array(select object_key_in(a) from unnest(addresses) a where object_key_in(a) is not null);

-- By these an erasure finds whether anything still points to a file; only rows that point to files of ours are in them.
create index pins_content_object on pins (object_key_in(content_url)) where object_key_in(content_url) is not null;
create index pins_photo_object on pins (object_key_in(relocalization_photo_url))
  where object_key_in(relocalization_photo_url) is not null;
create index pins_world_object on pins (object_key_in(localization_data ->> 'worldmapURL'))
  where object_key_in(localization_data ->> 'worldmapURL') is not null;
create index gcps_photo_objects on gcps using gin (object_keys_in(photo_urls))
  where object_keys_in(photo_urls) <> '{}';
create index csv_uploads_object on csv_uploads (object_key);
create index apps_image_object on apps (object_key_in(image_url)) where object_key_in(image_url) is not null;
create index mini_game_types_image_object on mini_game_types (object_key_in(image_url))
  where object_key_in(image_url) is not null;

-- Whether any record shows an object of ours: then it stays when whoever uploaded it goes.
create function object_is_shown(wanted text) returns boolean language sql stable
return exists (select from pins where object_key_in(content_url) = wanted)
    or exists (select from pins where object_key_in(relocalization_photo_url) = wanted)
    or exists (select from pins where object_key_in(localization_data ->> 'worldmapURL') = wanted)
    or exists (select from gcps where object_keys_in(photo_urls) @> array[wanted]
                 and object_keys_in(photo_urls) <> '{}')
    or exists (select from csv_uploads u where u.object_key = wanted)
    or exists (select from apps where object_key_in(image_url) = wanted)
    or exists (select from mini_game_types where object_key_in(image_url) = wanted);
