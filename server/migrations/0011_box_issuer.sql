-- The box's own issuer: accounts with passwords, and what the issuer must remember between requests.

-- Roles of local users are granted by the operator; no issuer claims them.
update users set granted_roles = claimed_roles, claimed_roles = '{}'
 where issuer = 'local' and granted_roles = '{}';

-- A number for each password there ever was: an identity token of an older one, or of an account of the same name before, does not count.
create sequence password_versions;

create table local_accounts (
  user_id uuid primary key references users on delete cascade,
  login text not null,
  login_key text not null unique,
  -- Argon2id in PHC string format: it names its own parameters.
  password_hash text not null,
  version bigint not null default nextval('password_versions'),
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);

-- One-time links that make the first admin. One lives at a time.
create table first_admin_links (
  code_hash text primary key,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  used boolean not null default false
);
create unique index first_admin_links_live on first_admin_links ((true)) where ended_at is null;

-- ES256 keys that sign identity tokens. The private half is encrypted with the service's secret.
create table oidc_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk text not null,
  created_at timestamptz not null default now()
);

-- Sign-ins at the issuer, authorization codes, grants. Ids are secrets of their bearers: only their HMACs are kept, and the contents are encrypted.
create table oidc_records (
  model text not null,
  id text not null,
  payload text not null,
  uid text,
  grant_id text,
  -- Whose it is: it goes with the account.
  user_id uuid references local_accounts on delete cascade,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (model, id)
);
create index oidc_records_uid on oidc_records (uid) where uid is not null;
create index oidc_records_grant on oidc_records (grant_id) where grant_id is not null;
create index oidc_records_user on oidc_records (user_id) where user_id is not null;
create index oidc_records_expiry on oidc_records (expires_at);
