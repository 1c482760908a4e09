-- Zones: areas that group pins and ground control points.

-- The box around a boundary, which an index can search. It selects candidates; whether a point lies inside is decided by the
-- service.
create function boundary_box(boundary jsonb) returns box language sql immutable strict parallel safe
return (
  select box(point(min(longitude), min(latitude)), point(max(longitude), max(latitude)))
  from (
    select (p ->> 0)::float8 as longitude, (p ->> 1)::float8 as latitude
    from jsonb_path_query(boundary, case boundary ->> 'type'
      when 'Polygon' then 'strict $.coordinates[*][*]'::jsonpath
      else 'strict $.coordinates[*][*][*]'::jsonpath end) as p
  ) as positions
);

-- A boundary in a form that is read without parsing: longitude and latitude of each position as float8 in PostgreSQL's binary
-- form (8 bytes each, big-endian), ring after ring, and NaN NaN after each ring.
create function boundary_positions(boundary jsonb) returns bytea language sql immutable strict parallel safe
return (
  select string_agg(float8send(longitude) || float8send(latitude), ''::bytea order by ring, place)
    from (
      select ring, place, coalesce((p ->> 0)::float8, 'NaN') as longitude,
             coalesce((p ->> 1)::float8, 'NaN') as latitude
        from jsonb_path_query(boundary, case boundary ->> 'type'
               when 'Polygon' then 'strict $.coordinates[*]'::jsonpath
               else 'strict $.coordinates[*][*]'::jsonpath end) with ordinality as rings (positions, ring),
             jsonb_array_elements(positions || '[null]'::jsonb) with ordinality as there (p, place)
    ) as positions
);

create function count_positions(boundary jsonb) returns integer language sql immutable strict parallel safe
return case boundary ->> 'type'
  when 'Polygon' then (select sum(jsonb_array_length(ring)) from jsonb_array_elements(boundary -> 'coordinates') as ring)
  else (select sum(jsonb_array_length(ring)) from jsonb_array_elements(boundary -> 'coordinates') as polygon,
               jsonb_array_elements(polygon) as ring) end;

create table zones (
  id bigint generated always as identity primary key,
  title text not null,
  description text,
  boundary jsonb,
  extent box generated always as (boundary_box(boundary)) stored,
  outline bytea,
  outline_at timestamptz,
  positions integer,
  user_id uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
-- Coordinates hardly compress.
alter table zones alter column outline set storage external;
create index zones_list on zones (created_at, id);
create index zones_user on zones (user_id) where user_id is not null;
create index zones_extent on zones using gist (extent);

comment on table zones is 'Areas that group pins and ground control points. The boundary is optional.';
comment on column zones.boundary is 'GeoJSON Polygon or MultiPolygon (RFC 7946), as sent.';
comment on column zones.extent is 'The box around the boundary, for the index.';
comment on column zones.outline is
  'Cached result of boundary_positions. Valid only while outline_at equals updated_at; otherwise it is computed '
  'again.';
comment on column zones.positions is
  'Number of positions in the boundary, for the quota of the owner. Null: not counted yet.';

-- Row counts of tables that are listed by zone: as a whole and by zone.
create function note_rows_of_zones() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes
    select tg_table_name, coalesce(zone_id::text, ''), count(*) from added group by grouping sets ((), (zone_id))
    having count(*) > 0 and (grouping(zone_id) = 1 or zone_id is not null);
  else
    insert into row_count_changes
    select tg_table_name, coalesce(zone_id::text, ''), -count(*) from removed group by grouping sets ((), (zone_id))
    having count(*) > 0 and (grouping(zone_id) = 1 or zone_id is not null);
  end if;
  return null;
end $$;

create function note_zone_change() returns trigger language plpgsql as $$
begin
  insert into row_count_changes
  select tg_table_name, zone, change from (values (old.zone_id::text, -1), (new.zone_id::text, 1)) as m (zone, change)
   where zone is not null;
  return null;
end $$;

select count_rows('zones');
