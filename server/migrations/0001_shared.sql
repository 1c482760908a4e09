-- needs 0001_shared.sql: earlier releases have other migrations, and would try to create every table again
--
-- What several modules use: the extension, functions for text and time, idempotency keys, the change feed.

-- Created by platform/database/migrate/migrate.ts.
comment on table migrations is 'The migrations that were applied.';
comment on column migrations.checksum is 'SHA-256 of the file. An applied migration must not change.';
comment on column migrations.needs is
  'The oldest migration that a release must have to work on the database. Null if the migration breaks no older '
  'release.';

-- pins.place is a cube; zones and pins are searched by GiST indexes over boxes.
create extension if not exists cube;

-- A timestamp as the API writes it: UTC, milliseconds, "Z".
create function api_moment(p timestamptz) returns text language sql stable
return to_char(p at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Search by name ---------------------------------------------------------------------------------------------------------

-- A name from its nth word on, or null if it has fewer words. Prefix search uses one ordered index for each of the first
-- words, so its cost does not grow with the number of names.
-- Words are separated by spaces, control characters and the punctuation of ASCII, Latin-1, and the Unicode blocks General
-- Punctuation and CJK Symbols (except 々, 〆 and 〇, which occur in names). A name without any word counts as one word.
-- Final sigma equals sigma, because a search term may end inside a word.
-- The result has at most 255 characters, the length limit of a search term; an index entry must stay below 2,700 bytes.
create function from_word(name text, nth integer) returns text
language sql immutable parallel safe
return left(coalesce(
  substring(translate(name, 'ς', 'σ') from
    '^[\u0001-/:-@[-`{-\u00a1\u00ab\u00b7\u00bb\u00bf\u2000-\u206f\u3000-\u3003\u3008-\u301f\u30fb]*(?:[^\u0001-/:-@[-`{-\u00a1\u00ab\u00b7\u00bb\u00bf\u2000-\u206f\u3000-\u3003\u3008-\u301f\u30fb]+[\u0001-/:-@[-`{-\u00a1\u00ab\u00b7\u00bb\u00bf\u2000-\u206f\u3000-\u3003\u3008-\u301f\u30fb]+){'
    || (nth - 1)::text || '}([^\u0001-/:-@[-`{-\u00a1\u00ab\u00b7\u00bb\u00bf\u2000-\u206f\u3000-\u3003\u3008-\u301f\u30fb].*)$'),
  case when nth = 1 then translate(name, 'ς', 'σ') end), 255);

create function full_name(first_name text, last_name text) returns text
language sql immutable parallel safe return nullif(concat_ws(' ', first_name, last_name), '');

-- Requests ---------------------------------------------------------------------------------------------------------------

create table idempotency_keys (
  scope text not null,
  key text not null,
  request bytea,
  state text not null default 'running' check (state in ('running', 'answered', 'unknown')),
  status smallint,
  headers jsonb,
  body text,
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
-- The keys of anonymous callers, oldest first: their number is bounded.
create index idempotency_keys_of_addresses on idempotency_keys (created_at) where scope like 'address:%';

comment on table idempotency_keys is 'Responses to requests that carried an Idempotency-Key. Kept for 24 hours.';
comment on column idempotency_keys.scope is
  'Who sent the key: the app, the user, or the address of an anonymous caller.';
comment on column idempotency_keys.request is 'SHA-256 of the request. Null while an upload is still arriving.';

-- Change feed ------------------------------------------------------------------------------------------------------------

create table changes (
  id bigint generated always as identity primary key,
  transaction xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  topic text not null,
  subjects text[] not null
);
create index changes_transaction on changes (transaction);
create index changes_at on changes (at);

comment on table changes is
  'The change feed: tells every process what the others changed. A row is written in the transaction of the change,'
  ' polled by every process several times a second, and removed after a few minutes. Not part of a backup.';
comment on column changes.transaction is
  'Readers find new rows by this, not by id: a transaction may commit after one that drew a later id.';
comment on column changes.subjects is 'Ids of what changed, or {*} for everything of the topic.';
