-- Each process holds all pins that a search may find. It is told which pins changed, by every statement that writes them,
-- whoever sends it.

create function tell_of_pins(ids bigint[]) returns void language sql as $$
  -- A thousand a row; where a statement changes very many, all are read again.
  insert into changes (topic, subjects)
  select 'pin', case when cardinality(ids) > 50000 then array['*'] else array_agg(id::text) end
    from unnest(ids) with ordinality as changed (id, place)
   where cardinality(ids) <= 50000 or place = 1
   group by (place - 1) / 1000
$$;

create function tell_of_made_pins() returns trigger language plpgsql as $$
begin
  perform tell_of_pins(array(select id from made));
  return null;
end $$;

create function tell_of_changed_pins() returns trigger language plpgsql as $$
begin
  perform tell_of_pins(array(select id from made union select id from gone));
  return null;
end $$;

create function tell_of_gone_pins() returns trigger language plpgsql as $$
begin
  perform tell_of_pins(array(select id from gone));
  return null;
end $$;

create function tell_of_all_pins() returns trigger language plpgsql as $$
begin
  insert into changes (topic, subjects) values ('pin', array['*']);
  return null;
end $$;

create trigger pins_told_made after insert on pins referencing new table as made
  for each statement execute function tell_of_made_pins();
create trigger pins_told_changed after update on pins referencing old table as gone new table as made
  for each statement execute function tell_of_changed_pins();
create trigger pins_told_gone after delete on pins referencing old table as gone
  for each statement execute function tell_of_gone_pins();
create trigger pins_told_emptied after truncate on pins
  for each statement execute function tell_of_all_pins();
