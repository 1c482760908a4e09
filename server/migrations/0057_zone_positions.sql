-- How many positions the boundary of a zone has, for the quota of its owner; null: not counted yet.
alter table zones add column positions integer;

create function count_positions(boundary jsonb) returns integer language sql immutable strict parallel safe
return case boundary ->> 'type'
  when 'Polygon' then (select sum(jsonb_array_length(ring)) from jsonb_array_elements(boundary -> 'coordinates') as ring)
  else (select sum(jsonb_array_length(ring)) from jsonb_array_elements(boundary -> 'coordinates') as polygon,
               jsonb_array_elements(polygon) as ring) end;
