-- The language of mails about an app's alerts, and the numbers that their texts name.

alter table alert_settings add column language text not null default 'en';
alter table alerts add column figures jsonb;

comment on column alert_settings.language is 'A tag (BCP 47) of the language of the mails.';
comment on column alerts.figures is
  'The numbers in the summary, by name, from which it is written in other languages. Null: there is only the summary.';
