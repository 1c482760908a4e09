-- What the platform itself keeps: signing keys and the audit log.

create extension if not exists cube;

-- ES256 keys that sign session tokens. The private half is encrypted with the service's secret.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk text not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  address text
);
create index audit_log_subject on audit_log (subject, at);
