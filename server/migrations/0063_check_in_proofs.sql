-- Photos of surveyed tags that prove where a player was at a check-in.

create table check_in_proofs (
  app_id uuid not null,
  check_in_id uuid not null,
  fence_id uuid not null,
  player_id uuid not null,
  gcp_ids bigint[] not null,
  accuracy double precision not null,
  tag_ids int[],
  corners int[],
  created_at timestamptz not null default clock_timestamp(),
  primary key (app_id, check_in_id),
  foreign key (app_id, check_in_id) references check_ins on delete cascade deferrable initially deferred
);
create index check_in_proofs_corner on check_in_proofs (app_id, (corners[1])) where corners is not null;
create index check_in_proofs_old on check_in_proofs (created_at) where corners is not null;

comment on table check_in_proofs is 'The localizations that prove check-ins. The photos are not stored, nor the places of their cameras.';
comment on column check_in_proofs.accuracy is 'Of the place of the camera, in metres.';
comment on column check_in_proofs.corners is
  'Of the tags, eight coordinates each, in ten-thousandths of the width of the photo: a photo that is used again is found by them. Removed with tag_ids after 30 days.';

-- A check-in as the API returns it and as events hold it.
create or replace function check_in_json(c check_ins) returns jsonb language sql stable as $$
  select jsonb_build_object('id', c.id, 'fenceId', c.fence_id, 'playerId', c.player_id, 'state', c.state, 'reason', c.reason,
    'createdAt', api_moment(c.created_at), 'reviewedAt', api_moment(c.reviewed_at), 'note', c.note,
    'proof', (select jsonb_build_object('gcpIds', to_jsonb(p.gcp_ids), 'accuracy', p.accuracy)
                from check_in_proofs p where p.app_id = c.app_id and p.check_in_id = c.id),
    'awards', case when c.score is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
      'miniGameTypeId', nullif(c.type_key, '00000000-0000-0000-0000-000000000000'), 'gameSessionId', c.session_id,
      'points', c.points, 'score', c.score)) end)
$$;

-- Records a check-in as record_check_in does, with the photo that proves it. The photo counts once: outcome `used` if another
-- player has used it in the app, or any player at this fence. Lock order: the photos of the app (advisory), then as in
-- record_check_in.
create function record_proven_check_in(p_app uuid, p_player uuid, p_fence uuid, p_id uuid, p_at timestamptz, p_version bigint,
  p_plausible jsonb, p_reason text, p_mark text, p_once text, p_cooldown int, p_time_zone text,
  p_session uuid, p_points double precision, p_shared int,
  p_gcp_ids bigint[], p_accuracy double precision, p_tag_ids int[], p_corners int[], p_tolerance int,
  out outcome text, out next_at timestamptz, out check_in jsonb, out type_key uuid, out old_best float8, out new_best float8,
  out version bigint, out xid text, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(uuid_hash_extended(p_app, 73));
  if not exists (select from check_ins c
                  where c.app_id = p_app and c.player_id = p_player and c.fence_id = p_fence and c.fix_at = p_at) then
    perform 1 from check_in_proofs u
      where u.app_id = p_app and (u.fence_id = p_fence or u.player_id <> p_player) and u.corners is not null
        and u.corners[1] between p_corners[1] - p_tolerance and p_corners[1] + p_tolerance
        and u.tag_ids = p_tag_ids
        and (select bool_and(abs(a.part - b.part) <= p_tolerance)
               from unnest(u.corners) with ordinality a(part, at) join unnest(p_corners) with ordinality b(part, at) using (at));
    if found then outcome := 'used'; return; end if;
  end if;
  insert into check_in_proofs (app_id, check_in_id, fence_id, player_id, gcp_ids, accuracy, tag_ids, corners)
  values (p_app, p_id, p_fence, p_player, p_gcp_ids, p_accuracy, p_tag_ids, p_corners);
  select r.outcome, r.next_at, r.check_in, r.type_key, r.old_best, r.new_best, r.version, r.xid, r.periods
    into outcome, next_at, check_in, type_key, old_best, new_best, version, xid, periods
    from record_check_in(p_app, p_player, p_fence, p_id, p_at, p_version, p_plausible, p_reason, p_mark, p_once, p_cooldown,
      p_time_zone, p_session, p_points, p_shared) r;
  if outcome <> 'recorded' then
    delete from check_in_proofs p where p.app_id = p_app and p.check_in_id = p_id;
  end if;
end $$;
