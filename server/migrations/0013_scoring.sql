-- The first score of a type fixes its sort order. The score functions say so (mini_game_types.scored) before they know
-- whether the score will be written, because the lock on the type comes before all others. Where nothing was written
-- after all, it is taken back as the transaction ends, which still holds the row: nobody has seen it.
create function unfix_unscored_type() returns trigger language plpgsql as $$
begin
  update mini_game_types t set scored = false
   where t.app_id = new.app_id and t.id = new.id
     and not exists (select 1 from player_best b
                      where b.app_id = new.app_id and b.type_key = new.id and b.rank_key is not null);
  return null;
end $$;

create constraint trigger mini_game_types_scored after update of scored on mini_game_types
  deferrable initially deferred
  for each row when (new.scored and not old.scored) execute function unfix_unscored_type();
