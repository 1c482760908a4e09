-- needs 0008_players.sql: players that an older process changes or deletes are reported for those kept in memory
-- Players may be kept in memory: tells every process that one has changed or is gone, whoever did it. Attributes are
-- written by set_attributes, which changes the player too.

create function note_player() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('player', array[new.app_id::text || ' ' || new.id::text]);
  return null;
end $$;
create trigger players_noted after update on players for each row
  when (old is distinct from new) execute function note_player();

-- Once a statement, with the app alone for many: an app is deleted with all its players.
create function note_deleted_players() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from gone limit 101) as counted) <= 100 then
    insert into changes (topic, subjects)
    select 'player', array_agg(app_id::text || ' ' || id::text) from gone having count(*) > 0;
  else
    insert into changes (topic, subjects)
    select 'players_deleted', array_agg(distinct app_id::text) from gone;
  end if;
  return null;
end $$;
create trigger players_noted_deleted after delete on players referencing old table as gone
  for each statement execute function note_deleted_players();
