-- one by one: pins may be many
-- Control points without a place, which every bbox selects.

drop index concurrently if exists pins_of_control_points_without_place;
create index concurrently pins_of_control_points_without_place on pins (gcp_id) where place is null and gcp_id is not null;
