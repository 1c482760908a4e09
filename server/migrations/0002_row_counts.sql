-- Exact row counts for lists (x-total-count), at a cost that does not depend on the number of rows.
--
-- Each statement that inserts or deletes rows appends the difference to row_count_changes, so that writers never wait for
-- each other. A background job folds those differences into row_counts. The count is the sum of both tables in one snapshot.
-- While an old snapshot is open (a backup), folded differences cannot be vacuumed.
-- Advisory lock 7210022 is held by whoever folds, recounts or resets.

create table row_counts (
  relation text not null,
  scope text not null,
  rows bigint not null,
  primary key (relation, scope)
) with (fillfactor = 70);

create table row_count_changes (
  relation text not null,
  scope text not null,
  change bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index row_count_changes_of on row_count_changes (relation, scope);

comment on table row_counts is
  'How many rows a table has, as a whole or within a scope. Add row_count_changes for the exact count.';
comment on column row_counts.scope is
  'The app, zone or endpoint that the rows belong to; the app followed by " open" for sessions that are not '
  'completed; the day for public scans; empty for the whole table.';
comment on column row_counts.rows is 'Negative for a while if deletions are folded before the insertions.';
comment on table row_count_changes is 'Differences that are not yet folded into row_counts.';

create function rows_counted(p_relation text, p_scope text) returns bigint language sql stable parallel safe
return coalesce((select rows from row_counts where relation = p_relation and scope = p_scope), 0)
     + coalesce((select sum(change) from row_count_changes where relation = p_relation and scope = p_scope), 0)::bigint;

-- Folds up to p_limit differences, and returns how many it folded. Returns 0 if another process is folding: two would wait
-- for each other's rows.
create function fold_row_counts(p_limit integer) returns integer language plpgsql as $$
declare
  relations text[];
  scopes text[];
  folded integer;
begin
  if not pg_try_advisory_xact_lock(7210022) then
    return 0;
  end if;
  with gone as (
    delete from row_count_changes
     where ctid = any(array(select ctid from row_count_changes limit p_limit)) returning relation, scope, change),
  sums as (select relation, scope, sum(change)::bigint as change, count(*) as notes from gone group by relation, scope),
  added as (
    insert into row_counts as c (relation, scope, rows) select relation, scope, change from sums
    on conflict (relation, scope) do update set rows = c.rows + excluded.rows)
  select array_agg(relation), array_agg(scope), coalesce(sum(notes), 0) into relations, scopes, folded from sums;
  delete from row_counts c using unnest(relations, scopes) as f (relation, scope)
   where c.relation = f.relation and c.scope = f.scope and c.rows = 0;
  return folded;
end $$;

-- Triggers that record differences ------------------------------------------------------------------------------------------
-- Those of a single table are defined with it: note_rows_of_sessions, note_rows_of_zones, note_rows_of_endpoints, note_scan.

-- Counts the whole table.
create function note_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes select tg_table_name, '', count(*) from added having count(*) > 0;
  else
    insert into row_count_changes select tg_table_name, '', -count(*) from removed having count(*) > 0;
  end if;
  return null;
end $$;

-- Counts by app.
create function note_rows_of_apps() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes select tg_table_name, app_id::text, count(*) from added group by app_id;
  else
    insert into row_count_changes select tg_table_name, app_id::text, -count(*) from removed group by app_id;
  end if;
  return null;
end $$;

-- After a truncate.
create function forget_row_counts() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7210022);
  delete from row_count_changes where relation = tg_table_name::text;
  delete from row_counts where relation = tg_table_name::text;
  return null;
end $$;

-- Counts the rows of a table, and creates the triggers that keep the count from then on. Writers wait meanwhile; readers do
-- not. May run again at any time, for example after rows were loaded with triggers off.
create function count_rows(p_relation text) returns void language plpgsql as $$
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
  -- Blocks writers only.
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

-- Whether count_rows has run for a table.
create function are_rows_counted(p_relation text) returns boolean language sql stable
return exists (select from pg_trigger where tgrelid = to_regclass(p_relation) and tgname = 'rows_emptied');
