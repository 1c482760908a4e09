-- needs 0026_session_events.sql: an older process would publish no events of game sessions, which sessions/store.ts does now

drop trigger game_sessions_told on game_sessions;
drop trigger game_sessions_completed on game_sessions;
drop function publish_new_session();
drop function publish_completed_session();
drop function publish_session(uuid, uuid, text);
