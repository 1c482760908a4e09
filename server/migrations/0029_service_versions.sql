-- Which releases have used this database: an older one that may not can then name the version to install.

create table service_versions (
  version text primary key,
  last_migration text not null,
  first_used_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);

comment on table service_versions is 'The versions of Cairn that have used this database. The one used last is the newest `last_used_at`.';
comment on column service_versions.version is 'As `cairn --version` prints it.';
comment on column service_versions.last_migration is 'The last migration that this version has.';
