-- Usage of the API by app.

create table usage_hours (
  app_id uuid not null references apps on delete cascade,
  hour timestamptz not null,
  key_id text not null,
  calls integer not null,
  refused integer not null,
  limited integer not null,
  failed integer not null,
  minutes integer[] not null,
  latencies integer[] not null,
  primary key (app_id, hour, key_id)
);
create index usage_hours_by_hour on usage_hours (hour);

comment on table usage_hours is 'Requests of an app with one key in one hour. Hours without requests have no row.';
comment on column usage_hours.key_id is 'No foreign key: the row stays when the key has ended.';
comment on column usage_hours.refused is 'Responses 4xx, without 429.';
comment on column usage_hours.limited is 'Responses 429.';
comment on column usage_hours.failed is 'Responses 5xx.';
comment on column usage_hours.minutes is '60 counts, one for each minute.';
comment on column usage_hours.latencies is 'One count for each latency class (modules/usage/latency.ts).';

create table usage_refusals (
  app_id uuid not null references apps on delete cascade,
  day date not null,
  method text not null,
  route text not null,
  status smallint not null,
  reason text not null,
  times integer not null,
  last_at timestamptz not null,
  primary key (app_id, day, method, route, status, reason)
);
create index usage_refusals_by_day on usage_refusals (day);

comment on table usage_refusals is
  'Why requests of an app were refused, by day (UTC). An app has at most 200 causes a day; further ones are counted'
  ' under the reason "other".';
