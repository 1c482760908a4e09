-- What 0055 says of files holds for photos too, and for objects without a record: a stranger's record keeps neither.

-- As in 0018, but by who holds them.
create or replace function let_go_of_given(dropped text[]) returns void language plpgsql as $$
begin
  perform from files f where f.key = any(dropped)
      and exists (select from gcp_photos p where p.file_id = f.id and p.state = 'given')
    order by f.key for update;
  with gone as (
    delete from files f where f.key = any(dropped)
       and exists (select from gcp_photos p where p.file_id = f.id and p.state = 'given')
       and not object_is_held(f.key, f.user_id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
end $$;

-- As in 0017, but an address alone makes no object known: of one without a record only bytes are left over.
create or replace function object_is_known(wanted text) returns boolean language sql stable
return exists (select from files where key = wanted)
    or exists (select from players where image_key = wanted)
    or exists (select from csv_uploads where object_key = wanted)
    or exists (select from scans where preview_key = wanted)
    or exists (select from unused_objects where key = wanted)
    or object_is_reserved(wanted);
