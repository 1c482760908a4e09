-- Tokens with which a program that cannot sign in acts for a user.

create table personal_tokens (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  scope text not null check (scope in ('read', 'write')),
  hash bytea not null unique,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index personal_tokens_user on personal_tokens (user_id, created_at);

comment on table personal_tokens is 'Tokens with which programs, such as QGIS, act for a user. An expired one is deleted when the user creates another.';
comment on column personal_tokens.name is 'What the user calls it.';
comment on column personal_tokens.scope is '`read`: reads only. `write`: reads and writes.';
comment on column personal_tokens.hash is 'SHA-256 of the token, which is not stored.';
