-- What a process must know to work on this database: the migration that its release came with, where an older one would
-- be wrong. Null: whoever worked on it before the migration works on it after.
alter table migrations add column needs text;
