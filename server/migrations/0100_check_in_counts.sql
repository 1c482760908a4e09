-- one by one: check-ins may be many
-- Accepted check-ins by time with what they are counted by, so that counts read the index alone.

drop index concurrently if exists check_ins_counted;
create index concurrently check_ins_counted on check_ins (app_id, created_at) include (fence_id, player_id)
  where state = 'accepted';
