-- Geodesy on the WGS84 ellipsoid (NGA.STND.0036), with the constants of modules/places/geodesy.ts.

-- A place as a point in space: earth-centred metres. It has no seam at the poles or at longitude 180.
-- One expression, which PostgreSQL inlines. Adding and subtracting 1 turns degrees that are too small to matter into 0: their
-- sine would underflow, which is an error.
create function ecef(latitude double precision, longitude double precision) returns cube
language sql immutable parallel safe
return cube(cube(cube(
  6378137 / sqrt(1 - 0.0066943799901413165 * sind(latitude + 1 - 1) ^ 2) * cosd(latitude + 1 - 1) * cosd(longitude + 1 - 1)),
  6378137 / sqrt(1 - 0.0066943799901413165 * sind(latitude + 1 - 1) ^ 2) * cosd(latitude + 1 - 1) * sind(longitude + 1 - 1)),
  6378137 / sqrt(1 - 0.0066943799901413165 * sind(latitude + 1 - 1) ^ 2) * (1 - 0.0066943799901413165) * sind(latitude + 1 - 1));

-- Distances are measured along the geodesic between two places in space, or between the centres of the boxes around them.

-- The distance between any two places, in metres, by T. Vincenty, "Direct and inverse solutions of geodesics on the
-- ellipsoid", Survey Review 23 (1975). Accurate to 0.1 mm, until the iteration fails near the antipode (beyond 19,900 km).
-- There it is the angle between the two by their reduced latitudes on a sphere whose meridian is as long as the ellipsoid's,
-- accurate to half a percent.
create function metres_far(one cube, x2 double precision, y2 double precision, z2 double precision) returns double precision
language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  a constant double precision := 6378137;
  b constant double precision := 6356752.314245179;
  f constant double precision := 0.0033528106647474805;
  x1 double precision := (cube_ll_coord(one, 1) + cube_ur_coord(one, 1)) / 2;
  y1 double precision := (cube_ll_coord(one, 2) + cube_ur_coord(one, 2)) / 2;
  z1 double precision := (cube_ll_coord(one, 3) + cube_ur_coord(one, 3)) / 2;
  -- Of the reduced latitudes U: z = b sin U, and a cos U is the distance from the axis.
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

-- The same distance rounded to a micrometre, so that equal places are 0 apart. Up to 100 km it is computed from the chord and
-- the radius of curvature along it, by Euler's theorem on normal sections, as in modules/places/metres-between.ts: accurate to
-- 0.01 mm. It returns a set of one row because PostgreSQL inlines such a function; a call for each row costs ten times as
-- much. Each "offset 0" keeps a subquery from being evaluated again wherever its columns are used.
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
      -- The squared components of the chord to the east and to the north; w is 1 - e² sin² of the latitude between.
      select sqrt(dx * dx + dy * dy + dz * dz) as chord, 1 - 0.0066943799901413165 * t * t / length2 as w,
        case when p2 = 0 then dy * dy else (dy * mx - dx * my) ^ 2 / p2 end as east2,
        (dz * sqrt(p2 / length2)
          - case when p2 = 0 then dx else (dx * mx + dy * my) / sqrt(p2) end * t / sqrt(length2)) ^ 2 as north2
      from (
        -- The midpoint of antipodes has length 0, which must not be divided by.
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
