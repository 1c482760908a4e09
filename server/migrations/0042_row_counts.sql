-- How many rows a whole list has, without going through them: `x-total-count` is exact, and costs the same however many there are.
-- Each statement that adds or takes rows notes by how many, in a row of its own, so that nobody waits for anybody; a chore
-- adds the notes up. What is counted is the sum of both tables at one moment, before an addition as after it. While an old
-- snapshot is held open (a backup), notes that were added up lie in the way until it ends.
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
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
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
