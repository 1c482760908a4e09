-- one by one: players may be many
drop index concurrently if exists players_hidden;
-- Players that are hidden or banned: the leaderboards of sessions leave them out.
create index concurrently players_hidden on players (app_id, id) where standing <> 'normal';
