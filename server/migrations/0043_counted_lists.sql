-- one by one: each table is locked while it is counted, and one after the other
select count_rows('players');
select count_rows('game_sessions');
select count_rows('webhook_deliveries');
select count_rows('gcps');
select count_rows('zones');
select count_rows('users');
select count_rows('audit_log');
select count_rows('scans');
