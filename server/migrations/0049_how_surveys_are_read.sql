-- Options of an import beside crs and header: layer, angles, maxError, heightDatum.
alter table csv_uploads add column reading jsonb not null default '{}';
