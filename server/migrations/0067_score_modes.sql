-- needs 0036_score_metadata.sql: an older release would read past boards, and write the type's mode, as if all types counted the best
-- What counts of a player's scores in a type: the best one, the one that was written last, or their sum.
--
-- counted_score is the only place that says what counts. It works on the scores that the sessions of a player have, so that a score
-- that is replaced, corrected or removed counts as if it had never been there. score_effect says when a board has to count again.

alter table mini_game_types
  add column score_mode text not null default 'best' check (score_mode in ('best', 'latest', 'sum'));
comment on column mini_game_types.score_mode is
  'What counts of a player''s scores: the best, the one that was written last, or their sum. Fixed once a score is written.';

-- A score of a session, now or at an earlier time.
create type session_score as (
  score float8, session_id uuid, scored_at timestamptz, joined_at timestamptz, written_at timestamptz, metadata json);

-- What a board has of a player. Of a sum, the session and what follows are those of the score that completed it.
create type counted_score as (
  score float8, rank_key float8, session_id uuid, achieved_at timestamptz, joined_at timestamptz, written_at timestamptz,
  metadata json);

-- What counts of the scores of one player; no row if there are none. A sum is that of the decimal numbers, rounded once. It was
-- reached with the last score other than 0.
create function counted_score(p_mode text, p_ascending boolean, p_scores session_score[])
returns setof counted_score language sql stable as $$
  select v.score, case when p_ascending then 0 - v.score else v.score end, s.session_id, s.scored_at, s.joined_at, s.written_at,
         s.metadata
    from (select * from unnest(p_scores) o
           order by case when p_mode = 'best' then case when p_ascending then 0 - o.score else o.score end end desc,
                    case when p_mode = 'latest' then o.written_at end desc,
                    case when p_mode = 'sum' and o.score <> 0 then o.scored_at end desc nulls last,
                    o.scored_at, o.session_id
           limit 1) s
   cross join lateral (
     select case when p_mode = 'sum' then (select sum(o.score::text::numeric)::float8 from unnest(p_scores) o)
                 else s.score end) v(score)
$$;

-- What counts of the current scores of a player in a type, of those that were written since a moment if one is given.
create function counted_score_of(p_app uuid, p_type uuid, p_player uuid, p_since timestamptz default '-infinity')
returns setof counted_score language sql stable as $$
  select c.*
    from (select array_agg(row(sp.score, sp.session_id, sp.scored_at, sp.created_at, sp.updated_at, sp.metadata)::session_score)
            from session_players sp
           where sp.app_id = p_app and sp.player_id = p_player and sp.type_key = p_type and sp.scored_at is not null
             and sp.updated_at >= p_since) s(scores)
    left join mini_game_types t on t.app_id = p_app and t.id = p_type
   cross join lateral counted_score(coalesce(t.score_mode, 'best'), coalesce(t.ascending, false), s.scores) c
$$;

-- What a score that was written does to what a board has of its player (the last three; null if it has nothing): 'counts', it
-- takes its place; 'same', it is in that place, and as good as before; 'recount', that has to be counted again. Null: nothing.
create function score_effect(p_mode text, p_key float8, p_at timestamptz, p_session uuid,
  p_old_key float8, p_old_at timestamptz, p_old_session uuid)
returns text language sql immutable
return case when p_mode <> 'best' then 'recount'
            when p_old_key is null or p_key > p_old_key then 'counts'
            when p_old_session = p_session then case when p_key < p_old_key then 'recount' else 'same' end
            when p_key = p_old_key and (p_at, p_session) < (p_old_at, p_old_session) then 'counts' end;

-- Whether a score that is removed changes what a board has of its player.
create function is_counted(p_app uuid, p_type uuid, p_session uuid, p_counted uuid) returns boolean language sql stable
return p_counted = p_session
  or (p_counted is not null
      and exists (select from mini_game_types t where t.app_id = p_app and t.id = p_type and t.score_mode <> 'best'));

-- Counts the scores of a player again. The caller holds the player_best row.
create or replace function recompute_best(p_app uuid, p_type uuid, p_player uuid, p_ascending boolean,
  out new_best float8, out version bigint)
language plpgsql volatile as $$
declare
  x counted_score;
begin
  select * into x from counted_score_of(p_app, p_type, p_player);
  update player_best b
     set score = x.score, rank_key = x.rank_key, session_id = x.session_id, achieved_at = x.achieved_at, version = b.version + 1
   where b.app_id = p_app and b.type_key = p_type and b.player_id = p_player
  returning b.rank_key, b.version into new_best, version;
end $$;

-- No sum of scores up to this size exceeds a double, however many sessions a player has.
create function check_summand() returns trigger language plpgsql as $$
begin
  if exists (select from mini_game_types t
              where t.app_id = new.app_id and t.id = new.type_key and t.score_mode = 'sum') then
    raise exception 'score % is too large for a sum', new.score using errcode = 'ZS400';
  end if;
  return new;
end $$;
create trigger session_players_summand before update on session_players
  for each row when (abs(new.score) > 1e300) execute function check_summand();

-- As in 0035_period_deletions.sql, for types of every mode.
create or replace function remove_player_from_session(p_app uuid, p_session uuid, p_player uuid,
  out outcome text, out type_key uuid, out old_best float8, out new_best float8, out version bigint, out xid text, out periods jsonb)
language plpgsql volatile as $$
declare
  s record;
  b record;
begin
  perform pg_advisory_xact_lock_shared(uuid_hash_extended(p_session, 71));
  select g.type_key, coalesce(t.ascending, false) as ascending into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
  if not found then outcome := 'no_session'; return; end if;

  type_key := s.type_key;
  select * into b from player_best pb
   where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = p_player
     for update;
  if not found then outcome := 'not_registered'; return; end if;
  delete from session_players sp where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player;
  if not found then outcome := 'not_registered'; return; end if;

  outcome := 'ok';
  old_best := b.rank_key;
  new_best := b.rank_key;
  version := b.version;
  if is_counted(p_app, s.type_key, p_session, b.session_id) then
    select r.new_best, r.version into new_best, version from recompute_best(p_app, s.type_key, p_player, s.ascending) r;
  end if;
  periods := remove_from_periods(p_app, s.type_key, p_session, p_player);
  xid := pg_current_xact_id()::text;
end $$;

-- Deletes a session with its scores. Returns the players whose best was in it; type_key is the board, also of a period.
create or replace function delete_session(p_app uuid, p_session uuid)
returns table (player_id uuid, type_key uuid, old_best float8, new_best float8, version bigint, xid text)
language plpgsql volatile as $$
declare
  s record;
  b record;
  v_now timestamptz;
  v_players uuid[];
begin
  perform pg_advisory_xact_lock(uuid_hash_extended(p_session, 71));
  select g.type_key, coalesce(t.ascending, false) as ascending into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session
     for update of g;
  if not found then return; end if;

  -- every best of this session's players, in player order: nobody can move one until this commits
  perform 1 from player_best pb
   where pb.app_id = p_app and pb.type_key = s.type_key
     and pb.player_id in (
       select sp.player_id from session_players sp where sp.app_id = p_app and sp.session_id = p_session)
   order by pb.app_id, pb.player_id, pb.type_key
     for update of pb;
  with gone as (delete from session_players sp where sp.app_id = p_app and sp.session_id = p_session returning sp.player_id)
  select array_agg(g.player_id) into v_players from gone g;
  xid := pg_current_xact_id()::text;
  type_key := s.type_key;
  for b in select pb.player_id, pb.rank_key from player_best pb
            where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = any (v_players)
              and is_counted(p_app, s.type_key, p_session, pb.session_id) loop
    player_id := b.player_id;
    old_best := b.rank_key;
    select r.new_best, r.version into new_best, version
      from recompute_best(p_app, s.type_key, b.player_id, s.ascending) r;
    return next;
  end loop;
  v_now := clock_timestamp();
  for b in select pb.player_id, pb.rank_key, x.board_key, x.starts_at
             from period_boards x
             join period_best pb on pb.app_id = p_app and pb.board_key = x.board_key and pb.player_id = any (v_players)
            where x.app_id = p_app and x.type_key = s.type_key and x.closed_at is null
              and x.starts_at <= v_now and coalesce(x.ends_at, 'infinity') > v_now
              and is_counted(p_app, s.type_key, p_session, pb.session_id) loop
    player_id := b.player_id;
    type_key := b.board_key;
    old_best := b.rank_key;
    select r.new_best, r.version into new_best, version
      from recompute_period_best(p_app, s.type_key, b.player_id, b.board_key, b.starts_at, s.ascending) r;
    return next;
  end loop;
  delete from game_sessions g where g.app_id = p_app and g.id = p_session;
end $$;

-- Mini game types in events have all members.
create or replace function publish_session(p_app uuid, p_session uuid, p_type text) returns void language plpgsql volatile as $$
begin
  if not has_webhook(p_app, p_type) then return; end if;
  perform publish_event(p_app, null, p_type, g.id::text,
    jsonb_build_object('id', g.id, 'name', g.name, 'description', g.description,
      'status', case g.status when 'completed' then 'COMPLETED' else 'ACTIVE' end,
      'startTime', api_moment(g.start_time), 'endTime', api_moment(g.end_time),
      'createdAt', api_moment(g.created_at), 'updatedAt', api_moment(g.updated_at),
      'playerCount', (select count(*) from session_players sp where sp.app_id = g.app_id and sp.session_id = g.id),
      'miniGameType', case when t.id is not null then
        jsonb_build_object('id', t.id, 'name', t.name, 'description', t.description, 'imageUrl', t.image_url,
          'createdAt', api_moment(t.created_at), 'sortOrder', case when t.ascending then 'asc' else 'desc' end,
          'minScore', t.min_score, 'maxScore', t.max_score,
          'submittedBy', t.submitted_by, 'timeZone', t.time_zone,
          'historyDays', t.history_days, 'rules', t.rules, 'segments', t.segments, 'scoreMode', t.score_mode) end)
    || case g.status when 'paused' then '{"paused": true}'::jsonb else '{}'::jsonb end, null)
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
end $$;
