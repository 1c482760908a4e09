import type { Service } from '../service.ts'
import { sqlOn } from '../sql.ts'

/**
 * Writes ground control points by SQL, titled `P 1` and so on, one each thousandth of a degree. The first ten have integer
 * angles and neither tag nor altitude, so that types guessed from them are wrong: the others have the yaw 37.25, the tag 7
 * and the altitude 12.5. @param photoUrls SQL of the URLs of their photos
 */
export async function manyGcps(service: Service, count: number, photoUrls = `'{}'::text[]`): Promise<void> {
  await sqlOn(service)(`
    with made as (
      insert into gcps (title, title_key, gcp_type, april_tag_id, altitude, survey, photo_urls)
      select 'P ' || n, 'p ' || n, 'SINGLE', case when n > 10 then 7 end, case when n > 10 then 12.5 end,
             case when n > 10 then '{"accuracyH": 0.015}'::jsonb end, ${photoUrls}
        from generate_series(1, ${count}) as n returning id, title
    ), numbered as (select id, title, substr(title, 3)::int as n from made), placed as (
      select *, 10 + (n / 1000) * 1e-3 as lat, 20 + (n % 1000) * 1e-3 as lon from numbered
    )
    insert into pins (title, content_type, gcp_id, latitude, longitude, geo_pose)
    select title, 'GCP', id, lat, lon, jsonb_build_object(
             'position', jsonb_build_object('lat', lat, 'lon', lon, 'h', 100),
             'angles', jsonb_build_object('yaw', case when n > 10 then 37.25 else 37 end, 'pitch', 0, 'roll', 0))
      from placed`)
}
