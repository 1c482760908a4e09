-- What only the owner of a scan could see may not become open because the scan is gone: the file of a private scan, and what
-- was made of it, go whichever records name them. Nobody else could see them by those.

drop function remove_unshown_files(bigint[]);

-- Takes files away: those of private scans (`hidden`), and of the others those that no record shows; and what was made of
-- contents that no file has any more. Nobody else may ask for or forget the conversions of these contents meanwhile: the
-- caller holds their locks, and has deleted the scans.
create function remove_files(wanted bigint[], hidden bigint[]) returns void language plpgsql as $$
declare
  contents text[] := array(select distinct sha256 from files where id = any(wanted));
  hidden_contents text[] := array(select distinct sha256 from files where id = any(hidden));
  results bigint[];
  hidden_results bigint[];
begin
  with gone as (
    delete from files f where f.id = any(wanted) and (f.id = any(hidden) or not object_is_shown(f.key))
       and not exists (select from conversions c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
  with forgotten as (
    delete from conversions c where c.sha256 = any(contents)
       and not exists (select from files f where f.sha256 = c.sha256)
    returning c.result_id, c.sha256 = any(hidden_contents) as is_hidden)
  select array_agg(result_id), array_agg(result_id) filter (where is_hidden) into results, hidden_results
    from forgotten where result_id is not null;
  with gone as (
    delete from files f where f.id = any(results) and f.user_id is null
       and (f.id = any(coalesce(hidden_results, '{}')) or not object_is_shown(f.key))
       and not exists (select from conversions c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
end $$;
