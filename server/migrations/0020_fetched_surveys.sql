-- Survey files of other hosts: their object is made once they are fetched, so what is the same file, the address says.

drop index csv_uploads_running;
-- One file runs once at a time in a zone: asking again gives the record that runs.
create unique index csv_uploads_running on csv_uploads (zone_id, md5(file_url), dry_run)
  where status in ('PENDING', 'PROCESSING');
