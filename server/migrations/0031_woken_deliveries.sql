-- Lets the first of each of these subjects go, if it waited for another. Also one that another process is just putting
-- behind: its row is waited for, and what it says then counts. (It was looked at as it had been before, and stayed behind.)
create or replace function wake_deliveries(p_endpoints uuid[], p_subjects text[]) returns void language sql volatile
begin atomic
  update webhook_deliveries d
     set hold = case when d.hold = 'BEHIND' then null else d.hold end,
         due_at = case when d.hold = 'BEHIND' then clock_timestamp() else d.due_at end
    from (select distinct f.seq
            from (select distinct * from unnest(p_endpoints, p_subjects) l(endpoint, subject)) l,
                 lateral (select n.seq from webhook_deliveries n
                           where n.endpoint_id = l.endpoint and n.subject = l.subject and n.status = 'PENDING'
                           order by n.seq limit 1) f) f
   where d.seq = f.seq;
end;
