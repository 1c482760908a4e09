-- Bytes that were sent to be kept, by day: the ceiling of a day outlives a restart.
create table upload_days (
  day date primary key,                -- in UTC
  bytes bigint not null check (bytes >= 0)
);
