-- The reference system of a survey file's coordinates, for files that name none.
alter table csv_uploads add column crs text;
