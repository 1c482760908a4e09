-- Most points show no photo: that is seen before their addresses are looked at, which took 3 µs of each new point (of some
-- 70). Whoever asks this index says so too.
drop index gcps_photo_objects;
create index gcps_photo_objects on gcps using gin (object_keys_in(photo_urls))
  where photo_urls <> '{}' and object_keys_in(photo_urls) <> '{}';

create or replace function object_is_shown(wanted text) returns boolean language sql stable
return exists (select from pins where object_key_in(content_url) = wanted)
    or exists (select from pins where object_key_in(relocalization_photo_url) = wanted)
    or exists (select from pins where object_key_in(localization_data ->> 'worldmapURL') = wanted)
    or exists (select from gcps where object_keys_in(photo_urls) @> array[wanted]
                 and photo_urls <> '{}' and object_keys_in(photo_urls) <> '{}')
    or exists (select from csv_uploads u where u.object_key = wanted)
    or exists (select from apps where object_key_in(image_url) = wanted)
    or exists (select from mini_game_types where object_key_in(image_url) = wanted);
