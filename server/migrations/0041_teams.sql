-- Members of apps with their roles, and invitations to become one.

create table app_members (
  app_id uuid not null references apps on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'moderator', 'viewer')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (app_id, user_id)
);
create index app_members_user on app_members (user_id);

comment on table app_members is 'The users who may act in an app. An app that is not deleted has an owner.';
comment on column app_members.role is 'What the member may do: each role includes those after it in the check.';

create table app_invitations (
  id uuid primary key,
  app_id uuid not null references apps on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'moderator', 'viewer')),
  hash bytea not null unique,
  invited_by uuid not null references users on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index app_invitations_app on app_invitations (app_id, created_at);
create index app_invitations_inviter on app_invitations (invited_by);

comment on table app_invitations is 'Invitations that are neither accepted nor revoked. Each works once.';
comment on column app_invitations.hash is 'SHA-256 of the token in the link. The token itself is not stored.';
comment on column app_invitations.invited_by is
  'The member who invited. The invitation ends when that member leaves or gets another role.';

comment on column apps.owner_id is
  'One of the owners in app_members: whose quota the app counts against. Passes to another owner when this one leaves. Null '
  'only once the app is deleted, so that its owner can be erased first.';

-- Whoever an app belongs to is an owner among its members, also where an older release writes it.
create function note_app_owner() returns trigger language plpgsql as $$
begin
  if new.owner_id is not null then
    insert into app_members (app_id, user_id, role) values (new.id, new.owner_id, 'owner')
    on conflict (app_id, user_id) do update set role = 'owner' where app_members.role <> 'owner';
  end if;
  return null;
end $$;
create trigger apps_owned after insert or update of owner_id on apps
  for each row execute function note_app_owner();

insert into app_members (app_id, user_id, role, created_at)
select id, owner_id, 'owner', created_at from apps where owner_id is not null;
