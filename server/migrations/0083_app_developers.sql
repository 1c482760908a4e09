-- The members of an app who are at least developers: an app relies on their ground control points.
create function app_developers(p_app uuid) returns setof uuid language sql stable
begin atomic
  select m.user_id from app_members m where m.app_id = p_app and m.role in ('owner', 'admin', 'developer');
end;
