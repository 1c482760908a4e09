-- one by one: users and codes may be many, and are written to meanwhile
-- What grew with the number of rows where it need not.

-- Looking for a part of a name or an address read every user. Trigrams find those that may have it. concat_ws is not
-- immutable for all that it takes; for texts it is.
create extension if not exists pg_trgm;
create or replace function user_text(username text, email text, first_name text, last_name text) returns text
language sql immutable parallel safe
return concat_ws(chr(10), username, email, concat_ws(' ', first_name, last_name));
drop index concurrently if exists users_text;
create index concurrently users_text on users using gin (user_text(username, email, first_name, last_name) gin_trgm_ops);

-- Making a code counts those that run. Codes that nobody used stay live until their day is over, and all were gone through:
-- clock_timestamp() changes within a statement, so no index was asked with it. What is selected once is.
drop index concurrently if exists codes_running;
create index concurrently codes_running on codes (expires_at) where live and user_id is not null;
create or replace function note_live_codes(p_space uuid) returns void language sql volatile as $$
  insert into code_peaks as p (space, minute, live)
    select p_space, date_trunc('minute', clock_timestamp()), count(*)
      from codes c
     where c.live and c.user_id is not null and c.expires_at > (select clock_timestamp())
       and (p_space = '00000000-0000-0000-0000-000000000000' or c.app_id = p_space)
    on conflict (space, minute) do update set live = greatest(p.live, excluded.live)
$$;
