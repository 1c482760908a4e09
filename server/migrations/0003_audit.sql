-- The audit log.

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  address text
);
create index audit_log_at on audit_log (at);
create index audit_log_actor on audit_log (actor, id);
create index audit_log_action on audit_log (action, id);
create index audit_log_subject on audit_log (subject, at);

comment on table audit_log is 'Who did what, when and from which address. Kept for 400 days.';

select count_rows('audit_log');
