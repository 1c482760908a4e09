-- needs 0052_environments_and_editors.sql: an older release does not know editors
-- Environments of apps, and users who may change what is in a zone of another user.

alter table apps
  add column environment text not null default 'production',
  add constraint apps_environment check (environment in ('production', 'development')) not valid;

comment on column apps.environment is '`production` or `development`. Shown, and otherwise without effect.';

create table zone_editors (
  zone_id bigint not null references zones on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (zone_id, user_id)
);
create index zone_editors_user on zone_editors (user_id);

comment on table zone_editors is
  'Users who may create, change and delete pins, ground control points and imports in a zone. The zone itself stays its '
  'owner''s, who has no row here.';
