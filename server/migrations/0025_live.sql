-- Whoever follows an import or a conversion is told of every change of it, whichever statement makes it. A statement tells
-- once, of all its rows. It waits for nobody: what it inserts has no key that another transaction could hold.

create function tell_of_csv_uploads() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects)
  select 'csv_upload', array_agg(id::text) from changed having count(*) > 0;
  return null;
end $$;

create trigger csv_uploads_told_changed after update on csv_uploads referencing new table as changed
  for each statement execute function tell_of_csv_uploads();
create trigger csv_uploads_told_gone after delete on csv_uploads referencing old table as changed
  for each statement execute function tell_of_csv_uploads();

-- Conversions are told of by their content, which files share; and a file that goes takes what is told of it along.
create function tell_of_contents() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects)
  select 'conversion', array_agg(distinct sha256) from changed having count(*) > 0;
  return null;
end $$;

create trigger conversions_told_made after insert on conversions referencing new table as changed
  for each statement execute function tell_of_contents();
create trigger conversions_told_changed after update on conversions referencing new table as changed
  for each statement execute function tell_of_contents();
create trigger conversions_told_gone after delete on conversions referencing old table as changed
  for each statement execute function tell_of_contents();
create trigger files_told_gone after delete on files referencing old table as changed
  for each statement execute function tell_of_contents();

-- Who may see a file hangs on its scan.
create function tell_of_scanned_content() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) select 'conversion', array[f.sha256] from files f where f.id = new.file_id;
  return null;
end $$;

create trigger scans_told_made after insert on scans for each row execute function tell_of_scanned_content();
create trigger scans_told_shown after update of visibility on scans for each row
  when (old.visibility is distinct from new.visibility) execute function tell_of_scanned_content();
