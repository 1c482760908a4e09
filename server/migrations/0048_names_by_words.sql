-- one by one: players, users and game sessions may be many, and are written to meanwhile
-- Trigrams found any part of a name by going through long lists of parts that all names have: ten times the names, ten times the
-- work. Words by their beginnings are found in an ordered list, as many names as there may be.

-- A name from its nth word on; null where it has fewer words. Words are parted by spaces, controls and the punctuation of ASCII,
-- Latin-1, Unicode's general block and CJK (not 々, 〆 and 〇, which are written in names); a name without any word is one word. Greek's two small
-- sigmas are one letter, for the beginning of a word may end within it.
-- Of each the first 255 characters, as many as a search has: an entry of an index has 2,700 bytes.
create or replace function from_word(name text, nth integer) returns text
language sql immutable parallel safe
return left(coalesce(
  substring(translate(name, 'ς', 'σ') from
    '^[\u0001-/:-@[-`{-\u00a1\u00ab\u00b7\u00bb\u00bf\u2000-\u206f\u3000-\u3003\u3008-\u301f\u30fb]*(?:[^\u0001-/:-@[-`{-\u00a1\u00ab\u00b7\u00bb\u00bf\u2000-\u206f\u3000-\u3003\u3008-\u301f\u30fb]+[\u0001-/:-@[-`{-\u00a1\u00ab\u00b7\u00bb\u00bf\u2000-\u206f\u3000-\u3003\u3008-\u301f\u30fb]+){'
    || (nth - 1)::text || '}([^\u0001-/:-@[-`{-\u00a1\u00ab\u00b7\u00bb\u00bf\u2000-\u206f\u3000-\u3003\u3008-\u301f\u30fb].*)$'),
  case when nth = 1 then translate(name, 'ς', 'σ') end), 255);
create or replace function full_name(first_name text, last_name text) returns text
language sql immutable parallel safe return nullif(concat_ws(' ', first_name, last_name), '');

drop index concurrently if exists players_word_1;
create index concurrently players_word_1 on players (app_id, from_word(name_key, 1) collate "C");
drop index concurrently if exists players_word_2;
create index concurrently players_word_2 on players (app_id, from_word(name_key, 2) collate "C")
  where from_word(name_key, 2) is not null;
drop index concurrently if exists players_word_3;
create index concurrently players_word_3 on players (app_id, from_word(name_key, 3) collate "C")
  where from_word(name_key, 3) is not null;

-- Of sessions and files that are called the same, the newest first.
drop index concurrently if exists game_sessions_word_1;
create index concurrently game_sessions_word_1 on game_sessions (app_id, from_word(lower(name), 1) collate "C", created_at desc, id desc)
  where from_word(lower(name), 1) is not null;
drop index concurrently if exists game_sessions_word_2;
create index concurrently game_sessions_word_2 on game_sessions (app_id, from_word(lower(name), 2) collate "C", created_at desc, id desc)
  where from_word(lower(name), 2) is not null;
drop index concurrently if exists game_sessions_word_3;
create index concurrently game_sessions_word_3 on game_sessions (app_id, from_word(lower(name), 3) collate "C", created_at desc, id desc)
  where from_word(lower(name), 3) is not null;
drop index concurrently if exists files_word_1;
create index concurrently files_word_1 on files (from_word(lower(file_name), 1) collate "C", created_at desc, id desc)
  where from_word(lower(file_name), 1) is not null;
drop index concurrently if exists files_word_2;
create index concurrently files_word_2 on files (from_word(lower(file_name), 2) collate "C", created_at desc, id desc)
  where from_word(lower(file_name), 2) is not null;
drop index concurrently if exists files_word_3;
create index concurrently files_word_3 on files (from_word(lower(file_name), 3) collate "C", created_at desc, id desc)
  where from_word(lower(file_name), 3) is not null;

drop index concurrently if exists users_username_1;
create index concurrently users_username_1 on users (from_word(lower(username), 1) collate "C")
  where from_word(lower(username), 1) is not null;
drop index concurrently if exists users_username_2;
create index concurrently users_username_2 on users (from_word(lower(username), 2) collate "C")
  where from_word(lower(username), 2) is not null;
drop index concurrently if exists users_email;
create index concurrently users_email on users (from_word(lower(email), 1) collate "C")
  where from_word(lower(email), 1) is not null;
drop index concurrently if exists users_domain;
create index concurrently users_domain on users (from_word(lower(split_part(email, '@', 2)), 1) collate "C")
  where from_word(lower(split_part(email, '@', 2)), 1) is not null;
drop index concurrently if exists users_name_1;
create index concurrently users_name_1 on users (from_word(lower(full_name(first_name, last_name)), 1) collate "C")
  where from_word(lower(full_name(first_name, last_name)), 1) is not null;
drop index concurrently if exists users_name_2;
create index concurrently users_name_2 on users (from_word(lower(full_name(first_name, last_name)), 2) collate "C")
  where from_word(lower(full_name(first_name, last_name)), 2) is not null;
drop index concurrently if exists users_last_name;
create index concurrently users_last_name on users (from_word(lower(last_name), 1) collate "C")
  where from_word(lower(last_name), 1) is not null;

-- Lists by a status that few have, and deliveries of one subject, went through all of the list.
drop index concurrently if exists game_sessions_open;
create index concurrently game_sessions_open on game_sessions (app_id, created_at desc, id desc) where status in ('active', 'paused');
drop index concurrently if exists game_sessions_paused;
create index concurrently game_sessions_paused on game_sessions (app_id, created_at desc, id desc) where status = 'paused';
drop index concurrently if exists game_sessions_completed;
create index concurrently game_sessions_completed on game_sessions (app_id, created_at desc, id desc) where status = 'completed';
drop index concurrently if exists webhook_deliveries_failed;
create index concurrently webhook_deliveries_failed on webhook_deliveries (endpoint_id, id) where status = 'FAILED';
drop index concurrently if exists webhook_deliveries_of_subject;
create index concurrently webhook_deliveries_of_subject on webhook_deliveries (endpoint_id, subject, id);

-- Processes of the release before look through all names meanwhile: what they find is the same.
drop index concurrently if exists players_name_parts;
drop index concurrently if exists game_sessions_name_parts;
drop index concurrently if exists users_text;
