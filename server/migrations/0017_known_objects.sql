-- Which objects something knows of. The others are left over, from writes that broke off.

create index players_image on players (image_key) where image_key is not null;

-- Whoever keeps the key of an object in a table of their own names it here.
create function object_is_known(wanted text) returns boolean language sql stable
return exists (select from files where key = wanted)
    or exists (select from players where image_key = wanted)
    or exists (select from csv_uploads where object_key = wanted)
    or exists (select from unused_objects where key = wanted)
    or object_is_reserved(wanted)
    or object_is_shown(wanted);
