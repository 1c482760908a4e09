-- Files, and what came of converting them. The bytes are objects; a file row is what is known of one.

create table files (
  -- 52 random bits: file ids are addresses and must not be enumerable.
  id bigint primary key check (id > 0),
  key text not null unique,
  -- As the sender called it, for display only.
  file_name text not null,
  -- Found in the bytes, never what the sender said.
  mime_type text not null,
  size bigint not null check (size >= 0),
  sha256 text not null check (length(sha256) = 64),
  user_id uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
create index files_sha256 on files (sha256, created_at);
create index files_user on files (user_id, created_at) where user_id is not null;

-- One row a content: the same bytes are converted once, whoever sends them and however often.
create table conversions (
  sha256 text primary key check (length(sha256) = 64),
  status text not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  -- Runs begun: a model that ends the whole process must not be tried for ever.
  attempts integer not null default 0,
  result_id bigint references files,
  error_code text,
  error text,
  report jsonb,
  seconds double precision,
  created_at timestamptz not null default clock_timestamp(),
  touched_at timestamptz not null default clock_timestamp(),
  check ((status = 'COMPLETED') = (result_id is not null and seconds is not null)),
  check ((status = 'FAILED') = (error is not null))
);
create index conversions_result on conversions (result_id) where result_id is not null;
