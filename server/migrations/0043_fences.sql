-- needs 0020_pins.sql: zones and pins that an older process moves change the version of their fences
-- Fences: places that players of an app enter, leave and dwell in; and the last positions of the players.

-- One row for each app that has had a fence or chosen a setting.
create table fence_settings (
  app_id uuid primary key references apps on delete cascade,
  version bigint not null default 1,
  retain_seconds int not null default 600 check (retain_seconds between 60 and 86400)
);

comment on table fence_settings is 'What all fences of an app have in common.';
comment on column fence_settings.version is
  'Increments with each change of a fence, its zone or its pin: processes hold the fences in memory as of a version.';
comment on column fence_settings.retain_seconds is 'How long the position of a player is kept.';

create table fences (
  app_id uuid not null references apps on delete cascade,
  id uuid not null,
  name text not null,
  zone_id bigint references zones on delete cascade,
  pin_id bigint references pins on delete cascade,
  radius double precision check (radius > 0),
  max_accuracy double precision not null,
  dwell_seconds int check (dwell_seconds > 0),
  listed boolean not null,
  check_in jsonb,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (app_id, id),
  check ((zone_id is null) <> (pin_id is null)),
  check ((pin_id is null) = (radius is null))
);
create index fences_list on fences (app_id, created_at, id);
create index fences_zone on fences (zone_id) where zone_id is not null;
create index fences_pin on fences (pin_id) where pin_id is not null;

comment on table fences is 'Fences of an app: a zone, or a circle around a pin.';
comment on column fences.radius is 'Metres around the pin. Null for a zone.';
comment on column fences.max_accuracy is 'Fixes that are less accurate, in metres, do not count.';
comment on column fences.listed is 'Whether client keys and player tokens can read it.';
comment on column fences.check_in is 'The rule of check-ins, as the API returns it. Null: none are accepted.';

create function note_fence_change(p_apps uuid[]) returns void language sql as $$
  insert into fence_settings (app_id)
  select a from (select distinct unnest(p_apps) as a) x where exists (select from apps where id = a) order by a
  on conflict (app_id) do update set version = fence_settings.version + 1
$$;

create function note_new_fences() returns trigger language plpgsql as $$
begin
  perform note_fence_change(array(select app_id from added));
  return null;
end $$;

create function note_old_fences() returns trigger language plpgsql as $$
begin
  perform note_fence_change(array(select app_id from removed));
  return null;
end $$;

create function note_fenced_zone() returns trigger language plpgsql as $$
begin
  perform note_fence_change(array(select app_id from fences where zone_id = new.id));
  return null;
end $$;

create function note_fenced_pins() returns trigger language plpgsql as $$
begin
  if exists (select from fences where pin_id is not null) then
    perform note_fence_change(array(
      select f.app_id from made m join gone g on g.id = m.id join fences f on f.pin_id = m.id
       where (g.latitude, g.longitude, g.visibility) is distinct from (m.latitude, m.longitude, m.visibility)));
  end if;
  return null;
end $$;

create trigger fences_added after insert on fences referencing new table as added
  for each statement execute function note_new_fences();
create trigger fences_changed after update on fences referencing new table as added
  for each statement execute function note_new_fences();
create trigger fences_removed after delete on fences referencing old table as removed
  for each statement execute function note_old_fences();
create trigger zones_fenced after update of boundary on zones
  for each row execute function note_fenced_zone();
create trigger pins_fenced after update on pins referencing old table as gone new table as made
  for each statement execute function note_fenced_pins();

create table player_positions (
  app_id uuid not null,
  player_id uuid not null,
  version bigint not null,
  fix jsonb,
  plausible jsonb not null,
  stays jsonb not null default '[]',
  seen_at timestamptz not null default clock_timestamp(),
  primary key (app_id, player_id),
  foreign key (app_id, player_id) references players on delete cascade
) with (fillfactor = 70);

comment on table player_positions is
  'The last position of each player, for as long as fence_settings.retain_seconds says.';
comment on column player_positions.version is 'Increments with each write: a writer that read an older one reads again.';
comment on column player_positions.fix is 'The newest fix that was reported, with its time in milliseconds since 1970. Null if there were check-ins alone.';
comment on column player_positions.plausible is
  'The newest fix that the player can have reached from the one before: check-ins measure the speed from here.';
comment on column player_positions.stays is 'The fences that the player is in, or has left in the last minutes.';

-- Writes positions of many players, each in a state that follows on the version it was read in (0: there was none), with
-- their events. Returns the items that were written (n is their position, from 1); the others have to be read again.
create function save_positions(p_app uuid[], p_player uuid[], p_version bigint[], p_fix jsonb[], p_plausible jsonb[],
  p_stays jsonb[], p_events jsonb[])
returns setof int language plpgsql volatile as $$
declare
  v_done int[];
begin
  -- in one order, so that two groups do not wait for each other
  perform 1 from player_positions y
    where (y.app_id, y.player_id) in (select i.app, i.player from unnest(p_app, p_player) i(app, player))
    order by y.app_id, y.player_id for update;
  with i as (
    select * from unnest(p_app, p_player, p_version, p_fix, p_plausible, p_stays)
      with ordinality i(app, player, version, fix, plausible, stays, n)),
  changed as (
    update player_positions y
       set version = y.version + 1, fix = i.fix, plausible = i.plausible, stays = i.stays, seen_at = clock_timestamp()
      from i where i.version > 0 and y.app_id = i.app and y.player_id = i.player and y.version = i.version
    returning i.n),
  made as (
    insert into player_positions (app_id, player_id, version, fix, plausible, stays)
    select i.app, i.player, 1, i.fix, i.plausible, i.stays from i join players p on p.app_id = i.app and p.id = i.player
     where i.version = 0 order by 1, 2
    on conflict do nothing returning app_id, player_id)
  select array_agg(n::int) into v_done from (
    select n from changed union all
    select i.n from i join made m on m.app_id = i.app and m.player_id = i.player) d;
  perform publish_event(p_app[d], null, e ->> 'type', p_player[d]::text, e -> 'data',
            (select p.user_id from players p where p.app_id = p_app[d] and p.id = p_player[d]))
     from unnest(v_done) d, jsonb_array_elements(p_events[d]) with ordinality x(e, place)
    order by d, place;
  return query select unnest(v_done);
end $$;
