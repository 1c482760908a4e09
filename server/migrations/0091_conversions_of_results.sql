-- Files that conversions made do not keep conversions of their content: a person may upload a result again and convert it,
-- as a GLB made of a USDZ. Those conversions go with the last file of the content that no conversion made.

-- As in 0077_anchor_images.sql, without results among the files that keep conversions.
create or replace function remove_files(wanted bigint[], hidden bigint[]) returns void language plpgsql as $$
declare
  owner uuid := (select user_id from files where id = any(wanted) limit 1);
  contents text[] := array(select distinct sha256 from files where id = any(wanted));
  hidden_contents text[] := array(select distinct sha256 from files where id = any(hidden));
  removed bigint[];
  anchored bigint[];
  results bigint[];
  hidden_results bigint[];
begin
  with gone as (
    delete from files f where f.id = any(wanted) and (f.id = any(hidden) or not object_is_held(f.key, f.user_id))
       and not exists (select from conversion_results c where c.result_id = f.id)
    returning f.id, f.key),
  freed as (insert into unused_objects (key) select key from gone on conflict do nothing)
  select array_agg(id) into removed from gone;
  with forgotten as (
    delete from conversions_with_options c where c.anchor_image_id = any(removed) returning c.result_id)
  select array_agg(result_id) into anchored from forgotten where result_id is not null;
  with plain as (
    delete from conversions c where c.sha256 = any(contents)
       and not exists (select from files f where f.sha256 = c.sha256
                         and not exists (select from conversion_results r where r.result_id = f.id))
    returning c.result_id, c.sha256),
  optioned as (
    delete from conversions_with_options c where c.sha256 = any(contents)
       and not exists (select from files f where f.sha256 = c.sha256
                         and not exists (select from conversion_results r where r.result_id = f.id))
    returning c.result_id, c.sha256),
  forgotten as (
    select result_id, sha256 = any(hidden_contents) as is_hidden from plain
    union all select result_id, sha256 = any(hidden_contents) from optioned)
  select array_agg(result_id), array_agg(result_id) filter (where is_hidden) into results, hidden_results
    from forgotten where result_id is not null;
  with gone as (
    delete from files f where f.id = any(array_cat(results, anchored)) and f.user_id is null
       and (f.id = any(coalesce(hidden_results, '{}')) or not object_is_held(f.key, owner))
       and not exists (select from conversion_results c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
end $$;

comment on table conversions_with_options is
  'Conversions with options, one row for each content and set of options: to USDZ, or of a USDZ to GLB.';
