-- one by one: conversions with options may be many
-- Which conversions go with an image.

drop index concurrently if exists conversions_with_options_anchor_image;
create index concurrently conversions_with_options_anchor_image on conversions_with_options (anchor_image_id)
  where anchor_image_id is not null;
