-- The payload of an event is kept once, whatever the number of webhooks that it goes to: a delivery refers to it by the
-- event's id. Deliveries from before keep the payload that they have. A process of the release before sends and settles as
-- ever; until it ends, it shows no payload for the deliveries that are new.

-- Transactions that publish must not wait for each other: there are no foreign keys, and nothing here is ever updated.
create table webhook_events (
  id uuid primary key,
  subject text not null,
  -- Where it goes. With the subject, an index of the deliveries finds those that are left.
  endpoints uuid[] not null,
  data jsonb not null
);

alter table webhook_deliveries alter column data drop not null;
-- Of the payload as the database holds it in memory: what one more delivery adds to a backlog.
alter table webhook_deliveries add column bytes int not null default 0;

-- As in 0023, but the payload is kept once.
create or replace function publish_event(p_app uuid, p_owner uuid, p_type text, p_subject text, p_data jsonb, p_about uuid)
returns void language plpgsql volatile as $$
declare
  v_id uuid;
  v_endpoints uuid[];
  v_apps uuid[];
begin
  select array_agg(e.id order by e.id), array_agg(e.app_id order by e.id) into v_endpoints, v_apps
    from webhook_endpoints e
   where e.app_id = any (array(select p_app union select a.id from apps a where a.owner_id = p_owner and a.deleted_at is null))
     and e.enabled and p_type = any (e.event_types);
  if v_endpoints is null then return; end if;
  v_id := new_event_id();
  insert into webhook_events (id, subject, endpoints, data) values (v_id, p_subject, v_endpoints, p_data);
  insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, user_id, bytes)
  select t.app_id, t.endpoint_id, v_id, p_type, p_subject, p_about, pg_column_size(p_data)
    from unnest(v_apps, v_endpoints) t(app_id, endpoint_id);
end $$;

-- Tells of scores as they are now, as publish_score of 0029 does, but of many at once: two statements write them all, so that
-- the counting of rows notes them once an endpoint. No player of an app may be named twice.
create function publish_scores(p_app uuid[], p_session uuid[], p_player uuid[]) returns void language plpgsql volatile as $$
begin
  with told as materialized (
    select e.app_id, array_agg(e.id order by e.id) as endpoints from webhook_endpoints e
     where e.app_id = any (p_app) and e.enabled and 'score.updated' = any (e.event_types) group by e.app_id),
  events as materialized (
    select new_event_id() as id, sp.app_id, t.endpoints, p.id::text as subject, u.id as about,
           jsonb_build_object('gameSessionId', sp.session_id, 'score', sp.score, 'createdAt', api_moment(sp.created_at),
             'updatedAt', api_moment(sp.updated_at), 'playerId', p.id, 'displayName', p.display_name, 'imageUrl', p.image_url,
             'user', case when u.id is not null then jsonb_build_object('id', u.id, 'username', u.username) end) as data
      from unnest(p_app, p_session, p_player) i(app, session, player)
      join told t on t.app_id = i.app
      join session_players sp on sp.app_id = i.app and sp.session_id = i.session and sp.player_id = i.player
      join players p on p.app_id = i.app and p.id = i.player
      left join users u on u.id = p.user_id),
  kept as (insert into webhook_events (id, subject, endpoints, data) select id, subject, endpoints, data from events)
  insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, user_id, bytes)
  select e.app_id, t.endpoint, e.id, 'score.updated', e.subject, e.about, pg_column_size(e.data)
    from events e, unnest(e.endpoints) t(endpoint) order by t.endpoint, e.subject;
end $$;

-- As in 0029, but scores of a group are told of together.
create or replace function save_scores_group(p_app uuid[], p_session uuid[], p_player uuid[], p_score float8[])
returns table (n int, outcome text, type_key uuid, old_best float8, new_best float8, version bigint, xid text,
  created_at timestamptz, updated_at timestamptz)
language plpgsql volatile rows 32 as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_xid text;
  v_wave int[];
  v_waves int;
  v_done int[];
  w int;
  v_told uuid[];
begin
  perform lock_for_scores(p_app, p_session, p_player);
  v_now := clock_timestamp();  -- after the locks: later than every committed best
  v_xid := pg_current_xact_id()::text;
  v_told := array(select e.app_id from webhook_endpoints e
                   where e.app_id = any (p_app) and e.enabled and 'score.updated' = any (e.event_types));
  select array_agg(q.k order by q.i), max(q.k) into v_wave, v_waves
    from (select i.i, row_number() over (partition by i.app, i.player order by i.i) as k
            from unnest(p_app, p_player) with ordinality i(app, player, i)) q;

  for w in 1..coalesce(v_waves, 0) loop
    with d as (
      update session_players sp
         set score = i.score + 0.0,
             scored_at = case when sp.scored_at is not null and sp.score = i.score then sp.scored_at else v_now end,
             updated_at = v_now
        from unnest(p_app, p_session, p_player, p_score, v_wave) with ordinality i(app, session, player, score, wave, i)
        join game_sessions g on g.app_id = i.app and g.id = i.session
        left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
       where i.wave = w and sp.app_id = i.app and sp.session_id = i.session and sp.player_id = i.player
         and (g.status = 'active' or g.open_until > v_now)
         and i.score >= coalesce(t.min_score, '-Infinity') and i.score <= coalesce(t.max_score, 'Infinity')
      returning i.i::int)
    select coalesce(array_agg(d.i), '{}') into v_done from d;
    if v_told <> '{}' then
      perform publish_scores(array_agg(p_app[i]), array_agg(p_session[i]), array_agg(p_player[i]))
         from unnest(v_done) i where p_app[i] = any (v_told);
    end if;

    return query
    with o as (
      select i.i::int as i, b.app_id, b.type_key, b.player_id, b.rank_key as old_key, b.version as old_version,
             me.created_at, me.updated_at, x.score, x.rank_key, x.session_id, x.scored_at, (x.take is not null) as take
        from unnest(p_app, p_session, p_player, v_wave) with ordinality i(app, session, player, wave, i)
        join session_players me on me.app_id = i.app and me.session_id = i.session and me.player_id = i.player
        join player_best b on b.app_id = i.app and b.type_key = me.type_key and b.player_id = i.player
        left join mini_game_types t on t.app_id = i.app and t.id = me.type_key
        cross join lateral (select case when t.ascending then 0 - me.score else me.score end as key) k
        left join lateral (
          -- a raise
          select me.score, k.key as rank_key, me.session_id, me.scored_at, true as take
           where b.rank_key is null or k.key > b.rank_key
              or (k.key = b.rank_key and b.session_id <> me.session_id
                  and (me.scored_at, me.session_id) < (b.achieved_at, b.session_id))
          union all
          -- a fall of the best itself
          (select sp.score, case when t.ascending then 0 - sp.score else sp.score end, sp.session_id, sp.scored_at, true
             from session_players sp
            where b.session_id = me.session_id and k.key < b.rank_key
              and sp.app_id = i.app and sp.player_id = i.player and sp.type_key = me.type_key and sp.scored_at is not null
            order by 2 desc, sp.scored_at, sp.session_id
            limit 1)) x on true
       where i.wave = w and i.i = any (v_done)),
    u as (
      update player_best b
         set score = o.score, rank_key = o.rank_key, session_id = o.session_id, achieved_at = o.scored_at,
             version = b.version + 1
        from o
       where o.take and b.app_id = o.app_id and b.type_key = o.type_key and b.player_id = o.player_id
      returning o.i, b.version)
    select i.i::int,
           case when o.i is not null then 'ok'
                when g.id is null then 'no_session'
                when not (g.status = 'active' or coalesce(g.open_until > v_now, false)) then 'not_running'
                when i.score < t.min_score or i.score > t.max_score then 'out_of_bounds'
                else 'not_registered' end,
           g.type_key, o.old_key, case when o.take then o.rank_key else o.old_key end,
           coalesce(u.version, o.old_version), v_xid, o.created_at, o.updated_at
      from unnest(p_app, p_session, p_score, v_wave) with ordinality i(app, session, score, wave, i)
      left join o on o.i = i.i
      left join u on u.i = i.i
      left join game_sessions g on g.app_id = i.app and g.id = i.session
      left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key
     where i.wave = w;
  end loop;
end $$;

-- As in 0027, but the payload is the event's.
create or replace function claim_deliveries(p_room int, p_endpoints uuid[], p_rooms int[], p_seconds float8)
returns table (seq bigint, app_id uuid, endpoint_id uuid, id uuid, type text, created_at timestamptz, data text, failures int,
  url text, secret text, old_secret text)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_endpoint uuid := '00000000-0000-0000-0000-000000000000';
  v_room int;
  v_due bigint[];
  v_taken int;
  e record;
begin
  loop
    select d.endpoint_id into v_endpoint from webhook_deliveries d
     where d.status = 'PENDING' and d.endpoint_id > v_endpoint order by d.endpoint_id limit 1;
    exit when not found;
    v_room := coalesce((select k.room from unnest(p_endpoints, p_rooms) k(endpoint, room) where k.endpoint = v_endpoint), p_room);
    continue when v_room <= 0;
    select w.url, w.secret, case when w.old_secret_until > v_now then w.old_secret end as old_secret into e
      from webhook_endpoints w join apps a on a.id = w.app_id and a.deleted_at is null
     where w.id = v_endpoint and w.enabled and coalesce(w.paused_until <= v_now, true);
    continue when not found;

    -- Those that turn out to be behind others are put aside, so that they do not hide what can be sent.
    for i in 1..10 loop
      v_due := array(
        select d.seq from webhook_deliveries d
         where d.endpoint_id = v_endpoint and d.status = 'PENDING' and d.due_at <= v_now
         order by d.due_at, d.seq limit 500
           for update skip locked);
      exit when cardinality(v_due) = 0;
      return query
      with looked_at as materialized (
        select d.seq, not exists (
                 select from webhook_deliveries p
                  where p.endpoint_id = v_endpoint and p.subject = d.subject and p.status = 'PENDING' and p.seq < d.seq) as first
          from webhook_deliveries d where d.seq = any (v_due)),
      behind as (
        -- The one that goes first wakes it. An hour is for what nobody thought of.
        update webhook_deliveries d set hold = 'BEHIND', due_at = v_now + interval '1 hour'
          from looked_at l where not l.first and d.seq = l.seq)
      update webhook_deliveries d
         set hold = 'SENDING', due_at = v_now + make_interval(secs => p_seconds), tried_since = coalesce(d.tried_since, v_now)
        from (select l.seq from looked_at l where l.first order by l.seq limit v_room) l
       where d.seq = l.seq
      returning d.seq, d.app_id, d.endpoint_id, d.id, d.type, d.created_at,
                coalesce(d.data, (select w.data from webhook_events w where w.id = d.id))::text, d.failures, e.url, e.secret, e.old_secret;
      get diagnostics v_taken = row_count;
      v_room := v_room - v_taken;
      exit when v_room <= 0;
    end loop;
  end loop;
end $$;

-- As in 0043, and an event goes with the last of its deliveries. Of two who take its last ones at the same time the second
-- waits for the first, and then sees what the first took.
create or replace function note_rows_of_endpoints() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into row_count_changes select tg_table_name, endpoint_id::text, count(*) from added group by endpoint_id;
  else
    insert into row_count_changes select tg_table_name, endpoint_id::text, -count(*) from removed group by endpoint_id;
    perform from webhook_events e where e.id in (select id from removed) order by e.id for update;
    delete from webhook_events e using (select distinct id from removed) r
     where e.id = r.id and not exists (
       select from webhook_deliveries d where d.endpoint_id = any (e.endpoints) and d.subject = e.subject and d.id = e.id);
  end if;
  return null;
end $$;
