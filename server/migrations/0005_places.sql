-- Zones and pins. Where a pin is, is kept twice: as it was given, and as a point in space that an index can search.

-- Earth-centred metres on the WGS84 ellipsoid (NGA.STND.0036): no seam at 180 degrees or the poles. The same figures
-- as geodesy.ts has; both sides only need to agree to centimetres.
create function ecef(latitude double precision, longitude double precision) returns cube
language sql immutable strict parallel safe
return (
  select cube(array[n * cosd(phi) * cosd(lambda), n * cosd(phi) * sind(lambda), n * (1 - 0.0066943799901413165) * sind(phi)])
  from (
    -- Degrees too small to matter are 0: their sine is below what a double can hold, which is an error here.
    select case when abs(latitude) < 1e-12 then 0 else latitude end as phi,
      case when abs(longitude) < 1e-12 then 0 else longitude end as lambda
  ) as degrees,
  lateral (select 6378137 / sqrt(1 - 0.0066943799901413165 * sind(phi) ^ 2) as n) as radius
);

create table zones (
  id bigint generated always as identity primary key,
  title text not null,
  description text,
  -- GeoJSON Polygon or MultiPolygon (RFC 7946), as sent.
  boundary jsonb,
  user_id uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index zones_user on zones (user_id) where user_id is not null;

create table pins (
  id bigint generated always as identity primary key,
  title text not null,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  geo_pose jsonb,
  content_type text not null,
  content_url text,
  localization_data jsonb,
  zone_id bigint references zones,
  gcp_id bigint,
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
  -- A box of two centimetres and not a point: the index splits its pages by how far boxes lie apart, and takes all
  -- points for equally far, so that a surveyed line of them would put each into a page of its own.
  place cube generated always as (cube_enlarge(ecef(latitude, longitude), 0.01, 3)) stored,
  check ((latitude is null) = (longitude is null))
);
create index pins_place on pins using gist (place);
create index pins_zone on pins (zone_id) where zone_id is not null;
create unique index pins_gcp on pins (gcp_id) where gcp_id is not null;
create index pins_user on pins (user_id) where user_id is not null;
