-- How the April tags of ground control points are printed and placed.

alter table gcps
  add column tag_size double precision check (tag_size > 0),
  add column tag_pose jsonb;

comment on column gcps.tag_size is 'Metres of a side of the black border of its April tag. Null if unknown.';
comment on column gcps.tag_pose is
  'How its April tag is placed: heading, tilt and turn in degrees, and their accuracy, as the API has them. Null if unknown.';
