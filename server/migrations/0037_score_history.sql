-- needs 0036_score_metadata.sql: its triggers add to what writes of older releases do
-- What scores were: a row for each score that another one replaced, or that was removed. With the current scores, these are
-- all accepted writes, and the board at any moment since the history begins.
--
-- A first score in a session adds no row, because nothing is replaced.

create table score_history (
  app_id uuid not null,
  type_key uuid not null,
  player_id uuid not null,
  session_id uuid not null,
  score float8 not null,
  scored_at timestamptz not null,
  joined_at timestamptz not null,
  written_at timestamptz not null,
  replaced_at timestamptz not null,
  metadata json
);
create index score_history_of_type on score_history (app_id, type_key, replaced_at);
create index score_history_of_player on score_history (app_id, player_id, written_at);

comment on table score_history is
  'Scores that were replaced or removed, written by triggers of session_players. It has no primary key, because no write '
  'may fail for a clock that stands still.';
comment on column score_history.scored_at is 'When the score was reached.';
comment on column score_history.joined_at is 'When the player joined the session, which may be deleted.';
comment on column score_history.written_at is 'When the score was written: it was the score of the session from then on,';
comment on column score_history.replaced_at is 'and before this moment.';
comment on column score_history.metadata is 'What the game sent with it.';

alter table mini_game_types
  add column history_days int not null default 400 check (history_days between 0 and 3650);

comment on column mini_game_types.history_days is 'How long a replaced score is kept. 0: not at all.';

create table score_history_starts (
  app_id uuid not null references apps on delete cascade,
  type_key uuid not null,
  since timestamptz not null,
  primary key (app_id, type_key)
);

comment on table score_history_starts is
  'Types whose history is not complete before a moment: they are older than the history, or kept it for fewer days.';

create function history_days_of(p_app uuid, p_type uuid) returns int language sql stable as $$
  select coalesce((select t.history_days from mini_game_types t where t.app_id = p_app and t.id = p_type), 400)
$$;

-- From when on the history of a type is complete. Null if it keeps none.
create function history_begins(p_app uuid, p_type uuid) returns timestamptz language sql volatile as $$
  select greatest(clock_timestamp() - make_interval(days => d.days),
                  (select s.since from score_history_starts s where s.app_id = p_app and s.type_key = p_type))
    from (select history_days_of(p_app, p_type)) d(days)
   where d.days > 0
$$;

-- Called before a type keeps its history for more days: what it kept so far is all that there is.
create function restart_history(p_app uuid, p_type uuid) returns void language sql volatile as $$
  insert into score_history_starts as s (app_id, type_key, since)
  values (p_app, p_type, coalesce(history_begins(p_app, p_type), clock_timestamp() + interval '15 seconds'))
  on conflict (app_id, type_key) do update set since = greatest(s.since, excluded.since)
$$;

-- Of several scores of a session at one moment, in one transaction, only the last was ever its score. Of each row, because
-- a trigger of the statement would also cost first scores something.
create function keep_replaced_score() returns trigger language plpgsql as $$
begin
  insert into score_history (app_id, type_key, player_id, session_id, score, scored_at, joined_at, written_at, replaced_at,
                             metadata)
  select old.app_id, old.type_key, old.player_id, old.session_id, old.score, old.scored_at, old.created_at, old.updated_at,
         new.updated_at, old.metadata
   where not exists (select from mini_game_types t
                      where t.app_id = old.app_id and t.id = old.type_key and t.history_days = 0);
  return new;
end $$;
create trigger session_players_replaced before update on session_players
  for each row when (old.scored_at is not null and new.updated_at > old.updated_at) execute function keep_replaced_score();

-- The rows of a deleted app are deleted in batches, and add nothing.
create function keep_removed_scores() returns trigger language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  insert into score_history (app_id, type_key, player_id, session_id, score, scored_at, joined_at, written_at, replaced_at,
                             metadata)
  select r.app_id, r.type_key, r.player_id, r.session_id, r.score, r.scored_at, r.created_at, r.updated_at, v_now, r.metadata
    from removed r join apps a on a.id = r.app_id and a.deleted_at is null
   where r.scored_at is not null and history_days_of(r.app_id, r.type_key) > 0;
  return null;
end $$;
create trigger session_players_removed after delete on session_players referencing old table as removed
  for each statement execute function keep_removed_scores();

-- A score takes at most ten seconds to be written.
insert into score_history_starts (app_id, type_key, since)
select app_id, type_key, clock_timestamp() + interval '15 seconds'
  from (select id, '00000000-0000-0000-0000-000000000000'::uuid from apps
        union all select app_id, id from mini_game_types) t(app_id, type_key);

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
          'historyDays', t.history_days) end)
    || case g.status when 'paused' then '{"paused": true}'::jsonb else '{}'::jsonb end, null)
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
   where g.app_id = p_app and g.id = p_session;
end $$;

-- Deletes a player with all scores, including those of periods that have ended and the history. Returns the former bests;
-- type_key is the board. FOR NO KEY UPDATE keeps out registrations, and not the foreign key checks of score writers, which
-- would wait for this transaction while it waits for them.
create or replace function delete_player(p_app uuid, p_player uuid)
returns table (type_key uuid, old_best float8, version bigint, xid text)
language plpgsql volatile as $$
begin
  perform 1 from players p where p.app_id = p_app and p.id = p_player for no key update;
  perform 1 from player_best pb
   where pb.app_id = p_app and pb.player_id = p_player
   order by pb.app_id, pb.player_id, pb.type_key
     for update;
  delete from session_players sp where sp.app_id = p_app and sp.player_id = p_player;
  delete from score_history h where h.app_id = p_app and h.player_id = p_player;
  return query
  delete from player_best pb where pb.app_id = p_app and pb.player_id = p_player
  returning pb.type_key, pb.rank_key, pb.version + 1, pg_current_xact_id()::text;
  return query
  delete from period_best pb using period_boards x
   where x.app_id = p_app and pb.app_id = p_app and pb.board_key = x.board_key and pb.player_id = p_player
  returning pb.board_key, pb.rank_key, pb.version + 1, pg_current_xact_id()::text;
  delete from players p where p.app_id = p_app and p.id = p_player;
end $$;

drop function record_in_periods(uuid, uuid, uuid, uuid, timestamptz, float8, float8, boolean, timestamptz, timestamptz);
-- Records the score that a session has since p_now on the boards of the periods that the moment lies in. The other values are
-- those of its row in session_players, and its rank key.
create function record_in_periods(p_app uuid, p_type uuid, p_session uuid, p_player uuid, p_now timestamptz, p_score float8,
  p_key float8, p_ascending boolean, p_at timestamptz, p_joined timestamptz, p_metadata json)
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
        (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, metadata, version)
      values (p_app, p.board_key, p_player, p_score, p_key, p_session, p_at, p_joined, p_now,
              p_metadata, 1);
      v_new := p_key;
      v_version := 1;
    elsif p.session_id = p_session and p_key < p.rank_key then
      select r.new_best, r.version into v_new, v_version
        from recompute_period_best(p_app, p_type, p_player, p.board_key, p.starts_at, p_ascending) r;
    else
      update period_best y
         set score = p_score, rank_key = p_key, session_id = p_session, achieved_at = p_at, joined_at = p_joined,
             written_at = p_now, metadata = p_metadata, version = y.version + 1
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
create function save_score(p_app uuid, p_session uuid, p_player uuid, p_score float8, p_metadata json default null,
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
         updated_at = v_now,
         metadata = p_metadata
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
    periods := record_in_periods(p_app, s.type_key, p_session, p_player, v_now, p_score, v_key, s.ascending, v_at, created_at,
      p_metadata);
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
