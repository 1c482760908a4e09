-- needs 0006_apps.sql: apps that an older process creates get their owner as a member
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

-- The owner of an app is always one of its members, with the role owner. A trigger does this, because older releases write
-- owners too.
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

-- Passes the apps of a user, or one of them, to the member who has been another owner for longest. Apps without one
-- stay. Returns the apps that passed.
create function pass_apps(p_user uuid, p_app uuid default null) returns setof uuid language plpgsql as $$
begin
  -- Changes of members wait, so that the next owner stays one. The update below sees what they wrote.
  perform from apps a
    where a.id in (select m.app_id from app_members m where m.user_id = p_user and m.role = 'owner')
      and (p_app is null or a.id = p_app)
    order by a.id for no key update;
  return query
    update apps a set owner_id = o.user_id
      from apps mine cross join lateral (
        select m.user_id from app_members m
         where m.app_id = mine.id and m.role = 'owner' and m.user_id <> p_user
         order by m.created_at, m.user_id limit 1) o
     where mine.owner_id = p_user and mine.deleted_at is null and a.id = mine.id and (p_app is null or mine.id = p_app)
    returning a.id;
end $$;
