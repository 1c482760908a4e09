-- needs 0036_score_metadata.sql: an older release would report scores of hidden players to the rank indexes
-- The standing of players: scores of hidden and banned players count on no board.
--
-- While a player is hidden, its rows in player_best and on the boards of running periods have no score, and their version
-- is 2^52 lower, hence negative. The functions that write scores increase the version, so it stays negative and its order
-- is kept; triggers keep such a row without a score. What a negative version says holds under the lock of the player's best,
-- as do all other columns of the row. Boards of periods that have ended do not change.

-- Of four bytes, because of what PostgreSQL estimates before a table is analyzed: if rows of players were wider by a text,
-- it would take one player in two hundred for one row, and check foreign keys by any index that begins with the app.
create type player_standing as enum ('normal', 'hidden', 'banned');
alter table players
  add column standing player_standing not null default 'normal',
  add column standing_note text;

comment on column players.standing is
  '`hidden`: its scores count on no board. `banned`: also, scores and registrations are refused, and its tokens end.';
comment on column players.standing_note is 'Why the standing is what it is, for those who run the game.';
comment on column player_best.version is
  'Incremented with every change of the best. Negative (2^52 lower) while the player is hidden or banned.';
comment on column period_best.version is
  'Incremented with every change of the best. Negative (2^52 lower) if the player is hidden or banned, or was when the '
  'period ended.';

create function hide_best() returns trigger language plpgsql as $$
begin
  if exists (select from players p where p.app_id = new.app_id and p.id = new.player_id and p.standing = 'banned') then
    raise exception 'player % is banned', new.player_id using errcode = 'ZB403';
  end if;
  new.score := null;
  new.rank_key := null;
  new.session_id := null;
  new.achieved_at := null;
  return new;
end $$;
create trigger player_best_hidden before update on player_best for each row
  when (new.version < 0 and new.rank_key is not null) execute function hide_best();

create function hide_period_best() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from players p
                    where p.app_id = new.app_id and p.id = new.player_id and p.standing <> 'normal') then
      return new;
    end if;
    new.version := new.version - 4503599627370496;
  end if;
  new.score := null;
  new.rank_key := null;
  new.session_id := null;
  new.achieved_at := null;
  new.joined_at := null;
  new.written_at := null;
  new.metadata := null;
  return new;
end $$;
create trigger period_best_hidden before update on period_best for each row
  when (new.version < 0 and new.rank_key is not null) execute function hide_period_best();
create trigger period_best_of_hidden before insert on period_best for each row
  when (new.rank_key is not null) execute function hide_period_best();

create or replace function register_player(p_app uuid, p_session uuid, p_player uuid) returns text
language plpgsql volatile as $$
declare
  s record;
  v_standing text;
begin
  perform pg_advisory_xact_lock_shared(uuid_hash_extended(p_session, 71));
  select g.type_key, g.status, g.open_until into s from game_sessions g where g.app_id = p_app and g.id = p_session;
  if not found then return 'no_session'; end if;

  -- FOR SHARE waits for the FOR NO KEY UPDATE of delete_player and set_standing; the foreign keys' FOR KEY SHARE does not
  select p.standing into v_standing from players p where p.app_id = p_app and p.id = p_player for share;
  if not found then return 'no_player'; end if;
  if v_standing = 'banned' then return 'banned'; end if;

  if s.status = 'completed' and coalesce(s.open_until <= clock_timestamp(), true) then
    perform 1 from session_players sp where sp.app_id = p_app and sp.session_id = p_session and sp.player_id = p_player;
    return case when found then 'again' else 'not_running' end;
  end if;

  insert into player_best (app_id, type_key, player_id, version)
    values (p_app, s.type_key, p_player, case when v_standing = 'normal' then 0 else -4503599627370496 end)
    on conflict do nothing;
  -- locked even if it existed: a concurrent removal must wait
  perform 1 from player_best b where b.app_id = p_app and b.type_key = s.type_key and b.player_id = p_player for update;
  insert into session_players (app_id, session_id, player_id, type_key)
    values (p_app, p_session, p_player, s.type_key)
    on conflict do nothing;
  return case when found then 'ok' else 'again' end;
end $$;

-- Sets the standing of a player with its note, and writes the audit entry. Returns the bests that it took off boards or
-- brought back; type_key is the board, also of a period. An unknown player is no error.
create function set_standing(p_app uuid, p_player uuid, p_standing text, p_note text, p_actor text, p_address text)
returns table (type_key uuid, old_best float8, new_best float8, version bigint, xid text)
language plpgsql volatile set enable_seqscan = off as $$
#variable_conflict use_column
declare
  b record;
  v_now timestamptz;
  v_ascending boolean;
begin
  update players p set standing = p_standing::player_standing, standing_note = p_note, updated_at = clock_timestamp()
   where p.app_id = p_app and p.id = p_player;
  if not found then return; end if;
  insert into audit_log (actor, action, subject, address)
  values (p_actor, 'player.' || case p_standing when 'normal' then 'restored' else p_standing end, p_player::text, p_address);

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
