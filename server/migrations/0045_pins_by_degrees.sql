-- one by one: pins may be many, and are written to meanwhile
-- A tree of boxes in space (pins_place) touches about the root of the pins for each search, one of longitude and latitude as good
-- as always the same. The one in space is for searches at the poles and across the meridian of 180°.
-- Figures near 0 become 0 by the sum: PostgreSQL multiplies the sides of boxes, and refuses rows where that is too small for it.
drop index concurrently if exists pins_degrees;
create index concurrently pins_degrees on pins using gist (point(longitude + 360 - 360, latitude + 360 - 360));
