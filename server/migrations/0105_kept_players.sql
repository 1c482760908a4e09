-- needs 0008_players.sql: players that an older process changes or deletes are reported for those kept in memory
-- Reports changed and deleted players to all processes, which may keep players in memory. Attributes need no trigger:
-- set_attributes changes the player too.

create function note_player() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('player', array[new.app_id::text || ' ' || new.id::text]);
  return null;
end $$;
create trigger players_change_noted after update on players for each row
  when (old is distinct from new) execute function note_player();

-- One row a statement. It names the app instead of more than 100 players: an app is deleted with all of them.
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
create trigger players_deletion_noted after delete on players referencing old table as gone
  for each statement execute function note_deleted_players();
