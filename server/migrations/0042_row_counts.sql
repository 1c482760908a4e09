-- How many rows a whole list has, without going through them: `x-total-count` is exact, and costs the same however many there are.
-- Each statement that adds or takes rows notes by how many, in a row of its own, so that nobody waits for anybody; a chore
-- adds the notes up. What is counted is the sum of both tables at one moment, before an addition as after it.
create table row_counts (
  relation text not null,
  -- Whose: an app, a zone, an endpoint; of all rows: empty.
  scope text not null,
  -- Below zero for a while, when rows that went were added up before those that came.
  rows bigint not null,
  primary key (relation, scope)
) with (fillfactor = 70);

create table row_count_changes (
  relation text not null,
  scope text not null,
  change bigint not null
);
create index row_count_changes_of on row_count_changes (relation, scope);

create function rows_counted(p_relation text, p_scope text) returns bigint language sql stable parallel safe
return coalesce((select rows from row_counts where relation = p_relation and scope = p_scope), 0)
     + coalesce((select sum(change) from row_count_changes where relation = p_relation and scope = p_scope), 0)::bigint;

-- Adds up to so many notes. Nobody else does at the same time: two would wait for each other's rows.
-- Returns how many notes that were; 0 when another does it.
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
-- its day, and only rows of that day are passed over.
create function scan_day(s scans) returns text language sql immutable
return case when s.visibility = 'public' and s.status = 'COMPLETED'
            then floor(extract(epoch from s.captured_at) / 86400)::bigint::text end;
create function note_scan() returns trigger language plpgsql as $$
declare
  before text := case when tg_op <> 'INSERT' then scan_day(old) end;
  after text := case when tg_op <> 'DELETE' then scan_day(new) end;
begin
  if before is distinct from after then
    insert into row_count_changes
    select 'scans', day, change from (values (before, -1), (after, 1)) as m (day, change) where day is not null;
  end if;
  return null;
end $$;

create function forget_row_counts() returns trigger language plpgsql as $$
begin
  delete from row_count_changes where relation = tg_table_name;
  delete from row_counts where relation = tg_table_name;
  return null;
end $$;

-- Makes the counts of a table what a count says, and has them kept from now on. Whoever writes to the table waits meanwhile
-- (about a second for ten million rows). May be done again at any time: after rows were written with triggers off.
create function count_rows(p_relation text) returns void language plpgsql as $$
declare
  noted constant jsonb := '{
    "players": "note_rows_of_apps", "game_sessions": "note_rows_of_apps", "webhook_deliveries": "note_rows_of_endpoints",
    "gcps": "note_rows_of_zones", "zones": "note_rows", "users": "note_rows", "audit_log": "note_rows", "scans": "note_scan"}';
  noting text := noted ->> p_relation;
begin
  if noting is null then
    raise exception 'rows of % are not counted', p_relation;
  end if;
  perform set_config('lock_timeout', '500ms', true);
  perform pg_advisory_xact_lock(7210022);
  execute format('lock table %I in share row exclusive mode', p_relation);
  execute format('drop trigger if exists rows_added on %1$I; drop trigger if exists rows_removed on %1$I;
                  drop trigger if exists rows_changed on %1$I; drop trigger if exists rows_emptied on %1$I', p_relation);
  execute format('create trigger rows_emptied after truncate on %I execute function forget_row_counts()', p_relation);
  if p_relation = 'scans' then
    create trigger rows_changed after insert or update or delete on scans for each row execute function note_scan();
  else
    execute format('create trigger rows_added after insert on %I referencing new table as added
                      for each statement execute function %I()', p_relation, noting);
    execute format('create trigger rows_removed after delete on %I referencing old table as removed
                      for each statement execute function %I()', p_relation, noting);
  end if;
  if p_relation = 'gcps' then
    create trigger rows_changed after update of zone_id on gcps for each row
      when (old.zone_id is distinct from new.zone_id) execute function note_zone_change();
  end if;
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
      'insert into row_counts select ''scans'', day, count(*) from (select scan_day(s) as day from scans s) as d
        where day is not null group by day'
    else format('insert into row_counts select %1$L, '''', count(*) from %1$I having count(*) > 0', p_relation)
  end;
end $$;
