-- Audit entries name the app in which something was done, and what was there before and after.

alter table audit_log add column app_id uuid;
alter table audit_log add column changes jsonb;

comment on column audit_log.app_id is 'The app that the affected record belongs to. Null: none, or written before this was kept.';
comment on column audit_log.changes is 'What changed, by name: {"score": {"from": 120, "to": 90}}. Never texts that people wrote.';

-- Sets the standing of a player with its note, and writes the audit entry. Returns the bests that it took off boards or
-- brought back; type_key is the board, also of a period. An unknown player is no error.
create or replace function set_standing(p_app uuid, p_player uuid, p_standing text, p_note text, p_actor text, p_address text)
returns table (type_key uuid, old_best float8, new_best float8, version bigint, xid text)
language plpgsql volatile set enable_seqscan = off as $$
#variable_conflict use_column
declare
  b record;
  v_now timestamptz;
  v_ascending boolean;
  v_before text;
begin
  select p.standing::text into v_before from players p where p.app_id = p_app and p.id = p_player for no key update;
  update players p set standing = p_standing::player_standing, standing_note = p_note, updated_at = clock_timestamp()
   where p.app_id = p_app and p.id = p_player;
  if not found then return; end if;
  insert into audit_log (actor, action, subject, address, app_id, changes)
  values (p_actor, 'player.' || case p_standing when 'normal' then 'restored' else p_standing end, p_player::text, p_address,
          p_app, jsonb_build_object('standing', jsonb_build_object('from', v_before, 'to', p_standing)));

  perform 1 from player_best pb
   where pb.app_id = p_app and pb.player_id = p_player
   order by pb.app_id, pb.player_id, pb.type_key
     for update;
  v_now := clock_timestamp();
  xid := pg_current_xact_id()::text;

  for b in
    select pb.type_key, null::uuid as board_key, null::timestamptz as starts_at, pb.rank_key
      from player_best pb
     where pb.app_id = p_app and pb.player_id = p_player and (pb.version < 0) = (p_standing = 'normal')
    union all
    select x.type_key, x.board_key, x.starts_at, y.rank_key
      from period_boards x join period_best y on y.app_id = x.app_id and y.board_key = x.board_key and y.player_id = p_player
     where x.app_id = p_app and x.closed_at is null and coalesce(x.ends_at, 'infinity') > v_now
       and (y.version < 0) = (p_standing = 'normal') loop
    type_key := coalesce(b.board_key, b.type_key);
    old_best := b.rank_key;
    if b.board_key is null then
      update player_best pb
         set score = null, rank_key = null, session_id = null, achieved_at = null,
             version = pb.version + 1 + case when p_standing = 'normal' then 4503599627370496 else -4503599627370496 end
       where pb.app_id = p_app and pb.type_key = b.type_key and pb.player_id = p_player
      returning pb.rank_key, pb.version into new_best, version;
    else
      update period_best y
         set score = null, rank_key = null, session_id = null, achieved_at = null, joined_at = null, written_at = null,
             metadata = null,
             version = y.version + 1 + case when p_standing = 'normal' then 4503599627370496 else -4503599627370496 end
       where y.app_id = p_app and y.board_key = b.board_key and y.player_id = p_player
      returning y.rank_key, y.version into new_best, version;
    end if;
    if p_standing = 'normal' then
      v_ascending := coalesce((select t.ascending from mini_game_types t where t.app_id = p_app and t.id = b.type_key), false);
      if b.board_key is null then
        select r.new_best, r.version into new_best, version
          from recompute_best(p_app, b.type_key, p_player, v_ascending) r;
      else
        select r.new_best, r.version into new_best, version
          from recompute_period_best(p_app, b.type_key, p_player, b.board_key, b.starts_at, v_ascending) r;
      end if;
    end if;
    return next;
  end loop;
end $$;

-- Replaces a score of a session in any state, and writes the audit entry. Otherwise as save_scores_group, with its outcomes.
create function correct_score(p_app uuid, p_session uuid, p_player uuid, p_score float8, p_metadata json,
  p_actor text, p_address text,
  out outcome text, out type_key uuid, out old_best float8, out new_best float8, out version bigint, out xid text,
  out created_at timestamptz, out updated_at timestamptz, out periods jsonb)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  s record;
  v_before float8;
begin
  perform lock_for_scores(array[p_app], array[p_session], array[p_player]);
  select g.status, g.open_until into s from game_sessions g where g.app_id = p_app and g.id = p_session;
  if not found then outcome := 'no_session'; return; end if;
  select case when sp.scored_at is not null then sp.score end into v_before from session_players sp
   where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player;
  if not found then outcome := 'not_registered'; return; end if;
  if s.status <> 'active' then
    update game_sessions g set open_until = 'infinity' where g.app_id = p_app and g.id = p_session;
  end if;
  select r.outcome, r.type_key, r.old_best, r.new_best, r.version, r.xid, r.created_at, r.updated_at, r.periods
    into outcome, type_key, old_best, new_best, version, xid, created_at, updated_at, periods
    from save_scores_group(array[p_app], array[p_session], array[p_player], array[p_score], array[p_metadata]) r;
  if s.status <> 'active' then
    update game_sessions g set open_until = s.open_until where g.app_id = p_app and g.id = p_session;
  end if;
  if outcome <> 'ok' then return; end if;
  insert into audit_log (actor, action, subject, address, app_id, changes)
  values (p_actor, 'score.corrected', p_session || '/' || p_player, p_address, p_app,
          jsonb_build_object('score', jsonb_build_object('from', v_before, 'to', p_score)));
end $$;
