-- Corners of the tag of a point that a person placed in a photo of it. They belong to the point, not to the photo: another
-- point may show the same photo, and its owner has no say here.

create table gcp_photo_corners (
  gcp_id bigint references gcps on delete cascade,
  file_id bigint references files on delete cascade,
  april_tag_id int not null check (april_tag_id >= 0),
  corners jsonb not null,
  user_id uuid references users on delete set null,
  placed_at timestamptz not null default clock_timestamp(),
  primary key (gcp_id, file_id)
);
create index gcp_photo_corners_by_file on gcp_photo_corners (file_id);
create index gcp_photo_corners_by_user on gcp_photo_corners (user_id) where user_id is not null;

comment on table gcp_photo_corners is
  'Corners of the tag of a point in a photo of it, placed by hand. They count instead of those that the check found, and no '
  'check changes them. They are deleted when the point no longer shows the photo.';
comment on column gcp_photo_corners.april_tag_id is 'The tag that the point had when they were placed.';
comment on column gcp_photo_corners.corners is
  'Four pixels as in the tags of photo_checks: bottom left, bottom right, top right and top left of the upright tag.';
comment on column gcp_photo_corners.user_id is 'Who placed them. Null for a writer without a session, and after erasure.';

create or replace function let_go_of_photos() returns trigger language plpgsql as $$
declare
  dropped text[] := array(
    select unnest(object_keys_in(old.photo_urls)) except select unnest(object_keys_in(new.photo_urls)));
begin
  delete from gcp_photo_corners c using files f
   where c.gcp_id = old.id and f.id = c.file_id and f.key = any(dropped);
  perform let_go_of_given(dropped);
  return null;
end $$;
