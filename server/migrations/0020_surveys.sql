-- Survey files of other hosts: their object is made once they are fetched, so what is the same file, the address says.

drop index csv_uploads_running;
-- One file runs once at a time in a zone: asking again gives the record that runs.
create unique index csv_uploads_running on csv_uploads (zone_id, md5(file_url), dry_run)
  where status in ('PENDING', 'PROCESSING');

-- The same point in space, written as one expression: PostgreSQL puts it into the statement around it, and a call costs a
-- fourteenth. Adding 1 and taking it away makes 0 of degrees too small to matter, whose sine would be an error.
create or replace function ecef(latitude double precision, longitude double precision) returns cube
language sql immutable parallel safe
return cube(cube(cube(
  6378137 / sqrt(1 - 0.0066943799901413165 * sind(latitude + 1 - 1) ^ 2) * cosd(latitude + 1 - 1) * cosd(longitude + 1 - 1)),
  6378137 / sqrt(1 - 0.0066943799901413165 * sind(latitude + 1 - 1) ^ 2) * cosd(latitude + 1 - 1) * sind(longitude + 1 - 1)),
  6378137 / sqrt(1 - 0.0066943799901413165 * sind(latitude + 1 - 1) ^ 2) * (1 - 0.0066943799901413165) * sind(latitude + 1 - 1));
