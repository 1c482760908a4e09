-- That all processes share one Redis: when each wrote its mark there, for the first time and the last. Of an older release there is none.
alter table rank_processes add column redis_since timestamptz;
alter table rank_processes add column redis_at timestamptz;
