-- What the photos of ground control points show. A job reads each one after its upload.

create table photo_checks (
  file_id bigint primary key references gcp_photos on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'read', 'unreadable')),
  attempts smallint not null default 0,
  run uuid,
  width int check (width > 0),
  height int check (height > 0),
  tags jsonb not null default '[]',
  exif jsonb,
  sharpness double precision,
  exposure double precision,
  problem text,
  checked_at timestamptz,
  check ((state = 'read') = (width is not null and height is not null and sharpness is not null and exposure is not null)),
  check ((state = 'unreadable') = (problem is not null)),
  check ((state = 'pending') = (checked_at is null))
);
create index photo_checks_pending on photo_checks (file_id) where state = 'pending';

comment on table photo_checks is
  'What photos of ground control points show, one row for each photo whose check was requested. Whether a photo shows the tag '
  'of its point is not stored: it is decided when it is read, by the point as it is then.';
comment on column photo_checks.attempts is 'Runs started. Limits the retries of a photo that ends every process.';
comment on column photo_checks.run is 'The latest run, which alone may write the result.';
comment on column photo_checks.width is 'Pixels of the stored image, before it is turned by its EXIF orientation.';
comment on column photo_checks.tags is 'The April tags that were found, as the API returns them.';
comment on column photo_checks.exif is 'Place, time and focal length, as the camera wrote them. Null if it wrote none.';
comment on column photo_checks.sharpness is 'From 0, no sharp edge, to 1.';
comment on column photo_checks.exposure is 'The mean brightness, from 0 to 1.';
comment on column photo_checks.problem is 'Why the photo cannot be read, as a sentence.';
