-- What positions have shown at fences, for the event streams of apps.

alter table fence_settings add column streamed_at timestamptz;

comment on column fence_settings.streamed_at is
  'When the app last had an event stream of its fences open, to the minute. Without one, events are not stored.';

create table fence_events (
  id bigint generated always as identity primary key,
  transaction xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  app_id uuid not null,
  player_id uuid not null,
  event jsonb not null,
  foreign key (app_id, player_id) references players on delete cascade
);
create index fence_events_transaction on fence_events (app_id, transaction);
create index fence_events_player on fence_events (app_id, player_id);

comment on table fence_events is
  'Events at fences of apps that stream them. Kept for ten minutes, for clients that reconnect. Not part of a backup.';
comment on column fence_events.transaction is
  'Readers find new rows by this, not by id: a transaction may commit after one that drew a later id.';
comment on column fence_events.event is 'Type and data, as webhooks get them.';

-- As in 0043_fences.sql, and stores the events of apps that stream them.
create or replace function save_positions(p_app uuid[], p_player uuid[], p_version bigint[], p_fix jsonb[],
  p_plausible jsonb[], p_stays jsonb[], p_events jsonb[])
returns setof int language plpgsql volatile as $$
declare
  v_done int[];
  v_streamed uuid[] := '{}';
begin
  if exists (select from unnest(p_events) e where e <> '[]') then
    v_streamed := array(
      select s.app_id from fence_settings s
       where s.app_id in (select i.app from unnest(p_app, p_events) i(app, events) where i.events <> '[]')
         and s.streamed_at > clock_timestamp() - interval '12 minutes');
  end if;
  if v_streamed <> '{}' then
    -- players before their positions, as their deletion locks them
    perform 1 from players p
      where (p.app_id, p.id) in (
        select i.app, i.player from unnest(p_app, p_player, p_events) i(app, player, events)
         where i.events <> '[]' and i.app = any(v_streamed))
      order by p.app_id, p.id for key share;
  end if;
  -- in one order, so that two groups do not wait for each other
  perform 1 from player_positions y
    where (y.app_id, y.player_id) in (select i.app, i.player from unnest(p_app, p_player) i(app, player))
    order by y.app_id, y.player_id for update;
  with i as (
    select * from unnest(p_app, p_player, p_version, p_fix, p_plausible, p_stays)
      with ordinality i(app, player, version, fix, plausible, stays, n)),
  changed as (
    update player_positions y
       set version = y.version + 1, fix = i.fix, plausible = i.plausible, stays = i.stays, seen_at = clock_timestamp()
      from i where i.version > 0 and y.app_id = i.app and y.player_id = i.player and y.version = i.version
    returning i.n),
  made as (
    insert into player_positions (app_id, player_id, version, fix, plausible, stays)
    select i.app, i.player, 1, i.fix, i.plausible, i.stays from i join players p on p.app_id = i.app and p.id = i.player
     where i.version = 0 order by 1, 2
    on conflict do nothing returning app_id, player_id)
  select array_agg(n::int) into v_done from (
    select n from changed union all
    select i.n from i join made m on m.app_id = i.app and m.player_id = i.player) d;
  perform publish_event(p_app[d], null, e ->> 'type', p_player[d]::text, e -> 'data',
            (select p.user_id from players p where p.app_id = p_app[d] and p.id = p_player[d]))
     from unnest(v_done) d, jsonb_array_elements(p_events[d]) with ordinality x(e, place)
    order by d, place;
  if v_streamed <> '{}' then
    insert into fence_events (app_id, player_id, event)
    select p_app[d], p_player[d], e
      from unnest(v_done) d, jsonb_array_elements(p_events[d]) with ordinality x(e, place)
     where p_app[d] = any(v_streamed)
     order by d, place;
    insert into changes (topic, subjects) values ('fence_events', v_streamed::text[]);
  end if;
  return query select unnest(v_done);
end $$;
