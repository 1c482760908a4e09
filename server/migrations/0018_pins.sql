-- Pins measured and changed.

-- The WGS84 geodesic between two places as pins have them: points of the ellipsoid in space, or the boxes of two
-- centimetres around them.

-- Any two, in metres, by T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid", Survey Review 23 (1975):
-- right to a tenth of a millimetre until its iteration fails near the antipode (beyond 19,900 km). There it is the angle
-- between the two by their reduced latitudes on a sphere whose meridian is as long as the ellipsoid's: right to half a hundredth.
create function metres_far(one cube, x2 double precision, y2 double precision, z2 double precision) returns double precision
language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  a constant double precision := 6378137;
  b constant double precision := 6356752.314245179;
  f constant double precision := 0.0033528106647474805;
  x1 double precision := (cube_ll_coord(one, 1) + cube_ur_coord(one, 1)) / 2;
  y1 double precision := (cube_ll_coord(one, 2) + cube_ur_coord(one, 2)) / 2;
  z1 double precision := (cube_ll_coord(one, 3) + cube_ur_coord(one, 3)) / 2;
  -- Of the reduced latitudes: z = b sin U, and a cos U is the way from the axis.
  sin1 double precision := z1 / b;
  cos1 double precision := sqrt(x1 * x1 + y1 * y1) / a;
  sin2 double precision := z2 / b;
  cos2 double precision := sqrt(x2 * x2 + y2 * y2) / a;
  l double precision := atan2(x1 * y2 - y1 * x2, x1 * x2 + y1 * y2);
  lambda double precision := l;
  before double precision;
  sin_s double precision;
  cos_s double precision;
  s double precision;
  sin_a double precision;
  cos2_a double precision;
  cos_m double precision;
  c double precision;
  u2 double precision;
  k double precision;
  big_a double precision;
  big_b double precision;
begin
  for i in 1 .. 60 loop
    sin_s := sqrt((cos2 * sin(lambda)) ^ 2 + (cos1 * sin2 - sin1 * cos2 * cos(lambda)) ^ 2);
    cos_s := sin1 * sin2 + cos1 * cos2 * cos(lambda);
    exit when sin_s < 1e-9;
    s := atan2(sin_s, cos_s);
    sin_a := cos1 * cos2 * sin(lambda) / sin_s;
    cos2_a := 1 - sin_a * sin_a;
    cos_m := case when cos2_a < 1e-12 then 0 else cos_s - 2 * sin1 * sin2 / cos2_a end;
    c := f / 16 * cos2_a * (4 + f * (4 - 3 * cos2_a));
    before := lambda;
    lambda := l + (1 - c) * f * sin_a * (s + c * sin_s * (cos_m + c * cos_s * (2 * cos_m * cos_m - 1)));
    exit when abs(lambda) > pi();
    if abs(lambda - before) < 1e-12 then
      u2 := cos2_a * (a * a - b * b) / (b * b);
      k := (sqrt(1 + u2) - 1) / (sqrt(1 + u2) + 1);
      big_a := (1 + k * k / 4) / (1 - k);
      big_b := k * (1 - 3 * k * k / 8);
      return b * big_a * (s - big_b * sin_s * (cos_m + big_b / 4 * (cos_s * (2 * cos_m * cos_m - 1)
        - big_b / 6 * cos_m * (4 * sin_s * sin_s - 3) * (4 * cos_m * cos_m - 3))));
    end if;
  end loop;
  return 6367449 * atan2(sqrt((cos2 * sin(l)) ^ 2 + (cos1 * sin2 - sin1 * cos2 * cos(l)) ^ 2),
    sin1 * sin2 + cos1 * cos2 * cos(l));
end $$;

-- The same, rounded to a micrometre, so that equal places are 0 apart; a set of one row, because PostgreSQL puts such a
-- function's text into the statement around it (a call for each row costs ten times as much). Up to 100 km by the chord and
-- the radius of curvature along it, by Euler's theorem on normal sections, as geodesy.ts has it: right to a hundredth of a
-- millimetre. The "offset 0" keep each part from being worked out again wherever it is named.
create function metres_between(one cube, x double precision, y double precision, z double precision)
returns table (metres double precision) language sql immutable parallel safe as $$
  select case
    when chord < 1e-7 then 0
    when chord <= 100000 then round(2 * r * asin(least(1, chord / (2 * r))) * 1e6) / 1e6
    else round(metres_far(one, x, y, z) * 1e6) / 1e6
  end
  from (
    select chord, 6378137 * (east2 + north2)
      / nullif(north2 * w * sqrt(w) / (1 - 0.0066943799901413165) + east2 * sqrt(w), 0) as r
    from (
      -- The parts of the chord to the east and to the north, squared; w is 1 - e2 sin2 of the latitude between.
      select sqrt(dx * dx + dy * dy + dz * dz) as chord, 1 - 0.0066943799901413165 * t * t / length2 as w,
        case when p2 = 0 then dy * dy else (dy * mx - dx * my) ^ 2 / p2 end as east2,
        (dz * sqrt(p2 / length2)
          - case when p2 = 0 then dx else (dx * mx + dy * my) / sqrt(p2) end * t / sqrt(length2)) ^ 2 as north2
      from (
        -- Nothing lies between antipodes: a length of 0 must not be divided by.
        select dx, dy, dz, mx, my, t, p2, greatest(p2 + t * t, 1) as length2
        from (
          select x1 - x as dx, y1 - y as dy, z1 - z as dz, x1 + x as mx, y1 + y as my,
            (z1 + z) / (1 - 0.0066943799901413165) as t, (x1 + x) * (x1 + x) + (y1 + y) * (y1 + y) as p2
          from (
            select (cube_ll_coord(one, 1) + cube_ur_coord(one, 1)) / 2 as x1,
              (cube_ll_coord(one, 2) + cube_ur_coord(one, 2)) / 2 as y1,
              (cube_ll_coord(one, 3) + cube_ur_coord(one, 3)) / 2 as z1 offset 0) as place) as way
        offset 0) as middle
      offset 0) as parts
    offset 0) as curve
$$;

-- How high pins lie, so that PostgreSQL knows how many a height band leaves.
create statistics pins_height on ((geo_pose #>> '{position,h}')::double precision) from pins;

-- A pin shows photos as a ground control point does (0015_photos.sql): it holds the files it shows, and one that was sent as
-- a photo goes with the last record that shows it.
create function addresses_of(pin pins) returns text[] language sql immutable
return array_remove(array[pin.content_url, pin.relocalization_photo_url, pin.localization_data ->> 'worldmapURL'], null);

create function hold_files_of_pin() returns trigger language plpgsql as $$
begin
  perform from files where key = any(object_keys_in(addresses_of(new))) order by key for key share;
  return null;
end $$;

-- Of files that a record shows no more, those that were sent as photos and that nothing else shows go.
create function let_go_of_given(dropped text[]) returns void language plpgsql as $$
begin
  perform from files f where f.key = any(dropped)
      and exists (select from gcp_photos p where p.file_id = f.id and p.state = 'given')
    order by f.key for update;
  with gone as (
    delete from files f where f.key = any(dropped)
       and exists (select from gcp_photos p where p.file_id = f.id and p.state = 'given')
       and not object_is_shown(f.key)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
end $$;

create or replace function let_go_of_photos() returns trigger language plpgsql as $$
begin
  perform let_go_of_given(array(
    select unnest(object_keys_in(old.photo_urls)) except select unnest(object_keys_in(new.photo_urls))));
  return null;
end $$;

create function let_go_of_files_of_pin() returns trigger language plpgsql as $$
declare
  dropped text[] := object_keys_in(addresses_of(old));
begin
  if tg_op = 'UPDATE' then
    dropped := array(select unnest(dropped) except select unnest(object_keys_in(addresses_of(new))));
  end if;
  perform let_go_of_given(dropped);
  return null;
end $$;

create trigger pins_files_made after insert on pins for each row
  when (new.content_url is not null or new.relocalization_photo_url is not null or new.localization_data is not null)
  execute function hold_files_of_pin();
create trigger pins_files_changed after update of content_url, relocalization_photo_url, localization_data on pins for each row
  when (new.content_url is distinct from old.content_url or new.localization_data is distinct from old.localization_data
    or new.relocalization_photo_url is distinct from old.relocalization_photo_url)
  execute function hold_files_of_pin();
create trigger pins_files_dropped after update of content_url, relocalization_photo_url, localization_data on pins for each row
  when (new.content_url is distinct from old.content_url or new.localization_data is distinct from old.localization_data
    or new.relocalization_photo_url is distinct from old.relocalization_photo_url)
  execute function let_go_of_files_of_pin();
create trigger pins_files_deleted after delete on pins for each row
  when (old.content_url is not null or old.relocalization_photo_url is not null or old.localization_data is not null)
  execute function let_go_of_files_of_pin();
