-- Accounts that ops and admins manage over HTTP: users who are disabled, and links with which people set a password.

alter table users add column disabled_at timestamptz;

comment on column users.disabled_at is
  'Since when the user is disabled: cannot sign in, and sessions and personal tokens are refused. Null: is not.';

alter table local_accounts add column has_password boolean not null default true;

comment on column local_accounts.has_password is
  'False until its owner sets the first password. Nothing matches password_hash until then.';

create table account_links (
  user_id uuid primary key references local_accounts on delete cascade,
  hash bytea not null unique,
  made_by uuid references users on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index account_links_maker on account_links (made_by);

comment on table account_links is
  'Links with which the owner of an account sets a password. An account has at most one, which works once.';
comment on column account_links.hash is 'SHA-256 of the code in the link. The code itself is not stored.';
comment on column account_links.made_by is
  'Who made it; null for the operator. It works while this user may still change the account, so that it gives nobody more rights.';
