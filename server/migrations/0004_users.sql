-- Users: one for each identity that an identity provider vouches for.

create table users (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  email text,
  first_name text,
  last_name text,
  phone_number text,
  username text,
  username_key text unique,
  image_url text,
  claimed_roles text[] not null default '{}',
  claims_end timestamptz not null default now() + interval '90 days',
  granted_roles text[] not null default '{}',
  admin_email text unique,
  created_at timestamptz not null default now(),
  unique (issuer, subject)
);

comment on table users is 'People who have signed in, identified by issuer and subject.';
comment on column users.username_key is 'The case-folded username, which is unique.';
comment on column users.claimed_roles is
  'Roles that the identity provider claimed at the last sign-in. They count beside granted_roles until claims_end.';
comment on column users.claims_end is
  'When claimed_roles expire: as long after the sign-in as a session may last. The provider is asked again at the '
  'next sign-in.';
comment on column users.granted_roles is 'Roles that an administrator granted here.';
comment on column users.admin_email is
  'The address from CAIRN_ADMIN_EMAILS that this user was the first to prove. It makes the user an administrator.';

create index users_list on users (created_at, id);
create index users_admins on users (id)
  where 'admin' = any (claimed_roles) or 'admin' = any (granted_roles) or admin_email is not null;

-- Search by the beginning of any of the first words of the username, the email address and its domain, and the name.
create index users_username_1 on users (from_word(lower(username), 1) collate "C")
  where from_word(lower(username), 1) is not null;
create index users_username_2 on users (from_word(lower(username), 2) collate "C")
  where from_word(lower(username), 2) is not null;
create index users_email on users (from_word(lower(email), 1) collate "C")
  where from_word(lower(email), 1) is not null;
create index users_domain on users (from_word(lower(split_part(email, '@', 2)), 1) collate "C")
  where from_word(lower(split_part(email, '@', 2)), 1) is not null;
create index users_name_1 on users (from_word(lower(full_name(first_name, last_name)), 1) collate "C")
  where from_word(lower(full_name(first_name, last_name)), 1) is not null;
create index users_name_2 on users (from_word(lower(full_name(first_name, last_name)), 2) collate "C")
  where from_word(lower(full_name(first_name, last_name)), 2) is not null;
create index users_last_name on users (from_word(lower(last_name), 1) collate "C")
  where from_word(lower(last_name), 1) is not null;

-- Every text that a search for a user looks through. Declared immutable, which concat_ws is for text.
create function user_text(username text, email text, first_name text, last_name text) returns text
language sql immutable parallel safe
return concat_ws(chr(10), username, email, concat_ws(' ', first_name, last_name));

-- Whether a user is an administrator or an operator now.
create function user_runs_the_box(wanted uuid) returns boolean language sql stable
return exists (select from users u
                where u.id = wanted and (u.granted_roles && array['admin', 'ops'] or u.admin_email is not null
                   or (u.claims_end > now() and u.claimed_roles && array['admin', 'ops'])));

select count_rows('users');
