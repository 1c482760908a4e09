-- The users whose ground control points an app relies on: its owner, admins and developers.
create function app_surveyors(p_app uuid) returns setof uuid language sql stable
begin atomic
  select m.user_id from app_members m where m.app_id = p_app and m.role in ('owner', 'admin', 'developer');
end;
