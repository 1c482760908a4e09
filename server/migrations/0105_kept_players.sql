-- needs 0060_shown_on_boards.sql: players whose standing or attributes change, or who are deleted, are reported too
-- Players may be kept in memory: tells every process that one has changed or is gone, whoever did it.

drop trigger players_shown on players;
create trigger players_shown after update on players for each row
  when (old is distinct from new) execute function note_shown_player();

create function note_attributes() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('shown_player', array[new.app_id::text || ' ' || new.player_id::text]);
  return null;
end $$;
create trigger player_attributes_changed after insert or update on player_attributes for each row
  execute function note_attributes();

-- Once a statement: an app is deleted with all its players.
create function note_deleted_players() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects)
  select 'deleted_players', array_agg(distinct app_id::text) from gone having count(*) > 0;
  return null;
end $$;
create trigger players_deleted after delete on players referencing old table as gone
  for each statement execute function note_deleted_players();
create trigger player_attributes_deleted after delete on player_attributes referencing old table as gone
  for each statement execute function note_deleted_players();
