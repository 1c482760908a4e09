-- Boards that count the scores written in a period: the current day, week or month of a mini game type, and seasons.
-- The functions that write scores are in 0033_period_scores.sql.
--
-- A board of a period counts the current score of every session whose score was last written in the period. Its rows are
-- written with the scores, so that a period that ended stays as it was. Nothing is written for a period that nobody asked for.

alter table mini_game_types
  add column time_zone text not null default 'UTC';

comment on column mini_game_types.time_zone is 'IANA name. Days, weeks and months of the boards begin in it.';

create table board_windows (
  app_id uuid not null references apps on delete cascade,
  type_key uuid not null,
  every text not null check (every in ('day', 'week', 'month')),
  time_zone text not null,
  asked_at timestamptz not null default clock_timestamp(),
  primary key (app_id, type_key, every)
);

comment on table board_windows is
  'Windows that somebody asked for. While a row exists, a board is kept for each day, week or month.';
comment on column board_windows.asked_at is
  'When the window was last read, to the hour. One that nobody reads is removed, and made again from the scores.';

create table period_boards (
  app_id uuid not null references apps on delete cascade,
  board_key uuid not null default gen_random_uuid(),
  type_key uuid not null,
  every text check (every in ('day', 'week', 'month')),
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  is_ready boolean not null default true,
  closed_at timestamptz,
  primary key (app_id, board_key),
  check (every is null or ends_at is not null)
);
create index period_boards_of_type on period_boards (app_id, type_key, coalesce(ends_at, 'infinity'));
create unique index period_boards_window on period_boards (app_id, type_key, every, starts_at)
  where every is not null and closed_at is null;
create index period_boards_windows on period_boards (ends_at) where every is not null;
create index period_boards_closed on period_boards (closed_at) where closed_at is not null;
create index period_boards_unready on period_boards (board_key) where not is_ready;

comment on table period_boards is 'Boards of periods: from starts_at, and before ends_at.';
comment on column period_boards.board_key is 'For a season, its ID.';
comment on column period_boards.every is 'The window whose instance it is. Null for a season.';
comment on column period_boards.ends_at is 'Null for a season without an end.';
comment on column period_boards.is_ready is
  'False until scores that were written before the board was made are on it. Scores are recorded meanwhile.';
comment on column period_boards.closed_at is 'Since then nothing is recorded. Its rows are deleted soon.';

create table period_best (
  app_id uuid not null,
  board_key uuid not null,
  player_id uuid not null,
  score float8,
  rank_key float8,
  session_id uuid,
  achieved_at timestamptz,
  joined_at timestamptz,
  written_at timestamptz,
  version bigint not null default 0,
  primary key (app_id, board_key, player_id),
  check ((rank_key is null) = (session_id is null) and (rank_key is null) = (score is null))
) with (fillfactor = 80);
create index period_best_board on period_best (app_id, board_key, rank_key desc, achieved_at, player_id)
  where rank_key is not null;

comment on table period_best is
  'The best score of a player on the board of a period. A writer holds the lock of the player''s row in player_best, '
  'which refers to the player: a second foreign key, with its index, would only slow down writes.';
comment on column period_best.score is 'Null once the sessions that counted were deleted.';
comment on column period_best.joined_at is 'Copied from the session, which may be deleted after the period.';
comment on column period_best.written_at is 'When the score was last written in the period.';
comment on column period_best.version is 'Incremented with every change of the best.';

create view board_keys as
  select app_id, type_key as board_key, player_id, rank_key, version from player_best
  union all
  select app_id, board_key, player_id, rank_key, version from period_best;

comment on view board_keys is 'What rank indexes are loaded from. The board of a type has the key of the type.';

create table seasons (
  app_id uuid not null references apps on delete cascade,
  id uuid not null,
  type_key uuid not null,
  name text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) check (ends_at > starts_at),
  repeat_every text check (repeat_every in ('day', 'week', 'month')),
  repeat_time_zone text,
  series_id uuid not null,
  series_number int not null default 0,
  series_starts_at timestamptz(3) not null,
  series_ends_at timestamptz(3),
  has_next boolean not null default false,
  ended_told_at timestamptz,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (app_id, id),
  check ((repeat_every is null) = (repeat_time_zone is null)),
  check (repeat_every is null or ends_at is not null)
);
create index seasons_list on seasons (app_id, starts_at desc, id desc);
create unique index seasons_series on seasons (app_id, series_id, series_number);
create index seasons_repeating on seasons (app_id, type_key) where repeat_every is not null and not has_next;
create index seasons_to_end on seasons (ends_at) where ended_told_at is null and ends_at is not null;

comment on table seasons is 'Seasons of an app. Their boards are rows of period_boards with the same key.';
comment on column seasons.repeat_every is
  'The season repeats: another one begins a day, week or month later, at the same local time.';
comment on column seasons.series_id is 'The first season of the series. Of a season that does not repeat, its own ID.';
comment on column seasons.series_starts_at is
  'The start of the first season. The others are counted from it, so that the 31st of a month is not lost.';
comment on column seasons.has_next is 'Whether the next season of the series exists. It is made when this one begins.';
comment on column seasons.ended_told_at is 'When season.ended was published.';

-- When clocks in a time zone first show a local time, or pass it where they are put forward. PostgreSQL itself takes the
-- later moment where clocks show a time twice.
create function first_moment(p_local timestamp, p_zone text) returns timestamptz language sql stable as $$
  select min(m) from (select p_local at time zone p_zone) s(later),
    lateral unnest(array[later, later - interval '30 minutes', later - interval '1 hour', later - interval '2 hours']) m
   where m = later or m at time zone p_zone = p_local
$$;

-- Whether open_periods has something to make for a type.
create function are_periods_due(p_app uuid, p_type uuid, p_now timestamptz) returns boolean language sql stable as $$
  select exists (select from board_windows w
                  where w.app_id = p_app and w.type_key = p_type
                    and not exists (select from period_boards b
                                     where b.app_id = p_app and b.type_key = p_type and b.every = w.every
                                       and b.closed_at is null and b.starts_at <= p_now and b.ends_at > p_now))
      or exists (select from seasons s
                  where s.app_id = p_app and s.type_key = p_type and s.repeat_every is not null and not s.has_next
                    and s.starts_at <= p_now)
$$;

-- Makes the boards of the windows that are kept, and the next seasons of series, as far as they are missing at a moment.
create function open_periods(p_app uuid, p_type uuid, p_now timestamptz) returns void language plpgsql volatile as $$
begin
  insert into period_boards (app_id, type_key, every, starts_at, ends_at)
  select w.app_id, w.type_key, w.every, first_moment(l.start, w.time_zone),
         first_moment(l.start + ('1 ' || w.every)::interval, w.time_zone)
    from board_windows w, lateral (select date_trunc(w.every, p_now at time zone w.time_zone)) l(start)
   where w.app_id = p_app and w.type_key = p_type
     and not exists (select from period_boards b
                      where b.app_id = p_app and b.type_key = p_type and b.every = w.every and b.closed_at is null
                        and b.starts_at <= p_now and b.ends_at > p_now)
   order by w.every
  on conflict (app_id, type_key, every, starts_at) where every is not null and closed_at is null do nothing;
  perform open_seasons(p_app, p_type, p_now);
end $$;

-- Makes the seasons of series up to the first that begins after a moment.
create function open_seasons(p_app uuid, p_type uuid, p_now timestamptz) returns void language plpgsql volatile as $$
declare
  s seasons;
  v_start timestamptz(3);
  v_end timestamptz(3);
begin
  for s in select * from seasons x
            where x.app_id = p_app and x.type_key = p_type and x.repeat_every is not null and not x.has_next
              and x.starts_at <= p_now
            order by x.series_id loop
    while s.starts_at <= p_now loop
      update seasons x set has_next = true
       where x.app_id = p_app and x.id = s.id and x.repeat_every is not null and not x.has_next;
      exit when not found;  -- another transaction made it, or ended the series
      s.series_number := s.series_number + 1;
      v_start := season_moment(s.series_starts_at, s.series_number, s.repeat_every, s.repeat_time_zone);
      v_end := case when s.series_ends_at is null
        then season_moment(s.series_starts_at, s.series_number + 1, s.repeat_every, s.repeat_time_zone)
        else season_moment(s.series_ends_at, s.series_number, s.repeat_every, s.repeat_time_zone) end;
      s.id := gen_random_uuid();
      s.starts_at := v_start;
      s.ends_at := v_end;
      s.ended_told_at := null;
      s.created_at := clock_timestamp();
      s.updated_at := s.created_at;
      insert into seasons select s.* on conflict (app_id, series_id, series_number) do nothing;
      exit when not found;
      insert into period_boards (app_id, board_key, type_key, starts_at, ends_at)
      values (s.app_id, s.id, s.type_key, s.starts_at, s.ends_at);
    end loop;
  end loop;
end $$;

-- The moment p_times days, weeks or months after p_from, at the same local time.
create function season_moment(p_from timestamptz, p_times int, p_every text, p_zone text) returns timestamptz
language sql stable as $$
  select first_moment(p_from at time zone p_zone + p_times * ('1 ' || p_every)::interval, p_zone)
$$;

-- Returns the board of the current window, which is made if it is missing. The first request for a window
-- starts keeping it, and so does the first one after the time zone of the type was changed.
create function open_window(p_app uuid, p_type uuid, p_every text) returns setof period_boards
language plpgsql volatile as $$
declare
  v_now timestamptz := clock_timestamp();
  v_zone text := coalesce((select t.time_zone from mini_game_types t where t.app_id = p_app and t.id = p_type), 'UTC');
  v_is_new boolean;
begin
  insert into board_windows as w (app_id, type_key, every, time_zone) values (p_app, p_type, p_every, v_zone)
  on conflict (app_id, type_key, every) do update set time_zone = excluded.time_zone where w.time_zone <> excluded.time_zone;
  v_is_new := found;
  if v_is_new then
    update period_boards b set closed_at = v_now
     where b.app_id = p_app and b.type_key = p_type and b.every = p_every and b.closed_at is null;
  end if;
  perform open_periods(p_app, p_type, v_now);
  if v_is_new then
    update period_boards b set is_ready = false
     where b.app_id = p_app and b.type_key = p_type and b.every = p_every and b.closed_at is null;
  end if;
  return query select * from period_boards b
   where b.app_id = p_app and b.type_key = p_type and b.every = p_every and b.closed_at is null
     and b.starts_at <= v_now and b.ends_at > v_now;
end $$;

-- Puts the scores of some players that were written in the period of a board on it, whatever it had of them.
create function fill_period_board(p_app uuid, p_type uuid, p_board uuid, p_start timestamptz, p_end timestamptz,
  p_players uuid[])
returns void language plpgsql volatile as $$
begin
  perform 1 from player_best b
   where b.app_id = p_app and b.type_key = p_type and b.player_id = any (p_players)
   order by b.player_id for update;
  insert into period_best as b
    (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, version)
  select distinct on (sp.player_id) p_app, p_board, sp.player_id, sp.score,
         case when t.ascending then 0 - sp.score else sp.score end as key, sp.session_id, sp.scored_at, sp.created_at,
         sp.updated_at, 1
    from session_players sp
    left join mini_game_types t on t.app_id = sp.app_id and t.id = sp.type_key
   where sp.app_id = p_app and sp.player_id = any (p_players) and sp.type_key = p_type
     and sp.scored_at is not null and sp.updated_at >= p_start and (p_end is null or sp.updated_at < p_end)
   order by sp.player_id, key desc, sp.scored_at, sp.session_id
  on conflict (app_id, board_key, player_id) do update
    set score = excluded.score, rank_key = excluded.rank_key, session_id = excluded.session_id,
        achieved_at = excluded.achieved_at, joined_at = excluded.joined_at, written_at = excluded.written_at,
        version = b.version + 1
    -- What was recorded in a period that has ended is right, and the scores may have changed since.
    where p_end is null or p_end > clock_timestamp() or b.rank_key is null or excluded.rank_key > b.rank_key;
end $$;
