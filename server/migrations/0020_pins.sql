-- Pins: content at a place. The place is stored twice: as it was sent, and as a box in space that an index can search.

create table pins (
  id bigint generated always as identity primary key,
  title text not null,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  place cube generated always as (cube_enlarge(ecef(latitude, longitude), 0.01, 3)) stored,
  geo_pose jsonb,
  content_type text not null,
  content_url text,
  localization_data jsonb,
  zone_id bigint references zones,
  gcp_id bigint references gcps on delete cascade,
  user_id uuid references users on delete set null,
  visibility text not null default 'public' check (visibility in ('public', 'unlisted', 'private')),
  relocalization_photo_url text,
  scan_instructions text,
  camera_pose_hint jsonb,
  blockchain_signature text,
  blockchain_tx_url text,
  blockchain_synced_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((latitude is null) = (longitude is null))
);
create index pins_zone on pins (zone_id) where zone_id is not null;
create unique index pins_gcp on pins (gcp_id) where gcp_id is not null;
create index pins_user on pins (user_id) where user_id is not null;
-- For searches at the poles and across longitude 180.
create index pins_place on pins using gist (place);
-- For all others: a search in space visits pages in proportion to the square root of the number of pins, a search by degrees
-- almost always the same few. Adding and subtracting 360 turns tiny degrees into 0: PostgreSQL multiplies the sides of boxes,
-- and refuses rows where the product underflows.
create index pins_degrees on pins using gist (point(longitude + 360 - 360, latitude + 360 - 360));
-- Tells the planner how many pins a height range leaves.
create statistics pins_height on ((geo_pose #>> '{position,h}')::double precision) from pins;

comment on table pins is 'Pins: content at a place. A pin with gcp_id is the place of that ground control point.';
comment on column pins.place is
  'A box of 2 cm around the point in space. The index splits its pages by distances between boxes and takes all '
  'points for equally far apart, so that a surveyed line of points would get a page each.';

-- Ids of public pins in a part of the map, in no order, p_most at most. The planner takes every box for small and would build
-- a bitmap of all pins in a large one before it returns the first, so bitmap scans are off.
create function public_pins_in(
  p_west double precision, p_south double precision, p_east double precision, p_north double precision, p_most int
) returns setof bigint language sql stable parallel safe set enable_bitmapscan = off as $$
  select id from pins
   where point(longitude + 360 - 360, latitude + 360 - 360) <@ box(
           point(p_west + 360 - 360, p_south + 360 - 360), point(p_east + 360 - 360, p_north + 360 - 360))
     and longitude between p_west and p_east and latitude between p_south and p_north and visibility = 'public'
   limit p_most
$$;

-- Change feed: every process holds in memory all pins that a search may return, and learns of each statement that writes
-- pins.

-- Writes a row for each thousand pins; where a statement changes very many, "*" makes readers load all of them again.
create function tell_of_pins(ids bigint[]) returns void language sql as $$
  insert into changes (topic, subjects)
  select 'pin', case when cardinality(ids) > 50000 then array['*'] else array_agg(id::text) end
    from unnest(ids) with ordinality as changed (id, place)
   where cardinality(ids) <= 50000 or place = 1
   group by (place - 1) / 1000
$$;

create function tell_of_made_pins() returns trigger language plpgsql as $$
begin
  perform tell_of_pins(array(select id from made));
  return null;
end $$;

create function tell_of_changed_pins() returns trigger language plpgsql as $$
begin
  perform tell_of_pins(array(select id from made union select id from gone));
  return null;
end $$;

create function tell_of_gone_pins() returns trigger language plpgsql as $$
begin
  perform tell_of_pins(array(select id from gone));
  return null;
end $$;

create function tell_of_all_pins() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('pin', array['*']);
  return null;
end $$;

create trigger pins_told_made after insert on pins referencing new table as made
  for each statement execute function tell_of_made_pins();
create trigger pins_told_changed after update on pins referencing old table as gone new table as made
  for each statement execute function tell_of_changed_pins();
create trigger pins_told_gone after delete on pins referencing old table as gone
  for each statement execute function tell_of_gone_pins();
create trigger pins_told_emptied after truncate on pins
  for each statement execute function tell_of_all_pins();
