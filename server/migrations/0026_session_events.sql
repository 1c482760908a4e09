-- needs 0026_session_events.sql: an older process would publish no events of game sessions, which sessions/store.ts does now

drop trigger if exists game_sessions_told on game_sessions;
drop trigger if exists game_sessions_completed on game_sessions;
drop function if exists publish_new_session();
drop function if exists publish_completed_session();
drop function if exists publish_session(uuid, uuid, text);
