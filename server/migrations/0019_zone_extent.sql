-- Zones by place: the box around a boundary, which an index can search. Whether a point lies inside is decided exactly,
-- in the service; the box only picks candidates.

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

alter table zones add column extent box generated always as (boundary_box(boundary)) stored;
create index zones_extent on zones using gist (extent);
create index zones_list on zones (created_at, id);
