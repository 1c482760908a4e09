-- one by one: webhook deliveries may be many
-- The deliveries whose payloads are boards of many players, so that the erasure of one of their users finds them.

drop index concurrently if exists webhook_deliveries_of_seasons;
create index concurrently webhook_deliveries_of_seasons on webhook_deliveries (id) where type = 'season.ended';
