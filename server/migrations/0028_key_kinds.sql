-- Several keys for each app, each with a kind and a name. Keys that exist are server keys. Mini game types say who may
-- write scores.

alter table app_keys
  add column kind text not null default 'server',
  add column name text not null default 'default',
  add constraint app_keys_kind check (kind in ('server', 'client')) not valid,
  -- Only the key that the app's record shows can be read again.
  alter column encrypted drop not null;

comment on column app_keys.kind is '`server`: all rights of the app. `client`: may ship in a game, and reads.';
comment on column app_keys.name is 'What its owner calls it. `default` for the key of the app''s record.';
comment on column app_keys.encrypted is
  'The whole key, encrypted with the secret of the service: its owner may read it again. Null for an additional key, '
  'which is shown once.';
comment on column app_keys.expires_at is
  'Null for the key of the app''s record. Its end, for a key that was rotated. `infinity` for an additional key, '
  'which rotation leaves.';

alter table mini_game_types
  add column submitted_by text not null default 'server',
  add constraint mini_game_types_submitted_by check (submitted_by in ('server', 'player')) not valid;

comment on column mini_game_types.submitted_by is
  '`server`: only server keys write scores. `player`: a player token may write its own, too.';
