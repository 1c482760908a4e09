-- Players of an app.

create table players (
  app_id uuid not null references apps,
  id uuid not null,
  display_name text not null,
  name_key text not null,
  user_id uuid references users on delete set null,
  image_url text,
  image_key text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (app_id, id),
  unique (app_id, name_key)
);
create index players_list on players (app_id, created_at, id);
create index players_user on players (user_id) where user_id is not null;
create index players_id on players (id);
create index players_image on players (image_key) where image_key is not null;

-- Search by the beginning of one of the first three words.
create index players_word_1 on players (app_id, from_word(name_key, 1) collate "C");
create index players_word_2 on players (app_id, from_word(name_key, 2) collate "C") where from_word(name_key, 2) is not null;
create index players_word_3 on players (app_id, from_word(name_key, 3) collate "C") where from_word(name_key, 3) is not null;

comment on table players is 'Players of an app, with or without a user.';
comment on column players.name_key is 'The folded display name, which is unique within the app.';
comment on column players.image_url is 'The stored address of the profile image: its path /files/<key>.';
comment on column players.image_key is 'The key of the profile image in the object storage. No row of files has it.';

-- The object of a profile image belongs to the player alone.
create function let_go_of_image() returns trigger language plpgsql as $$
begin
  insert into unused_objects (key) values (old.image_key) on conflict do nothing;
  return null;
end $$;
create trigger players_image_replaced after update of image_key on players for each row
  when (old.image_key is not null and old.image_key is distinct from new.image_key) execute function let_go_of_image();
create trigger players_image_deleted after delete on players for each row
  when (old.image_key is not null) execute function let_go_of_image();

-- Webhook events player.created, player.updated, player.deleted.
create function publish_player() returns trigger language plpgsql as $$
declare
  p players := coalesce(new, old);
  v_type text := case tg_op when 'INSERT' then 'player.created' when 'UPDATE' then 'player.updated' else 'player.deleted' end;
begin
  if not has_webhook(p.app_id, v_type) then return null; end if;
  perform publish_event(p.app_id, null, v_type, p.id::text,
    jsonb_build_object('id', p.id, 'displayName', p.display_name, 'userId', p.user_id, 'imageUrl', p.image_url,
      'createdAt', api_moment(p.created_at), 'updatedAt', api_moment(p.updated_at)), p.user_id);
  return null;
end $$;
create trigger players_told after insert or delete on players for each row execute function publish_player();
create trigger players_changed after update on players for each row
  when (old.* is distinct from new.*) execute function publish_player();

select count_rows('players');
