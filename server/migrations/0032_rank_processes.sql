-- Ranks that several processes keep in Redis: which boards there count, and who writes to them. All of it can be lost at
-- any time, and is when PostgreSQL crashes or another server takes its place: then no board there counts any more.

-- A board in Redis counts while it names this. A new one unloads all boards at once, for every process.
create unlogged table rank_generation (
  only_one boolean primary key default true check (only_one),
  generation uuid not null
);

-- The processes that write scores. One that ends in order takes its row away; one whose beat or connection is gone may
-- have committed a score and not told Redis.
create unlogged table rank_processes (
  id uuid primary key,
  beat_at timestamptz not null default clock_timestamp(),
  -- It commits scores and does not tell Redis: nobody may load a board meanwhile.
  is_out boolean not null default false
) with (fillfactor = 50);

create function new_rank_generation() returns uuid language sql volatile as $$
  insert into rank_generation (generation) values (gen_random_uuid())
    on conflict (only_one) do update set generation = excluded.generation
    returning generation
$$;

-- A process says that it is there, and learns what counts. It removes who is not: whoever missed beats while this one had
-- its own (so that nobody is taken for dead because the database itself stood still), and whoever has no connection.
-- A first process alone makes a new generation: it cannot know what was written while nobody kept ranks.
create function rank_beat(p_id uuid, p_is_out boolean, p_renew boolean, out generation uuid, out others int)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_before timestamptz;
  v_gone int;
begin
  select p.beat_at into v_before from rank_processes p where p.id = p_id;
  insert into rank_processes as p (id, is_out) values (p_id, p_is_out)
    on conflict (id) do update set beat_at = clock_timestamp(), is_out = excluded.is_out;
  delete from rank_processes p
   where p.id <> p_id
     and (p.beat_at < v_before - interval '5 seconds'
       or (p.beat_at < clock_timestamp() - interval '1 second'
         and not exists (select from pg_stat_activity a
                          where a.datname = current_database() and a.application_name = 'cairn-ranks ' || p.id)));
  get diagnostics v_gone = row_count;
  select count(*) into others from rank_processes p where p.id <> p_id;
  select g.generation into generation from rank_generation g;
  if p_renew or v_gone > 0 or generation is null or (v_before is null and others = 0) then
    generation := new_rank_generation();
  end if;
end $$;
