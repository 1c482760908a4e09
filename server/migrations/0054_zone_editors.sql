-- needs 0054_zone_editors.sql: an older release does not know editors
-- Users who may change what is in a zone of another user.

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
