-- Alerts about apps and about the installation, and whom an app's alerts are mailed to.

create table alert_settings (
  app_id uuid primary key references apps on delete cascade,
  addresses text[] not null,
  kinds text[] not null,
  updated_at timestamptz not null default clock_timestamp()
);

create table alerts (
  id uuid primary key,
  app_id uuid references apps on delete cascade,
  kind text not null,
  subject text not null,
  summary text not null,
  seen_at timestamptz not null,
  opened_at timestamptz,
  gone_at timestamptz,
  ended_at timestamptz
);
create unique index alerts_unfinished on alerts (app_id, kind, subject) nulls not distinct where ended_at is null;
create index alerts_app on alerts (app_id, opened_at desc, id desc) where opened_at is not null;
create index alerts_ended on alerts (ended_at) where ended_at is not null;

comment on table alert_settings is 'Whom the alerts of an app are mailed to.';
comment on column alert_settings.addresses is 'Personal data: the erasure of a user removes the address of that user.';
comment on column alert_settings.kinds is 'The kinds of alerts that are mailed; webhooks receive all.';
comment on table alerts is 'Alerts that are open, may open soon, or have ended. app_id is null for those of the installation.';
comment on column alerts.subject is 'What an alert is about if an app can have several of its kind, for example a quota; otherwise empty.';
comment on column alerts.seen_at is 'Since when the condition is there.';
comment on column alerts.opened_at is 'When the alert was sent. Null until the condition has lasted long enough.';
comment on column alerts.gone_at is 'Since when the condition is not there any more. Null while it is.';
comment on column alerts.ended_at is 'When its end was sent: the condition has been gone for long enough.';
