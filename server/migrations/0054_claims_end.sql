-- Roles that an identity provider claimed hold as long as a session may, from the sign-in that claimed them: after that the
-- provider is asked again.
alter table users add column claims_end timestamptz not null default now() + interval '90 days';
