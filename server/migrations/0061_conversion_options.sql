-- Conversions with options: one row for each content and set of options. The conversion without options stays in
-- conversions, where scans and webhooks look for it.

create table conversions_with_options (
  sha256 text not null check (length(sha256) = 64),
  options text not null check (length(options) between 3 and 1000),
  status text not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  attempts integer not null default 0,
  result_id bigint references files,
  error_code text,
  error text,
  report jsonb,
  seconds double precision,
  created_at timestamptz not null default clock_timestamp(),
  touched_at timestamptz not null default clock_timestamp(),
  primary key (sha256, options),
  check ((status = 'COMPLETED') = (result_id is not null and seconds is not null)),
  check ((status = 'FAILED') = (error is not null))
);
create index conversions_with_options_result on conversions_with_options (result_id) where result_id is not null;

comment on table conversions_with_options is
  'Conversions to USDZ with options, one row for each content and set of options.';
comment on column conversions_with_options.options is
  'The options as JSON, in a fixed order and without those that have their default value: equal options are equal texts.';
comment on column conversions_with_options.attempts is
  'Runs started. Limits the retries of a model that crashes the converter.';
comment on column conversions_with_options.touched_at is 'When the conversion last made progress.';

create trigger conversions_with_options_told_made after insert on conversions_with_options
  referencing new table as changed for each statement execute function tell_of_contents();
create trigger conversions_with_options_told_changed after update on conversions_with_options
  referencing new table as changed for each statement execute function tell_of_contents();
create trigger conversions_with_options_told_gone after delete on conversions_with_options
  referencing old table as changed for each statement execute function tell_of_contents();

-- The results of all conversions, and the contents they were made from.
create view conversion_results as
  select sha256, result_id from conversions where result_id is not null
  union all
  select sha256, result_id from conversions_with_options where result_id is not null;

-- As in 0023_file_references.sql, with the results of all conversions.
create or replace function object_access(wanted text, out owners uuid[], out may_change boolean)
language plpgsql stable as $$
declare
  scan scans;
  source text;
begin
  select * into scan from scans s
   where s.preview_key = wanted or s.file_id = (select id from files where key = wanted) limit 1;
  if scan.id is not null then
    owners := case scan.visibility when 'private' then array[scan.user_id] end;
    may_change := true;
    return;
  end if;
  select c.sha256 into source from files f join conversion_results c on c.result_id = f.id where f.key = wanted;
  if source is null then
    may_change := false;
    return;
  end if;
  may_change := exists (select from files f join scans s on s.file_id = f.id where f.sha256 = source);
  if may_change and not exists (
    select from files f where f.sha256 = source
       and not exists (select from scans s where s.file_id = f.id and s.visibility = 'private')) then
    owners := array(select distinct s.user_id from files f join scans s on s.file_id = f.id where f.sha256 = source);
  end if;
end $$;

-- As in 0023_file_references.sql, with the results of all conversions.
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
       and not exists (select from conversion_results c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
  with plain as (
    delete from conversions c where c.sha256 = any(contents)
       and not exists (select from files f where f.sha256 = c.sha256)
    returning c.result_id, c.sha256),
  optioned as (
    delete from conversions_with_options c where c.sha256 = any(contents)
       and not exists (select from files f where f.sha256 = c.sha256)
    returning c.result_id, c.sha256),
  forgotten as (
    select result_id, sha256 = any(hidden_contents) as is_hidden from plain
    union all select result_id, sha256 = any(hidden_contents) from optioned)
  select array_agg(result_id), array_agg(result_id) filter (where is_hidden) into results, hidden_results
    from forgotten where result_id is not null;
  with gone as (
    delete from files f where f.id = any(results) and f.user_id is null
       and (f.id = any(coalesce(hidden_results, '{}')) or not object_is_held(f.key, owner))
       and not exists (select from conversion_results c where c.result_id = f.id)
    returning f.key)
  insert into unused_objects (key) select key from gone on conflict do nothing;
end $$;
