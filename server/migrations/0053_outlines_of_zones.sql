-- What boundary_positions gives for a zone's boundary, kept so that no search has to work it out. It holds while outline_at is
-- updated_at: what a process of the release before writes, it does not fit, and is worked out anew.
alter table zones add column outline bytea, add column outline_at timestamptz;
-- Figures of coordinates hardly get smaller by compression.
alter table zones alter column outline set storage external;
