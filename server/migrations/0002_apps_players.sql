-- Users, apps and players.

create table users (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  email text,
  first_name text,
  last_name text,
  phone_number text,
  username text,
  username_key text unique,
  image_url text,
  -- Roles as the issuer claims them at each sign-in, and as an admin granted them here; both count.
  claimed_roles text[] not null default '{}',
  granted_roles text[] not null default '{}',
  -- An address of CAIRN_ADMIN_EMAILS belongs to the first identity that proves it.
  admin_email text unique,
  created_at timestamptz not null default now(),
  unique (issuer, subject)
);

-- One row a sign-in; a token whose session is revoked no longer counts.
create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index user_sessions_user on user_sessions (user_id);

create table apps (
  id uuid primary key,
  owner_id uuid not null references users,
  name text not null,
  description text not null,
  image_url text,
  visibility text not null check (visibility in ('PUBLIC', 'PRIVATE')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index apps_owner on apps (owner_id, created_at);

-- Keys are found by their public id and compared by hash; the whole key is kept encrypted because its owner may see it again.
create table app_keys (
  key_id text primary key,
  app_id uuid not null references apps on delete cascade,
  hash bytea not null,
  encrypted text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index app_keys_app on app_keys (app_id);

create table players (
  app_id uuid not null references apps,
  id uuid not null,
  display_name text not null,
  name_key text not null,
  user_id uuid references users on delete set null,
  image_url text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (app_id, id),
  unique (app_id, name_key)
);
create index players_list on players (app_id, created_at, id);
create index players_user on players (user_id) where user_id is not null;
create index players_id on players (id);
