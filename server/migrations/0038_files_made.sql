-- one by one: files may be many, and are written to meanwhile
-- Everybody's files, newest first.
drop index concurrently if exists files_made;
create index concurrently files_made on files (created_at, id);
