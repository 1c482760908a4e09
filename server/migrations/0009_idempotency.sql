-- Answers to requests that carried an Idempotency-Key, kept for 24 hours.
create table idempotency_keys (
  scope text not null,                 -- whose key it is: the app, the user, or the address of an anonymous caller
  key text not null,
  request bytea,                       -- SHA-256 of what was asked; null while an upload is still coming in
  state text not null default 'running' check (state in ('running', 'answered', 'unknown')),
  status smallint,
  headers jsonb,
  body text,
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
