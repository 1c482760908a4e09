-- Whether an app is the one that people play, or the one to develop with.
alter table apps
  add column environment text not null default 'production',
  add constraint apps_environment check (environment in ('production', 'development')) not valid;

comment on column apps.environment is '`production` or `development`. Shown, and otherwise without effect.';
