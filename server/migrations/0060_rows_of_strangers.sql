-- one by one: both tables are written to meanwhile

-- What callers without a credential make, the oldest first: there may be so many of it. What visitors begin at the box's issuer
-- without a password, of each kind, and the Idempotency-Keys that belong to addresses.
drop index concurrently if exists oidc_records_unfinished;
create index concurrently oidc_records_unfinished on oidc_records (model, expires_at) where user_id is null;
drop index concurrently if exists idempotency_keys_of_addresses;
create index concurrently idempotency_keys_of_addresses on idempotency_keys (created_at) where scope like 'address:%';
