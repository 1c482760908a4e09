-- Of an app's game sessions, those that are not completed are counted too (0042): their scope is the app and the word "open".
create or replace function note_rows_of_sessions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes
    select tg_table_name, scope, rows
      from (select app_id, count(*) as every, count(*) filter (where status <> 'completed') as open from added group by app_id) n,
           lateral (values (app_id::text, every), (app_id || ' open', open)) s (scope, rows)
     where rows > 0;
  else
    insert into row_count_changes
    select tg_table_name, scope, -rows
      from (select app_id, count(*) as every, count(*) filter (where status <> 'completed') as open from removed group by app_id) n,
           lateral (values (app_id::text, every), (app_id || ' open', open)) s (scope, rows)
     where rows > 0;
  end if;
  return null;
end $$;
create or replace function note_session_change() returns trigger language plpgsql as $$
begin
  insert into row_count_changes
  values (tg_table_name, new.app_id || ' open', case when new.status = 'completed' then -1 else 1 end);
  return null;
end $$;

-- As in 0043, but for game sessions.
-- Makes the counts of a table what a count says, and has them kept from now on. Whoever writes to the table waits meanwhile.
-- May be done again at any time: after rows were written with triggers off.
create or replace function count_rows(p_relation text) returns void language plpgsql as $$
declare
  noting text := case
    when p_relation = 'players' then 'note_rows_of_apps'
    when p_relation = 'game_sessions' then 'note_rows_of_sessions'
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
  if noting = 'note_rows_of_sessions' then
    create or replace trigger rows_changed after update of status on game_sessions for each row
      when ((old.status = 'completed') <> (new.status = 'completed')) execute function note_session_change();
  end if;
  execute format('create or replace trigger rows_emptied after truncate on %I execute function forget_row_counts()', p_relation);
  delete from row_count_changes where relation = p_relation;
  delete from row_counts where relation = p_relation;
  execute case noting
    when 'note_rows_of_apps' then format(
      'insert into row_counts select %1$L, app_id::text, count(*) from %1$I group by app_id', p_relation)
    when 'note_rows_of_sessions' then
      'insert into row_counts select ''game_sessions'', scope, rows
         from (select app_id, count(*) as every, count(*) filter (where status <> ''completed'') as open
                 from game_sessions group by app_id) n,
              lateral (values (app_id::text, every), (app_id || '' open'', open)) s (scope, rows)
        where rows > 0'
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

select count_rows('game_sessions');
