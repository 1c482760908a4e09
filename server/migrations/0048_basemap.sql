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
