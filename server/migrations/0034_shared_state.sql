-- Failed sign-ins of the box's own accounts, counted for all processes together, and through a restart. Whose they are is
-- kept as a keyed digest: people type passwords where logins belong.
create table sign_in_tries (
  kind text not null check (kind in ('login', 'address')),
  who text not null,
  tries integer not null,
  ends_at timestamptz not null,
  primary key (kind, who)
);
create index sign_in_tries_by_end on sign_in_tries (ends_at);

-- In which folder the bytes of an upload are, once there are some: several machines have a folder each.
alter table resumable_uploads add column folder text;
