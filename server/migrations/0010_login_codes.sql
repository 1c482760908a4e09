-- Six-digit login codes, and the limits on guessing them.
--
-- A "space" is the set of codes that a guess is compared with: those of one app, or (app_id null, the nil UUID as a space)
-- the one without an app. Tables of failures have no foreign keys: their rows are removed after a day.
-- Advisory locks: (7210010, 0) for user-backed codes, (7210011, maker and player) for codes of an app, (7210012, space) and
-- (7210013, address) for guesses.

create table codes (
  id uuid primary key,
  digest text not null,
  live boolean not null default true,
  app_id uuid references apps on delete cascade,
  user_id uuid references users on delete cascade,
  session_id uuid,
  player_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  replaced_at timestamptz,
  check (num_nonnulls(app_id, user_id) > 0)
);
-- No two live codes have the same digits, and a maker has one live code for each player.
create unique index codes_live on codes (digest) where live;
create unique index codes_live_maker on codes
  (coalesce(user_id, app_id), coalesce(player_id, '00000000-0000-0000-0000-000000000000')) where live;
create index codes_counted on codes (app_id, expires_at) where live and user_id is not null;
create index codes_running on codes (expires_at) where live and user_id is not null;
create index codes_digest on codes (digest, created_at desc);
create index codes_user on codes (user_id) where user_id is not null;
create index codes_app on codes (app_id) where app_id is not null;
create index codes_ended on codes (expires_at);

comment on table codes is
  'Six-digit login codes. A code that a user made opens a session; one that an app made does not.';
comment on column codes.digest is 'HMAC of the digits, which are not stored.';
comment on column codes.live is
  'False once the code was used or replaced. An expired code stays live until its digits, or the place of its '
  'maker, are needed again.';
comment on column codes.session_id is 'The session it was made in. The code is invalid once that session is revoked.';
comment on column codes.player_id is
  'No foreign key, so that the deletion of players locks nothing here. A code of a deleted player is invalid.';

create table code_failures (
  id bigint generated always as identity primary key,
  space uuid not null,
  address text not null,
  at timestamptz not null
);
create index code_failures_space on code_failures (space, at);
create index code_failures_address on code_failures (address, at);
create index code_failures_at on code_failures (at);

comment on table code_failures is 'Wrong guesses at codes, one row each.';
comment on column code_failures.space is 'The app whose codes were guessed at, or the nil UUID.';

create table code_peaks (
  space uuid not null,
  minute timestamptz not null,
  live integer not null,
  primary key (space, minute)
);
create index code_peaks_minute on code_peaks (minute);

comment on table code_peaks is
  'The highest number of user-backed codes that were live at once in a space, by the minute in which the last of '
  'them was made.';

create table code_lockouts (
  space uuid primary key,
  since timestamptz not null
);

comment on table code_lockouts is
  'Spaces that have used up their budget of wrong guesses. Each lockout is reported once.';

-- Records how many user-backed codes of a space are live now; the nil space counts those of all spaces.
-- The caller holds lock (7210010, 0), so that no code is missed. The moment is selected once, so that codes_running is used.
create function note_live_codes(p_space uuid) returns void language sql volatile as $$
  insert into code_peaks as p (space, minute, live)
    select p_space, date_trunc('minute', clock_timestamp()), count(*)
      from codes c
     where c.live and c.user_id is not null and c.expires_at > (select clock_timestamp())
       and (p_space = '00000000-0000-0000-0000-000000000000' or c.app_id = p_space)
    on conflict (space, minute) do update set live = greatest(p.live, excluded.live)
$$;

-- Makes a code with the first of the given digests that no live code has. It replaces the maker's live code for that player.
-- drawn: the position of that digest, from 1.
--   null: every digest was taken
--   0: no such player (for an app: none of its own)
--   -1: the maker was deleted meanwhile
--   -2: the user has 20 live codes, the most allowed, so that one user cannot use up the budget of all
-- Lock order: app, user, (all user-backed codes, or the maker and player), codes.
create function make_code(
  p_id uuid, p_digests text[], p_app uuid, p_user uuid, p_session uuid, p_player uuid, p_seconds integer, p_address text,
  out drawn integer, out ends timestamptz)
language plpgsql volatile as $$
declare
  moment timestamptz;
begin
  if p_app is not null then
    perform 1 from apps a where a.id = p_app for key share;
    if not found then drawn := -1; return; end if;
  end if;
  if p_user is not null then
    perform 1 from users u where u.id = p_user for key share;
    if not found then drawn := -1; return; end if;
  end if;
  if p_player is not null then
    perform 1 from players p where p.id = p_player and (p_user is not null or p.app_id = p_app);
    if not found then drawn := 0; return; end if;
  end if;

  if p_user is not null then
    perform pg_advisory_xact_lock(7210010, 0);
  else
    perform pg_advisory_xact_lock(7210011, hashtext(p_app::text || p_player::text));
  end if;
  moment := clock_timestamp();
  ends := moment + make_interval(secs => p_seconds);

  update codes c set live = false, replaced_at = case when c.expires_at > moment then moment end
   where c.live and coalesce(c.user_id, c.app_id) = coalesce(p_user, p_app)
     and coalesce(c.player_id, '00000000-0000-0000-0000-000000000000') = coalesce(p_player, '00000000-0000-0000-0000-000000000000');

  if p_user is not null
     and (select count(*) from codes c where c.user_id = p_user and c.live and c.expires_at > moment) >= 20 then
    drawn := -2;
    return;
  end if;

  for place in 1 .. cardinality(p_digests) loop
    update codes c set live = false where c.digest = p_digests[place] and c.live and c.expires_at <= moment;
    insert into codes (id, digest, app_id, user_id, session_id, player_id, created_at, expires_at)
      values (p_id, p_digests[place], p_app, p_user, p_session, p_player, moment, ends)
      on conflict (digest) where live do nothing;
    if found then drawn := place; exit; end if;
  end loop;

  if drawn is not null and p_user is not null then
    perform note_live_codes('00000000-0000-0000-0000-000000000000');
    if p_app is not null then perform note_live_codes(p_app); end if;
    insert into audit_log (actor, action, subject, address) values (p_user::text, 'code.made', p_id::text, p_address);
  end if;
end $$;

-- How many wrong guesses a space had in the last 24 hours, and how many it allows: risk × 10^6 ÷ n, where n is the highest
-- number of user-backed codes that were live at once in that time, at least 20. A code lives 15 minutes at most, so peaks
-- are counted from 16 minutes earlier: n may be too high, never too low.
-- wait: seconds until enough failures are older than 24 hours; null while guesses are left.
create function code_budget(p_space uuid, p_risk numeric, out failures integer, out budget integer, out wait integer)
language plpgsql volatile as $$
declare
  moment timestamptz := clock_timestamp();
begin
  select floor(p_risk * 1000000 / greatest(20, max(p.live))) into budget
    from code_peaks p where p.space = p_space and p.minute > moment - interval '24 hours 16 minutes';
  select count(*) into failures
    from code_failures f where f.space = p_space and f.at > moment - interval '24 hours';
  if failures < budget then return; end if;
  wait := 3600;
  if budget > 0 then
    select greatest(1, ceil(extract(epoch from f.at + interval '24 hours' - moment))) into wait
      from code_failures f where f.space = p_space
     order by f.at desc offset budget - 1 limit 1;
  end if;
end $$;

-- Seconds until the oldest of the last 5 failures of an address is 10 minutes old; null while guesses are left.
create function address_wait(p_address text) returns integer language sql volatile as $$
  select greatest(1, ceil(extract(epoch from f.at + interval '10 minutes' - clock_timestamp())))::integer
    from code_failures f where f.address = p_address and f.at > clock_timestamp() - interval '10 minutes'
   order by f.at desc offset 4 limit 1
$$;

-- Decides one guess, and records what it costs before the caller learns anything. Guesses of a space and of an address take
-- turns, so that guesses sent together cannot exceed a budget.
-- outcome: VALID, INVALID, EXPIRED; or ADDRESS or SPACE if that budget is used up (wait: seconds), without a look-up.
-- alarm: this guess locked the space. A user-backed code opens the limited session p_session until session_ends.
-- Lock order: space, address, user, code.
create function exchange_code(
  p_digest text, p_app uuid, p_address text, p_risk numeric, p_session uuid, p_client text,
  out outcome text, out wait integer, out alarm boolean, out failures integer, out budget integer,
  out owner uuid, out ends timestamptz, out opened timestamptz, out session_ends timestamptz)
language plpgsql volatile as $$
declare
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  here constant uuid := coalesce(p_app, nil);
  moment timestamptz;
  found_user uuid;
begin
  alarm := false;
  -- A guess that is refused anyway is refused without waiting for a lock.
  wait := address_wait(p_address);
  if wait is not null then outcome := 'ADDRESS'; return; end if;
  if exists (select from code_lockouts l where l.space = here) then
    select b.failures, b.budget, b.wait into failures, budget, wait from code_budget(here, p_risk) b;
    if wait is not null then outcome := 'SPACE'; return; end if;
  end if;

  perform pg_advisory_xact_lock(7210012, hashtext(here::text));
  perform pg_advisory_xact_lock(7210013, hashtext(p_address));
  select b.failures, b.budget, b.wait into failures, budget, wait from code_budget(here, p_risk) b;
  if wait is not null then
    outcome := 'SPACE';
    alarm := lock_code_space(here);
    return;
  end if;
  delete from code_lockouts l where l.space = here;

  wait := address_wait(p_address);
  if wait is not null then outcome := 'ADDRESS'; return; end if;

  -- The erasure of a user locks the user before the codes: the same order here.
  select c.user_id into found_user from codes c where c.digest = p_digest and c.live;
  if found_user is not null then perform 1 from users u where u.id = found_user for key share; end if;

  moment := clock_timestamp();
  update codes c set live = false, used_at = moment
   where c.digest = p_digest and c.live and c.expires_at > moment and (p_app is null or c.app_id = p_app)
     and (c.player_id is null or exists (select from players p where p.id = c.player_id))
     and (c.session_id is null or exists (select from user_sessions s where s.id = c.session_id and s.revoked_at is null))
  returning c.user_id, c.expires_at into owner, ends;
  if found then
    outcome := 'VALID';
    if owner is not null then
      opened := date_trunc('second', moment);
      session_ends := opened + interval '12 hours';
      insert into user_sessions (id, user_id, limited, created_at, expires_at)
        values (p_session, owner, true, opened, session_ends);
      insert into audit_log (actor, action, subject, address) values (owner::text, 'code.exchanged', p_session::text, p_client);
    end if;
    return;
  end if;

  select case when c.used_at is null and c.replaced_at is null and c.expires_at <= moment then 'EXPIRED' end into outcome
    from codes c
   where c.digest = p_digest and (p_app is null or c.app_id = p_app) and c.expires_at > moment - interval '24 hours'
   order by c.created_at desc limit 1;
  outcome := coalesce(outcome, 'INVALID');
  insert into code_failures (space, address, at) values (here, p_address, moment);
  failures := failures + 1;
  if failures >= budget then alarm := lock_code_space(here); end if;
end $$;

-- Records that a space is locked. Returns whether it was not before.
create function lock_code_space(p_space uuid) returns boolean language plpgsql volatile as $$
begin
  insert into code_lockouts (space, since) values (p_space, clock_timestamp()) on conflict do nothing;
  if not found then return false; end if;
  insert into audit_log (actor, action, subject)
    values ('cairn', 'codes.locked', case when p_space = '00000000-0000-0000-0000-000000000000' then 'keyless' else p_space::text end);
  return true;
end $$;
