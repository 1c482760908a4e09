-- needs 0032_period_boards.sql: an older release would not report changes of period boards to the rank indexes
-- Scores on the boards of periods (0032_period_boards.sql). The functions of 0012_scores.sql and 0013_game_sessions.sql that
-- move a best also return "periods": what they did on the boards of periods, as JSON objects with board, from, to and
-- version, or null. Rows of period_best have no lock of their own: the lock of the player's best of the type covers them.
--
-- They are planned without sequential scans: a connection that plans them while period_best is empty would otherwise read
-- all of it for every score, until the table is analyzed.

create function recompute_period_best(p_app uuid, p_type uuid, p_player uuid, p_board uuid, p_start timestamptz,
  p_ascending boolean, out new_best float8, out version bigint)
language plpgsql volatile set enable_seqscan = off as $$
declare
  x record;
begin
  select sp.score, sp.session_id, sp.scored_at, sp.created_at, sp.updated_at,
         case when p_ascending then 0 - sp.score else sp.score end as rank_key into x
    from session_players sp
   where sp.app_id = p_app and sp.player_id = p_player and sp.type_key = p_type and sp.scored_at is not null
     and sp.updated_at >= p_start
   order by 6 desc, sp.scored_at, sp.session_id
   limit 1;
  update period_best b
     set score = x.score, rank_key = x.rank_key, session_id = x.session_id, achieved_at = x.scored_at,
         joined_at = x.created_at, written_at = x.updated_at, version = b.version + 1
   where b.app_id = p_app and b.board_key = p_board and b.player_id = p_player
  returning b.rank_key, b.version into new_best, version;
end $$;

-- Records the score that a session has since p_now on the boards of the periods that the moment lies in. The other values are
-- those of its row in session_players, and its rank key.
create function record_in_periods(p_app uuid, p_type uuid, p_session uuid, p_player uuid, p_now timestamptz, p_score float8,
  p_key float8, p_ascending boolean, p_at timestamptz, p_joined timestamptz)
returns jsonb language plpgsql volatile set enable_seqscan = off as $$
declare
  p record;
  v_new float8;
  v_version bigint;
  v_moves jsonb := '[]';
begin
  for p in select x.board_key, x.starts_at, b.rank_key, b.session_id, b.achieved_at, b.player_id is null as is_new
             from period_boards x
             left join period_best b on b.app_id = p_app and b.board_key = x.board_key and b.player_id = p_player
            where x.app_id = p_app and x.type_key = p_type and x.closed_at is null
              and x.starts_at <= p_now and coalesce(x.ends_at, 'infinity') > p_now loop
    continue when p.session_id <> p_session
      and (p_key < p.rank_key or (p_key = p.rank_key and (p_at, p_session) > (p.achieved_at, p.session_id)));
    if p.is_new then
      insert into period_best
        (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, version)
      values (p_app, p.board_key, p_player, p_score, p_key, p_session, p_at, p_joined, p_now, 1);
      v_new := p_key;
      v_version := 1;
    elsif p.session_id = p_session and p_key < p.rank_key then
      select r.new_best, r.version into v_new, v_version
        from recompute_period_best(p_app, p_type, p_player, p.board_key, p.starts_at, p_ascending) r;
    else
      update period_best y
         set score = p_score, rank_key = p_key, session_id = p_session, achieved_at = p_at, joined_at = p_joined,
             written_at = p_now, version = y.version + 1
       where y.app_id = p_app and y.board_key = p.board_key and y.player_id = p_player
      returning y.version into v_version;
      v_new := p_key;
    end if;
    v_moves := v_moves || jsonb_build_object('board', p.board_key, 'from', p.rank_key, 'to', v_new, 'version', v_version);
  end loop;
  return nullif(v_moves, '[]');
end $$;

drop function save_score(uuid, uuid, uuid, float8);
-- Writes one score of a registered player.
-- outcome: ok, no_session, not_running, out_of_bounds, not_registered. Only ok has changed anything.
create function save_score(p_app uuid, p_session uuid, p_player uuid, p_score float8,
  out outcome text, out type_key uuid, out old_best float8, out new_best float8, out version bigint, out xid text,
  out created_at timestamptz, out updated_at timestamptz, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  s record;
  b record;
  v_now timestamptz;
  v_at timestamptz;
  v_key float8;
  v_periods int;  -- null: there are none; 2: some may have to be made
begin
  p_score := p_score + 0.0;  -- −0 becomes 0
  perform pg_advisory_xact_lock_shared(uuid_hash_extended(p_session, 71));
  select g.type_key, g.status, g.open_until, coalesce(t.ascending, false) as ascending, t.min_score, t.max_score,
         coalesce(t.scored, true) as scored,
         exists (select from webhook_endpoints e
                  where e.app_id = p_app and e.enabled and 'score.updated' = any (e.event_types)) as is_told
    into s
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
  if not found then outcome := 'no_session'; return; end if;
  if s.status <> 'active' and coalesce(s.open_until <= clock_timestamp(), true) then outcome := 'not_running'; return; end if;
  if p_score < s.min_score or p_score > s.max_score then outcome := 'out_of_bounds'; return; end if;

  if not s.scored then  -- the first score of a type fixes its sort order
    update mini_game_types t set scored = true where t.app_id = p_app and t.id = s.type_key and not t.scored;
    select t.ascending into s.ascending from mini_game_types t where t.app_id = p_app and t.id = s.type_key;
  end if;

  type_key := s.type_key;
  select pb.rank_key, pb.session_id, pb.achieved_at, pb.version into b
    from player_best pb
   where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = p_player
     for update;
  if not found then outcome := 'not_registered'; return; end if;

  v_now := clock_timestamp();  -- after the lock: later than everything committed under it
  update session_players sp
     set score = p_score,
         -- a score dates from when its value was reached: writing the same value again does not change that
         scored_at = case when sp.scored_at is not null and sp.score = p_score then sp.scored_at else v_now end,
         updated_at = v_now
   where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player
  returning sp.scored_at, sp.created_at, sp.updated_at,
            case when exists (select from period_boards x where x.app_id = p_app and x.type_key = s.type_key)
                 then 1 + are_periods_due(p_app, s.type_key, v_now)::int end
    into v_at, created_at, updated_at, v_periods;
  if not found then outcome := 'not_registered'; return; end if;
  if s.is_told then perform publish_score(p_app, p_session, p_player); end if;

  outcome := 'ok';
  old_best := b.rank_key;
  new_best := b.rank_key;
  version := b.version;
  xid := pg_current_xact_id()::text;
  v_key := case when s.ascending then 0 - p_score else p_score end;
  if v_periods = 2 then perform open_periods(p_app, s.type_key, v_now); end if;
  if v_periods is not null then
    periods := record_in_periods(p_app, s.type_key, p_session, p_player, v_now, p_score, v_key, s.ascending, v_at, created_at);
  end if;
  if b.rank_key is null or v_key > b.rank_key
     or (v_key = b.rank_key and b.session_id <> p_session and (v_at, p_session) < (b.achieved_at, b.session_id)) then
    update player_best pb
       set score = p_score, rank_key = v_key, session_id = p_session, achieved_at = v_at, version = pb.version + 1
     where pb.app_id = p_app and pb.type_key = s.type_key and pb.player_id = p_player
    returning pb.version into version;
    new_best := v_key;
  elsif b.session_id = p_session and v_key < b.rank_key then  -- the best itself got worse: compute it again, in a new snapshot
    select r.new_best, r.version into new_best, version from recompute_best(p_app, s.type_key, p_player, s.ascending) r;
  end if;
end $$;
