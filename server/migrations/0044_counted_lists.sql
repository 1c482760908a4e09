-- one by one: each table is locked while it is counted, and one after the other; those that are counted already are left alone
select count_rows('players') where not are_rows_counted('players');
select count_rows('game_sessions') where not are_rows_counted('game_sessions');
select count_rows('webhook_deliveries') where not are_rows_counted('webhook_deliveries');
select count_rows('gcps') where not are_rows_counted('gcps');
select count_rows('zones') where not are_rows_counted('zones');
select count_rows('users') where not are_rows_counted('users');
select count_rows('audit_log') where not are_rows_counted('audit_log');
select count_rows('scans') where not are_rows_counted('scans');
