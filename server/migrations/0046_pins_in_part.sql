-- Ids of public pins in a part of the map, in no order: at most so many, and it stops there. PostgreSQL takes any box for small,
-- and would find all that lie in a large one before it gives the first; a function can forbid it that.
-- Figures are rounded as in the index (0045), so that all of a part is found.
create or replace function public_pins_in(
  p_west double precision, p_south double precision, p_east double precision, p_north double precision, p_most int
) returns setof bigint language sql stable parallel safe set enable_bitmapscan = off as $$
  select id from pins
   where point(longitude + 360 - 360, latitude + 360 - 360) <@ box(
           point(p_west + 360 - 360, p_south + 360 - 360), point(p_east + 360 - 360, p_north + 360 - 360))
     and longitude between p_west and p_east and latitude between p_south and p_north and visibility = 'public'
   limit p_most
$$;
