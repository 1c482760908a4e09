-- What the console finds: the audit entries of a player, and pins and zones by name.

-- For the timeline of a player. The subject of an entry is the player, the player and a key, or a
-- game session and the player.

create function player_of_entry(p_action text, p_subject text) returns text language sql immutable parallel safe
return case
  when p_action like 'player.%' then left(p_subject, 36)
  when p_action in ('score.corrected', 'score.set', 'game_session.player_removed') then right(p_subject, 36) end;

create index audit_log_player on audit_log (app_id, player_of_entry(action, subject), at)
  where app_id is not null and player_of_entry(action, subject) is not null;

-- Names of pins and zones by their beginning. The pins of ground control points are found by the points, whose titles have an
-- index: one more would slow down imports.
create index pins_name on pins (from_word(lower(title), 1) collate "C") where gcp_id is null;
create index zones_name on zones (from_word(lower(title), 1) collate "C");
