-- needs 0017_zones.sql: zones and ground control points that an older process changes are reported for tiles
-- The basemap: what the console draws below pins and zones.

create table basemap_choice (
  only_row boolean primary key default true check (only_row),
  source text not null check (source in ('none', 'file', 'style')),
  style_url text check ((source = 'style') = (style_url is not null)),
  updated_at timestamptz not null default clock_timestamp()
);

comment on table basemap_choice is
  'The basemap that ops chose in the console. Without a row the settings decide.';
comment on column basemap_choice.only_row is 'There is one row at most.';
comment on column basemap_choice.source is
  'none: the bundled map; file: the PMTiles archive of the service; style: the style at style_url.';
comment on column basemap_choice.style_url is 'The address of a MapLibre style on another host.';

-- Change feed: processes keep tiles in memory, and learn of what changes in them. Pins and scans are reported already.

create function tell_of_zones() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('zone', '{}');
  return null;
end $$;

-- Statements that change no zone, such as one for a zone that is not there, report nothing.
create function tell_of_made_zones() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) select 'zone', '{}' where exists (select from made);
  return null;
end $$;

create function tell_of_gone_zones() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) select 'zone', '{}' where exists (select from gone);
  return null;
end $$;

create trigger zones_told_made after insert on zones referencing new table as made
  for each statement execute function tell_of_made_zones();
create trigger zones_told_changed after update on zones referencing new table as made
  for each statement execute function tell_of_made_zones();
create trigger zones_told_gone after delete on zones referencing old table as gone
  for each statement execute function tell_of_gone_zones();
create trigger zones_told_emptied after truncate on zones
  for each statement execute function tell_of_zones();

-- A ground control point is where its pin is, and is reported by the pin's id. A new, moved or deleted one is reported with
-- its pin; here are those of which a tile shows something else than before.
create function tell_of_changed_gcps() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects)
  select 'gcp', case when count(*) > 50000 then array['*'] else array_agg(p.id::text) end
    from made m join gone g on g.id = m.id join pins p on p.gcp_id = m.id
   where (m.title, m.gcp_type, m.april_tag_id) is distinct from (g.title, g.gcp_type, g.april_tag_id)
  having count(*) > 0;
  return null;
end $$;

create trigger gcps_told_changed after update on gcps referencing old table as gone new table as made
  for each statement execute function tell_of_changed_gcps();
