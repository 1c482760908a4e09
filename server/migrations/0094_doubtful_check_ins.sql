-- one by one: check-ins may be many
-- Check-ins that were held, for the list of reviews.

drop index concurrently if exists check_ins_doubtful;
create index concurrently check_ins_doubtful on check_ins (app_id, created_at, id) where reason is not null;
