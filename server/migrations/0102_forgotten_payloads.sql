-- needs 0025_webhook_deliveries.sql: it replaces the function that deletes the deliveries of a user
-- The erasure of a user clears what season.ended says about them.

-- Deletes the deliveries with records of a user, and clears the user's ID and metadata in boards of ended seasons, whose other
-- players' entries stay.
create or replace function forget_deliveries(p_user uuid) returns void language plpgsql volatile as $$
declare
  v_endpoints uuid[];
  v_subjects text[];
begin
  with gone as (delete from webhook_deliveries d where d.user_id = p_user returning d.endpoint_id, d.subject)
  select array_agg(g.endpoint_id), array_agg(g.subject) into v_endpoints, v_subjects from gone g;
  if v_endpoints is not null then perform wake_deliveries(v_endpoints, v_subjects); end if;

  update webhook_events e
     set data = jsonb_set(e.data, '{leaderboard}', (
           select jsonb_agg(case when entry ->> 'userId' = p_user::text then (entry - 'metadata') || '{"userId": null}'
                                 else entry end order by place)
             from jsonb_array_elements(e.data -> 'leaderboard') with ordinality board(entry, place)))
   where e.id in (select d.id from webhook_deliveries d where d.type = 'season.ended')
     and e.data -> 'leaderboard' @> jsonb_build_array(jsonb_build_object('userId', p_user));
end $$;

comment on table webhook_events is
  'Payloads, one for each event, however many endpoints it goes to. Deleted with the last delivery. Rows are updated only when '
  'a user is erased, and there are no foreign keys, so that transactions that publish do not wait for each other.';
