create table backup_state (
  only_row boolean primary key default true check (only_row),
  tried_at timestamptz,
  succeeded_at timestamptz,
  seconds double precision,
  bytes bigint,
  place text,
  failed_at timestamptz,
  failure text
);
insert into backup_state default values;

comment on table backup_state is
  'The last scheduled backup and the last failure: one row. Not part of a backup, because it describes this installation.';
comment on column backup_state.tried_at is
  'Start of the last attempt. Null if none was made, or if the last one was interrupted by the stop of its process.';
comment on column backup_state.place is 'The file or object that the last successful backup was written to.';
comment on column backup_state.failure is 'The message of the last failure.';
