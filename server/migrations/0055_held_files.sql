-- A file stays while a record of its owner, or of those who run the box, shows it. Whatever others make of its address does
-- not keep it from being deleted: what they show is then a link that leads nowhere.

create function user_runs_the_box(wanted uuid) returns boolean language sql stable
return exists (select from users u
                where u.id = wanted and (u.granted_roles && array['admin', 'ops'] or u.admin_email is not null
                   or (u.claims_end > now() and u.claimed_roles && array['admin', 'ops'])));

-- Whether a record of this maker keeps a file of this owner.
create function holds_files_of(owner uuid, maker uuid) returns boolean language sql stable
return maker = owner or user_runs_the_box(maker);

-- As object_is_shown (0024) looks, but for records whose makers count. A file that was sent without a session is everybody's.
create function object_is_held(wanted text, owner uuid) returns boolean language sql stable
return case when owner is null then object_is_shown(wanted) else
       exists (select from pins p where object_key_in(p.content_url) = wanted and holds_files_of(owner, p.user_id))
    or exists (select from pins p where object_key_in(p.relocalization_photo_url) = wanted and holds_files_of(owner, p.user_id))
    or exists (select from pins p where object_key_in(p.localization_data ->> 'worldmapURL') = wanted
                 and holds_files_of(owner, p.user_id))
    or exists (select from gcps g where object_keys_in(g.photo_urls) @> array[wanted]
                 and g.photo_urls <> '{}' and object_keys_in(g.photo_urls) <> '{}' and holds_files_of(owner, g.user_id))
    or exists (select from csv_uploads u where u.object_key = wanted and holds_files_of(owner, u.user_id))
    or exists (select from apps a where object_key_in(a.image_url) = wanted and holds_files_of(owner, a.owner_id))
    or exists (select from mini_game_types t join apps a on a.id = t.app_id
                where object_key_in(t.image_url) = wanted and holds_files_of(owner, a.owner_id))
    or exists (select from files f join scans s on s.file_id = f.id where f.key = wanted)
    or exists (select from scans where preview_key = wanted) end;

-- As in 0030, but by who holds them. What a conversion made is held as the file that it was made of; the files are one user's.
create or replace function remove_files(wanted bigint[], hidden bigint[]) returns void language plpgsql as $$
declare
  owner uuid := (select user_id from files where id = any(wanted) limit 1);
  contents text[] := array(select distinct sha256 from files where id = any(wanted));
  hidden_contents text[] := array(select distinct sha256 from files where id = any(hidden));
  results bigint[];
  hidden_results bigint[];
begin
  with gone as (
    delete from files f where f.id = any(wanted) and (f.id = any(hidden) or not object_is_held(f.key, f.user_id))
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
       and (f.id = any(coalesce(hidden_results, '{}')) or not object_is_held(f.key, owner))
       and not exists (select from conversions c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
end $$;
