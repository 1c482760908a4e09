-- The option swapAxes of imports, stored in reading, also in the events of imports.

create or replace function publish_csv_upload() returns trigger language plpgsql as $$
begin
  perform publish_event(new.app_id, new.user_id, 'csv_upload.' || lower(new.status), new.id::text,
    jsonb_build_object('id', new.id, 'fileName', new.file_name, 'fileUrl', new.file_url, 'status', new.status,
      'errorMessage', new.error_message, 'rowCount', new.row_count, 'processedRows', new.processed_rows,
      'userId', new.user_id, 'zoneId', new.zone_id, 'dryRun', new.dry_run, 'onError', new.on_error, 'crs', new.crs,
      'header', new.header, 'layer', new.reading -> 'layer', 'angles', new.reading -> 'angles',
      'maxError', new.reading -> 'maxError', 'heightDatum', new.reading -> 'heightDatum',
      'swapAxes', coalesce((new.reading ->> 'swapAxes')::boolean, false),
      'createdAt', api_moment(new.created_at), 'updatedAt', api_moment(new.updated_at)));
  return null;
end $$;

comment on column csv_uploads.reading is
  'Further options of the import: layer, angles, maxError, heightDatum, swapAxes.';
