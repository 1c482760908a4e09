-- A boundary for tests of points and boxes, in a form that is read without parsing: longitude and latitude of each position
-- as float8 of PostgreSQL's binary form (eight bytes each, the highest first), ring behind ring, NaN NaN behind each ring.
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
