-- Ground control points. Each has a pin, which holds its place.

create table gcps (
  id bigint generated always as identity primary key,
  title text not null,
  title_key text not null,
  description text,
  gcp_type text not null check (gcp_type in ('SINGLE', 'MULTI')),
  altitude double precision,
  april_tag_id smallint check (april_tag_id between 0 and 50),
  gcp_data text,
  photo_urls text[] not null default '{}',
  survey jsonb,
  zone_id bigint references zones,
  user_id uuid references users on delete set null,
  csv_upload_id uuid references csv_uploads on delete set null,
  edited_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index gcps_list on gcps (created_at, id);
create index gcps_zone on gcps (zone_id, created_at, id);
create index gcps_title on gcps (zone_id, title_key);
create index gcps_tag on gcps (april_tag_id, zone_id) where april_tag_id is not null;
create index gcps_upload on gcps (csv_upload_id) where csv_upload_id is not null;
create index gcps_user on gcps (user_id) where user_id is not null;
-- "photo_urls <> '{}'" is checked first: most points have no photo, and object_keys_in costs 3 µs for each new point. A query
-- must repeat both conditions.
create index gcps_photo_objects on gcps using gin (object_keys_in(photo_urls))
  where photo_urls <> '{}' and object_keys_in(photo_urls) <> '{}';

comment on table gcps is 'Ground control points.';
comment on column gcps.title_key is
  'The folded title. An import finds the points it wrote before by it, within the zone.';
comment on column gcps.photo_urls is
  'Stored addresses of photos. Which point shows which photo is recorded here alone.';
comment on column gcps.survey is 'Accuracies and height reference, as the survey file gave them.';
comment on column gcps.csv_upload_id is 'The import that wrote the point.';
comment on column gcps.edited_at is 'When somebody last changed it by hand. Null if only imports wrote it.';

select count_rows('gcps');
