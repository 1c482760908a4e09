-- The built-in identity provider: accounts with passwords, and the state of its OpenID Connect server.

-- One number for each password that was ever set. An identity token names the number, so that a token from before a change
-- of password, or of a former account with the same name, is refused.
create sequence password_versions;

create table local_accounts (
  user_id uuid primary key references users on delete cascade,
  login text not null,
  login_key text not null unique,
  password_hash text not null,
  version bigint not null default nextval('password_versions'),
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);

comment on table local_accounts is 'Accounts of the built-in identity provider.';
comment on column local_accounts.login_key is 'The case-folded login, which is unique.';
comment on column local_accounts.password_hash is 'Argon2id in PHC string format, which includes the parameters.';
comment on column local_accounts.version is
  'The number of the current password. Identity tokens with another number are refused.';

create table first_admin_links (
  code_hash text primary key,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  used boolean not null default false
);
-- At most one link is valid at a time.
create unique index first_admin_links_live on first_admin_links ((true)) where ended_at is null;

comment on table first_admin_links is 'One-time links that create the first administrator.';

create table oidc_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk text not null,
  created_at timestamptz not null default now()
);

comment on table oidc_keys is 'ES256 keys that sign identity tokens.';
comment on column oidc_keys.private_jwk is 'Encrypted with the secret of the service.';

create table oidc_records (
  model text not null,
  id text not null,
  payload text not null,
  uid text,
  grant_id text,
  user_id uuid references local_accounts on delete cascade,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (model, id)
);
create index oidc_records_uid on oidc_records (uid) where uid is not null;
create index oidc_records_grant on oidc_records (grant_id) where grant_id is not null;
create index oidc_records_user on oidc_records (user_id) where user_id is not null;
create index oidc_records_expiry on oidc_records (expires_at);
-- What visitors start without a password, oldest first of each kind: its number is bounded.
create index oidc_records_unfinished on oidc_records (model, expires_at) where user_id is null;

comment on table oidc_records is
  'State of the built-in OpenID provider: sign-ins, authorization codes, grants. Ids are bearer secrets, so only '
  'their HMACs are stored; payloads are encrypted.';
comment on column oidc_records.user_id is 'The account it belongs to, and with which it is deleted.';

create table sign_in_tries (
  kind text not null check (kind in ('login', 'address')),
  who text not null,
  tries integer not null,
  ends_at timestamptz not null,
  primary key (kind, who)
);
create index sign_in_tries_by_end on sign_in_tries (ends_at);

comment on table sign_in_tries is
  'Failed sign-ins to local accounts, counted by login and by address. All processes share the counts, which '
  'survive a restart.';
comment on column sign_in_tries.who is
  'Keyed digest of the login or address: people type passwords into the login field.';
