-- The header line that a survey file is read by in place of its own, and the first points that a dry run read.
alter table csv_uploads add column header text, add column sample jsonb;
