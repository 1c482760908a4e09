import { png } from '../../content/glb.ts'
import { formOf } from '../../multipart.ts'
import type { Tenant } from '../access-world.ts'
import { anyKey, at, open, optional, type Rule, user } from './rules.ts'

/** A PlacedCorners. */
export const squareCorners = {
  corners: [
    [10, 30],
    [30, 30],
    [30, 10],
    [10, 10],
  ],
}
const gcpBody = { title: 'Moved', gcpType: 'SINGLE' }

/** The GIS operations of one collection. */
const features = (
  id: string,
  one: (tenant: Tenant) => unknown | Promise<unknown>,
  fresh: (tenant: Tenant) => Promise<unknown>,
  feature: object,
): Record<string, Rule> => ({
  [`GET /ogc/collections/${id}`]: open(() => at(`/ogc/collections/${id}`)),
  [`GET /ogc/collections/${id}/queryables`]: open(() => at(`/ogc/collections/${id}/queryables`)),
  [`GET /ogc/collections/${id}/sortables`]: open(() => at(`/ogc/collections/${id}/sortables`)),
  [`GET /ogc/collections/${id}/schema`]: open(() => at(`/ogc/collections/${id}/schema`)),
  [`GET /ogc/collections/${id}/geojson-schema`]: open(() => at(`/ogc/collections/${id}/geojson-schema`)),
  [`GET /ogc/collections/${id}/items`]: open(() => at(`/ogc/collections/${id}/items`)),
  [`GET /ogc/collections/${id}/items/{featureId}`]: open(async (t) =>
    at(`/ogc/collections/${id}/items/${await one(t)}`),
  ),
  [`POST /ogc/collections/${id}/items`]: user(201, undefined, () => at(`/ogc/collections/${id}/items`, feature)),
  [`PUT /ogc/collections/${id}/items/{featureId}`]: user(200, 403, async (t) =>
    at(`/ogc/collections/${id}/items/${await one(t)}`, feature),
  ),
  [`PATCH /ogc/collections/${id}/items/{featureId}`]: user(200, 403, async (t) =>
    at(`/ogc/collections/${id}/items/${await one(t)}`, { properties: { title: 'Patched' } }),
  ),
  [`DELETE /ogc/collections/${id}/items/{featureId}`]: user(204, 403, async (t) =>
    at(`/ogc/collections/${id}/items/${await fresh(t)}`),
  ),
})

/** The tile operations of one collection. A tile without features is 204. */
const tiles = (id: string, tile: (path: string) => Rule): Record<string, Rule> => {
  const path = `/ogc/collections/${id}/tiles`
  return {
    [`GET ${path}`]: open(() => at(path)),
    [`GET ${path}/WebMercatorQuad`]: open(() => at(`${path}/WebMercatorQuad`)),
    [`GET ${path}/WebMercatorQuad/tilejson`]: open(() => at(`${path}/WebMercatorQuad/tilejson`)),
    [`GET ${path}/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}`]: tile(`${path}/WebMercatorQuad/22/0/0`),
  }
}
const openTile = (path: string) => open(() => at(path), 204)
const featureOf = (properties: object, geometry: object | null = null) => ({ type: 'Feature', geometry, properties })

/** Zones, pins and survey points, and their GIS operations. */
export const placeTable: Record<string, Rule> = {
  'GET /api/zones': open(() => at('/api/zones')),
  'POST /api/zones': user(201, undefined, () => at('/api/zones', { title: 'Zone' })),
  'GET /api/zones/{id}': open((t) => at(`/api/zones/${t.zoneId}`)),
  'GET /api/zones/at': open(() => at('/api/zones/at?lat=1&lon=2')),
  'PUT /api/zones/{id}': user(200, 403, (t) => at(`/api/zones/${t.zoneId}`, { title: 'Zone' })),
  'DELETE /api/zones/{id}': user(204, 403, async (t) => at(`/api/zones/${await t.newZone()}`)),
  'GET /api/zones/{id}/editors': user(200, 403, (t) => at(`/api/zones/${t.zoneId}/editors`)),
  'POST /api/zones/{id}/editors': user(
    201,
    403,
    async (t) => at(`/api/zones/${t.zoneId}/editors`, { userId: await t.newUser() }),
    403,
  ),
  'DELETE /api/zones/{id}/editors/{userId}': user(204, 403, async (t) => at(await t.newEditor()), 403),
  'POST /api/location/localize': optional(() =>
    at('/api/location/localize', formOf({ field: 'image', name: 'a.png', bytes: png })),
  ),
  'GET /api/v1/tags/sheet': open(() => at('/api/v1/tags/sheet?ids=0&size=100')),
  // An image without tags has no pose.
  'POST /geopose': optional(
    () =>
      at('/geopose', {
        id: 'a',
        timestamp: 1,
        type: 'geopose',
        sensors: [],
        sensorReadings: { cameraReadings: [{ imageBytes: png.toString('base64') }] },
      }),
    { ok: 422 },
  ),
  'GET /api/location/pins': optional(() => at('/api/location/pins?lat=1&lon=2')),
  'POST /api/location/pins': user(201, undefined, (t) =>
    at('/api/location/pins', { title: 'Pin', contentType: 'GLB', latitude: 1, longitude: 2, zoneId: t.zoneId }),
  ),
  'GET /api/location/names': optional(() => at('/api/location/names?search=pin')),
  'GET /api/location/pins/{id}': optional((t) => at(`/api/location/pins/${t.pin}`), { stranger: 404 }),
  'PUT /api/location/pins/{id}': user(200, 404, (t) => at(`/api/location/pins/${t.pin}`, { title: 'Moved' })),
  'DELETE /api/location/pins/{id}': user(204, 403, async (t) => at(`/api/location/pins/${await t.newPin()}`)),
  'GET /api/gcp': open(() => at('/api/gcp')),
  'POST /api/gcp': user(201, undefined, (t) => at('/api/gcp', { ...gcpBody, zoneId: t.zoneId })),
  'GET /api/gcp/check-april-tag': open(() => at('/api/gcp/check-april-tag?aprilTagId=3')),
  'GET /api/gcp/tag-conflicts': open(() => at('/api/gcp/tag-conflicts')),
  'GET /api/gcp/{id}': open((t) => at(`/api/gcp/${t.gcp}`)),
  'PUT /api/gcp/{id}': user(200, 403, (t) => at(`/api/gcp/${t.gcp}`, gcpBody)),
  'DELETE /api/gcp/{id}': user(204, 403, async (t) => at(`/api/gcp/${await t.newGcp()}`)),
  'DELETE /api/gcp/{id}/remove-photo': user(404, 403, (t) =>
    at(`/api/gcp/${t.gcp}/remove-photo?photoUrl=https://photos.example/none.jpg`),
  ),
  'PUT /api/gcp/{id}/photos/{photoId}/corners': user(404, 403, (t) =>
    at(`/api/gcp/${t.gcp}/photos/1/corners`, squareCorners),
  ),
  'DELETE /api/gcp/{id}/photos/{photoId}/corners': user(404, 403, (t) => at(`/api/gcp/${t.gcp}/photos/1/corners`)),
  'POST /api/gcp/upload': {
    ...user(200, 403, (t) => at('/api/gcp/upload', { fileName: 'points.csv', fileUrl: t.fileUrl, zoneId: t.zoneId })),
    clientKey: 'no',
  },
  'GET /api/gcp/upload/{id}': optional((t) => at(`/api/gcp/upload/${t.csv}`)),
  'GET /api/gcp/upload/{id}/stream': optional((t) => at(`/api/gcp/upload/${t.csv}/stream`)),
  'GET /api/gcp/upload/{id}/report': optional((t) => at(`/api/gcp/upload/${t.csv}/report`)),
  'GET /api/gcp/upload/{id}/findings': optional((t) => at(`/api/gcp/upload/${t.csv}/findings`)),
  'POST /api/gcp/upload/{id}/retry': user(409, 403, (t) => at(`/api/gcp/upload/${t.csv}/retry`)),
  'GET /api/gcp/zone/{zoneId}': optional((t) => at(`/api/gcp/zone/${t.zoneId}`)),
  'GET /api/gcp/zone/{zoneId}/export': open((t) => at(`/api/gcp/zone/${t.zoneId}/export`)),
  'DELETE /api/gcp/zone/{zoneId}': user(200, 403, (t) => at(`/api/gcp/zone/${t.zoneId}`, { csvUploadId: t.csv })),

  'GET /ogc': open(() => at('/ogc')),
  'GET /ogc/conformance': open(() => at('/ogc/conformance')),
  'GET /ogc/api': open(() => at('/ogc/api')),
  'GET /ogc/collections': open(() => at('/ogc/collections')),
  ...features(
    'pins',
    (t) => t.newPin(),
    (t) => t.newPin(),
    featureOf({ title: 'Pin', contentType: 'GLB' }, { type: 'Point', coordinates: [2, 1] }),
  ),
  ...features(
    'gcps',
    (t) => t.gcp,
    (t) => t.newGcp(),
    featureOf({ title: 'Point', gcpType: 'SINGLE' }),
  ),
  ...features(
    'zones',
    (t) => t.zoneId,
    (t) => t.newZone(),
    featureOf({ title: 'Zone' }),
  ),
  'GET /ogc/tileMatrixSets': open(() => at('/ogc/tileMatrixSets')),
  'GET /ogc/tileMatrixSets/WebMercatorQuad': open(() => at('/ogc/tileMatrixSets/WebMercatorQuad')),
  ...tiles('pins', openTile),
  ...tiles('gcps', openTile),
  ...tiles('zones', openTile),
  ...tiles('scans', (path) => anyKey(204, undefined, () => at(path))),
}
