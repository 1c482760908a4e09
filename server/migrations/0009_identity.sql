-- Sign-in sessions and the keys that sign their tokens.

create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk text not null,
  created_at timestamptz not null default now(),
  signs_from timestamptz not null default clock_timestamp(),
  ends_at timestamptz
);

comment on table signing_keys is 'ES256 keys that sign session tokens.';
comment on column signing_keys.private_jwk is 'Encrypted with the secret of the service.';
comment on column signing_keys.signs_from is
  'When the key begins to sign. It is published earlier, so that every process and client knows it.';
comment on column signing_keys.ends_at is
  'When the last token it signed has expired. Null until another key replaces it.';

create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  limited boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_ended on user_sessions (expires_at);

comment on table user_sessions is 'One row for each sign-in. Tokens of a revoked session are refused.';
comment on column user_sessions.limited is 'The session was opened with a six-digit code.';
