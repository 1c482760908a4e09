-- needs 0051_review_events.sql: an older release does not know these events
-- The events score.held and score.reviewed. They are published when the transaction commits, so that they have what it wrote.

create function publish_review() returns trigger language plpgsql as $$
declare
  v_type text := case when tg_op = 'INSERT' then 'score.held' else 'score.reviewed' end;
begin
  if not has_webhook(new.app_id, v_type) then return null; end if;
  perform publish_event(new.app_id, null, v_type, h.player_id::text,
    jsonb_build_object('id', h.id, 'gameSessionId', h.session_id,
      'miniGameTypeId', nullif(h.type_key, '00000000-0000-0000-0000-000000000000'),
      'playerId', h.player_id, 'displayName', p.display_name, 'score', h.score,
      'currentScore', case when sp.scored_at is not null then sp.score end,
      'metadata', h.metadata, 'reasons', h.reasons, 'state', h.state, 'note', h.note,
      'createdAt', api_moment(h.created_at), 'reviewedAt', api_moment(h.reviewed_at)), p.user_id)
    from held_scores h
    join players p on p.app_id = h.app_id and p.id = h.player_id
    join session_players sp on sp.app_id = h.app_id and sp.session_id = h.session_id and sp.player_id = h.player_id
   where h.app_id = new.app_id and h.id = new.id;
  return null;
end $$;
create constraint trigger held_scores_held after insert on held_scores
  deferrable initially deferred for each row execute function publish_review();
create constraint trigger held_scores_reviewed after update of state on held_scores
  deferrable initially deferred for each row when (new.state is distinct from old.state) execute function publish_review();
