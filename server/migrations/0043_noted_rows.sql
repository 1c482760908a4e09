-- Rows of tables that are counted as a whole.
create function note_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes select tg_table_name, '', count(*) from added having count(*) > 0;
  else
    insert into row_count_changes select tg_table_name, '', -count(*) from removed having count(*) > 0;
  end if;
  return null;
end $$;

-- By app.
create function note_rows_of_apps() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes select tg_table_name, app_id::text, count(*) from added group by app_id;
  else
    insert into row_count_changes select tg_table_name, app_id::text, -count(*) from removed group by app_id;
  end if;
  return null;
end $$;

-- By endpoint.
create function note_rows_of_endpoints() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes select tg_table_name, endpoint_id::text, count(*) from added group by endpoint_id;
  else
    insert into row_count_changes select tg_table_name, endpoint_id::text, -count(*) from removed group by endpoint_id;
  end if;
  return null;
end $$;

-- As a whole and by zone.
create function note_rows_of_zones() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes
    select tg_table_name, coalesce(zone_id::text, ''), count(*) from added group by grouping sets ((), (zone_id))
    having count(*) > 0 and (grouping(zone_id) = 1 or zone_id is not null);
  else
    insert into row_count_changes
    select tg_table_name, coalesce(zone_id::text, ''), -count(*) from removed group by grouping sets ((), (zone_id))
    having count(*) > 0 and (grouping(zone_id) = 1 or zone_id is not null);
  end if;
  return null;
end $$;
create function note_zone_change() returns trigger language plpgsql as $$
begin
  insert into row_count_changes
  select tg_table_name, zone, change from (values (old.zone_id::text, -1), (new.zone_id::text, 1)) as m (zone, change)
   where zone is not null;
  return null;
end $$;

-- Scans that everybody may see, by the day (since 1970, UTC) that they are listed under: a page deep in the list is found by
-- its day, and only rows of that day are passed over. Null for the others.
create function scan_day(visibility text, status text, captured_at timestamptz) returns text language sql stable
return case when visibility = 'public' and status = 'COMPLETED'
            then floor(date_part('epoch', captured_at) / 86400)::bigint::text end;
create function note_scan() returns trigger language plpgsql as $$
declare
  before text := case when tg_op <> 'INSERT' then scan_day(old.visibility, old.status, old.captured_at) end;
  after text := case when tg_op <> 'DELETE' then scan_day(new.visibility, new.status, new.captured_at) end;
begin
  if before is distinct from after then
    insert into row_count_changes
    select 'scans', day, change from (values (before, -1), (after, 1)) as m (day, change) where day is not null;
  end if;
  return null;
end $$;

create function forget_row_counts() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7210022);
  delete from row_count_changes where relation = tg_table_name::text;
  delete from row_counts where relation = tg_table_name::text;
  return null;
end $$;

-- Makes the counts of a table what a count says, and has them kept from now on. Whoever writes to the table waits meanwhile.
-- May be done again at any time: after rows were written with triggers off.
create function count_rows(p_relation text) returns void language plpgsql as $$
declare
  noting text := case
    when p_relation in ('players', 'game_sessions') then 'note_rows_of_apps'
    when p_relation = 'webhook_deliveries' then 'note_rows_of_endpoints'
    when p_relation = 'gcps' then 'note_rows_of_zones'
    when p_relation in ('zones', 'users', 'audit_log') then 'note_rows'
    when p_relation = 'scans' then 'note_scan' end;
begin
  if noting is null then
    raise exception 'rows of % are not counted', p_relation;
  end if;
  perform set_config('lock_timeout', '500ms', true);
  perform pg_advisory_xact_lock(7210022);
  -- No more than this: who reads goes on.
  execute format('lock table %I in share row exclusive mode', p_relation);
  if noting = 'note_scan' then
    create or replace trigger rows_changed after update of visibility, status, captured_at on scans
      for each row execute function note_scan();
    create or replace trigger rows_came_or_went after insert or delete on scans for each row execute function note_scan();
  else
    execute format('create or replace trigger rows_added after insert on %I referencing new table as added
                      for each statement execute function %I()', p_relation, noting);
    execute format('create or replace trigger rows_removed after delete on %I referencing old table as removed
                      for each statement execute function %I()', p_relation, noting);
  end if;
  if noting = 'note_rows_of_zones' then
    execute format('create or replace trigger rows_changed after update of zone_id on %I for each row
                      when (old.zone_id is distinct from new.zone_id) execute function note_zone_change()', p_relation);
  end if;
  execute format('create or replace trigger rows_emptied after truncate on %I execute function forget_row_counts()', p_relation);
  delete from row_count_changes where relation = p_relation;
  delete from row_counts where relation = p_relation;
  execute case noting
    when 'note_rows_of_apps' then format(
      'insert into row_counts select %1$L, app_id::text, count(*) from %1$I group by app_id', p_relation)
    when 'note_rows_of_endpoints' then format(
      'insert into row_counts select %1$L, endpoint_id::text, count(*) from %1$I group by endpoint_id', p_relation)
    when 'note_rows_of_zones' then format(
      'insert into row_counts select %1$L, coalesce(zone_id::text, ''''), count(*) from %1$I
        group by grouping sets ((), (zone_id)) having count(*) > 0 and (grouping(zone_id) = 1 or zone_id is not null)', p_relation)
    when 'note_scan' then
      'insert into row_counts select ''scans'', day, count(*)
         from (select scan_day(visibility, status, captured_at) as day from scans) as d where day is not null group by day'
    else format('insert into row_counts select %1$L, '''', count(*) from %1$I having count(*) > 0', p_relation)
  end;
end $$;

-- Whether the rows of a table are counted already.
create function are_rows_counted(p_relation text) returns boolean language sql stable
return exists (select from pg_trigger where tgrelid = to_regclass(p_relation) and tgname = 'rows_emptied');
