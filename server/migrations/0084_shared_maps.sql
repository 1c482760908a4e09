-- Maps that users share by a link: the zones, pins and leaderboards that they chose.

create table shared_maps (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  title text not null,
  description text,
  zone_ids bigint[] not null,
  pins_in_zones boolean not null,
  pin_ids bigint[] not null,
  boards jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index shared_maps_user on shared_maps (user_id, created_at, id);

comment on table shared_maps is 'Maps that anyone who knows their ID can see.';
comment on column shared_maps.id is 'A random UUID, which cannot be guessed. Anyone who has it can see the map.';
comment on column shared_maps.zone_ids is 'May name zones that were deleted since, as pin_ids may name pins: the map leaves them out.';
comment on column shared_maps.pins_in_zones is 'Whether the public pins of the zones are shown.';
comment on column shared_maps.boards is
  'A JSON array of {appId, miniGameTypeId}. A board is shown while the owner of the map is a developer of the app.';
