-- Decisions about held scores (0040_judged_scores.sql).

-- Puts a score of a session back to what it was before a held one was accepted. The caller holds the player's best.
create function restore_former_score(h held_scores, p_ascending boolean,
  out old_best float8, out new_best float8, out version bigint, out periods jsonb)
language plpgsql volatile as $$
declare
  p record;
  v_new float8;
  v_version bigint;
  v_moves jsonb := '[]';
  v_now timestamptz := clock_timestamp();
begin
  select b.rank_key, b.version into old_best, version from player_best b
   where b.app_id = h.app_id and b.type_key = h.type_key and b.player_id = h.player_id;
  update session_players sp
     set score = h.former_score, scored_at = h.former_scored_at, updated_at = h.former_updated_at, metadata = h.former_metadata
   where sp.app_id = h.app_id and sp.session_id = h.session_id and sp.player_id = h.player_id;
  -- a hidden player has no best, and a banned one may get none
  if version >= 0 then
    select r.new_best, r.version into new_best, version
      from recompute_best(h.app_id, h.type_key, h.player_id, p_ascending) r;
  end if;
  for p in select x.board_key, x.starts_at, b.rank_key
             from period_boards x
             join period_best b on b.app_id = x.app_id and b.board_key = x.board_key and b.player_id = h.player_id
              and b.version >= 0
            where x.app_id = h.app_id and x.type_key = h.type_key and x.closed_at is null
              and x.starts_at <= v_now and coalesce(x.ends_at, 'infinity') > v_now loop
    select r.new_best, r.version into v_new, v_version
      from recompute_period_best(h.app_id, h.type_key, h.player_id, p.board_key, p.starts_at, p_ascending) r;
    v_moves := v_moves || jsonb_build_object('board', p.board_key, 'from', p.rank_key, 'to', v_new, 'version', v_version);
  end loop;
  periods := nullif(v_moves, '[]');
  if has_webhook(h.app_id, 'score.updated') then perform publish_score(h.app_id, h.session_id, h.player_id); end if;
end $$;

-- Accepts or rejects a held score. An accepted score is written as any other, also in a session that has ended since it was
-- sent. outcome: ok, same (it was decided so before), no_review, written_since (a rejection cannot take the score back), or why
-- save_scores_group did not write it. Only ok has changed anything.
create function review_score(p_app uuid, p_id uuid, p_state text, p_note text, p_actor text, p_address text,
  out outcome text, out player_id uuid, out type_key uuid, out old_best float8, out new_best float8, out version bigint,
  out xid text, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  h held_scores;
  s record;
  f record;
  v_written timestamptz;
begin
  select * into h from held_scores x where x.app_id = p_app and x.id = p_id;
  if not found then outcome := 'no_review'; return; end if;
  -- the locks of save_scores_group come first: deletions take them before the held score
  perform lock_for_scores(array[p_app], array[h.session_id], array[h.player_id]);
  select * into h from held_scores x where x.app_id = p_app and x.id = p_id for update;
  if not found then outcome := 'no_review'; return; end if;
  if h.state = p_state then outcome := 'same'; return; end if;
  player_id := h.player_id;
  type_key := h.type_key;
  select g.status, g.open_until, coalesce(t.ascending, false) as ascending into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = h.session_id;
  select sp.score, sp.scored_at, sp.updated_at, sp.metadata into f from session_players sp
   where sp.app_id = p_app and sp.session_id = h.session_id and sp.player_id = h.player_id;

  if p_state = 'accepted' then
    if s.status <> 'active' then
      update game_sessions g set open_until = 'infinity' where g.app_id = p_app and g.id = h.session_id;
    end if;
    select r.outcome, r.old_best, r.new_best, r.version, r.xid, r.periods, r.updated_at
      into outcome, old_best, new_best, version, xid, periods, v_written
      from save_scores_group(array[p_app], array[h.session_id], array[h.player_id], array[h.score],
             array[h.metadata]) r;
    if s.status <> 'active' then
      update game_sessions g set open_until = s.open_until where g.app_id = p_app and g.id = h.session_id;
    end if;
    if outcome <> 'ok' then return; end if;
  elsif h.state = 'accepted' then
    if f.updated_at <> h.written_at then outcome := 'written_since'; return; end if;
    select r.old_best, r.new_best, r.version, r.periods into old_best, new_best, version, periods
      from restore_former_score(h, s.ascending) r;
    xid := pg_current_xact_id()::text;
  end if;

  outcome := 'ok';
  update held_scores x
     set state = p_state, note = p_note, reviewed_at = clock_timestamp(), written_at = v_written,
         former_score = case when p_state = 'accepted' then f.score end,
         former_scored_at = case when p_state = 'accepted' then f.scored_at end,
         former_updated_at = case when p_state = 'accepted' then f.updated_at end,
         former_metadata = case when p_state = 'accepted' then f.metadata end
   where x.app_id = p_app and x.id = p_id;
  insert into audit_log (actor, action, subject, address) values (p_actor, 'held_score.' || p_state, p_id::text, p_address);
end $$;
