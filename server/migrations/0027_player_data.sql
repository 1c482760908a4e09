-- What games keep for their players, and the live configuration of an app.

create table player_storage (
  app_id uuid not null,
  player_id uuid not null,
  key text collate "C" not null,
  value json not null,
  bytes int not null,
  etag uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (app_id, player_id, key),
  foreign key (app_id, player_id) references players on delete cascade
);

comment on table player_storage is 'JSON that a game keeps for a player, by key.';
comment on column player_storage.value is 'Of type json, which keeps the order of members.';
comment on column player_storage.bytes is 'Size of the value as JSON in UTF-8.';
comment on column player_storage.etag is 'New at each write, so that a key that is deleted and made again has another one.';

-- The bytes that the values of an app have together, kept like row counts (0002_row_counts.sql).
create function note_storage_bytes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes
    select 'player_storage_bytes', app_id::text, sum(bytes) from added group by app_id;
  elsif tg_op = 'DELETE' then
    insert into row_count_changes
    select 'player_storage_bytes', app_id::text, -sum(bytes) from removed group by app_id;
  else
    insert into row_count_changes
    select 'player_storage_bytes', app_id::text, sum(change)
      from (select app_id, bytes as change from added union all select app_id, -bytes from removed) as c
     group by app_id having sum(change) <> 0;
  end if;
  return null;
end $$;
create trigger storage_added after insert on player_storage referencing new table as added
  for each statement execute function note_storage_bytes();
create trigger storage_changed after update on player_storage referencing new table as added old table as removed
  for each statement execute function note_storage_bytes();
create trigger storage_removed after delete on player_storage referencing old table as removed
  for each statement execute function note_storage_bytes();

create table app_configs (
  app_id uuid not null references apps on delete cascade,
  version int not null,
  value json not null,
  bytes int not null,
  user_id uuid references users on delete set null,
  key_id text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (app_id, version)
);
create index app_configs_user on app_configs (user_id) where user_id is not null;

comment on table app_configs is 'The live configuration of an app: its versions, of which the newest applies.';
comment on column app_configs.bytes is 'Size of the value as JSON in UTF-8.';
comment on column app_configs.user_id is 'The user who wrote it. Null if an app key did, or once the user is erased.';
comment on column app_configs.key_id is 'The public part of the app key that wrote it.';

-- Wakes the streams of the configuration in every process.
create function note_app_config() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('app_config', array[new.app_id::text]);
  return null;
end $$;
create trigger app_configs_changed after insert on app_configs for each row execute function note_app_config();
