-- needs 0008_players.sql: players and mini game types that an older process changes are reported for the tops of leaderboards
-- What leaderboards show beside scores may be kept in memory: tells every process that it has changed, whoever changed it.

create function note_shown_player() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('shown_player', array[new.app_id::text || ' ' || new.id::text]);
  return null;
end $$;
create trigger players_shown after update on players for each row
  when ((old.display_name, old.image_url, old.user_id) is distinct from (new.display_name, new.image_url, new.user_id))
  execute function note_shown_player();

create function note_game_type() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('game_type', array[new.app_id::text]);
  return null;
end $$;
create trigger mini_game_types_changed after update on mini_game_types for each row
  when (to_jsonb(old) - 'scored' is distinct from to_jsonb(new) - 'scored') execute function note_game_type();
