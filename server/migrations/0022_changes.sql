-- The change feed: what every process learns of what another one did. A row is written in the transaction of the change
-- that it tells of, read by every process a few times a second, and gone after some minutes: it is no record of anything.

create table changes (
  id bigint generated always as identity primary key,
  -- What was committed since is found by this: an id may be seen long after a later one.
  transaction xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  topic text not null,
  -- The ids of what changed.
  subjects text[] not null
);
create index changes_transaction on changes (transaction);
create index changes_at on changes (at);
