import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { idOf } from '../growth/seed.ts'
import { comb, type Filled, polygon } from './data.ts'

export type Headers = Record<string, string>
/** A request and its description; `status` where it is expected to be rejected. */
export type Case = {
  operation: string
  what: string
  method?: string
  path: string
  headers?: Headers
  body?: unknown
  status?: number
}
/** The credentials of the app and user with full tables. */
export type Big = { key: Headers; user: Headers; app: string }

const json = { 'content-type': 'application/json' }
const list = (count: number) => `[${Array.from({ length: count }, (_, i) => i % 10).join(',')}]`

/** The most expensive requests known. */
export async function costlyCases({ key, user, app }: Big, data: Filled): Promise<Case[]> {
  const { around, holding, comb: combs, session } = data
  const zone = 2 * 61 + 201
  const bearer = { authorization: `Bearer ${forged()}` }
  return [
    {
      operation: 'GET /api/zones/at',
      what: '61 zones of 10,000 positions, none holds the point',
      path: `/api/zones/at?lat=50&lon=${around + 0.7}`,
    },
    {
      operation: 'GET /api/zones/at',
      what: '61 zones of 10,000 positions, all hold the point',
      path: `/api/zones/at?lat=50&lon=${holding}`,
    },
    {
      operation: 'GET /ogc/collections/zones/items',
      what: '61 zones near the box, none touches it',
      path: `/ogc/collections/zones/items?bbox=${around + 0.7},50,${around + 0.71},50.01`,
    },
    {
      operation: 'GET /ogc/collections/zones/items',
      what: '61 zones of 10,000 positions in the box',
      path: `/ogc/collections/zones/items?bbox=${holding - 2},48,${holding + 2},52`,
    },
    {
      operation: 'POST /api/zones',
      what: 'a boundary of 10,000 positions',
      method: 'POST',
      path: '/api/zones',
      headers: user,
      body: { title: 'Comb', boundary: polygon(comb(combs)) },
    },
    {
      operation: 'PUT /api/zones/{id}',
      what: 'a boundary of 10,000 positions',
      method: 'PUT',
      path: `/api/zones/${zone}`,
      headers: user,
      body: { title: 'Comb', boundary: polygon(comb(combs)) },
    },
    { operation: 'GET /api/zones/{id}', what: 'a boundary of 10,000 positions', path: `/api/zones/${zone}` },
    {
      operation: 'GET /api/gcp',
      what: '20,000 points, in or out of a boundary of 10,000 positions',
      path: `/api/gcp?zoneId=${zone}&outsideZone=true`,
    },
    { operation: 'GET /api/gcp', what: 'a page of 10,000 of one zone', path: `/api/gcp?zoneId=${zone}` },
    ...['csv', 'geojson', 'gpkg', 'xlsx'].map((format) => ({
      operation: 'GET /api/gcp/zone/{zoneId}/export',
      what: `20,000 points as ${format}`,
      path: `/api/gcp/zone/${zone}/export?format=${format}`,
    })),
    {
      operation: 'GET /api/location/pins',
      what: '1,000 of 20,000 within 100 km',
      path: '/api/location/pins?lat=10.1&lon=10.05&radius=100000&limit=1000',
    },
    {
      operation: 'GET /api/v1/apps/leaderboards/mini-game',
      what: '1,000 of 20,000',
      path: '/api/v1/apps/leaderboards/mini-game?limit=1000',
      headers: key,
    },
    {
      operation: 'GET /api/v1/apps/game-sessions/{id}/leaderboard',
      what: '1,000 players',
      path: `/api/v1/apps/game-sessions/${session}/leaderboard?limit=1000`,
      headers: key,
    },
    {
      operation: 'GET /api/v1/apps/game-sessions/{id}/players',
      what: '1,000 players',
      path: `/api/v1/apps/game-sessions/${session}/players`,
      headers: key,
    },
    {
      operation: 'POST /api/v1/apps/game-sessions/{id}/scores',
      what: '1,000 scores',
      method: 'POST',
      path: `/api/v1/apps/game-sessions/${session}/scores`,
      headers: key,
      body: { scores: Array.from({ length: 1000 }, (_, i) => ({ playerId: idOf(i), score: i })) },
    },
    {
      operation: 'GET /api/v1/apps/{id}/overview',
      what: 'an app of 20,000 players',
      path: `/api/v1/apps/${app}/overview`,
      headers: user,
    },
    {
      operation: 'GET /api/v1/apps/{id}/contents',
      what: 'an app of 20,000 players',
      path: `/api/v1/apps/${app}/contents`,
      headers: user,
    },
    { operation: 'GET /openapi.json', what: 'as it is', path: '/openapi.json' },
    {
      operation: 'GET /oidc/auth',
      what: 'a sign-in that begins',
      path: `/oidc/auth?client_id=cairn-cli&response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&scope=openid&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`,
      status: 303,
    },
    { operation: 'GET /api/v1/user', what: 'a forged token', path: '/api/v1/user', headers: bearer, status: 401 },
    {
      operation: 'POST /api/upload/presigned',
      what: 'half a million levels of JSON',
      method: 'POST',
      path: '/api/upload/presigned',
      headers: json,
      body: '['.repeat(500_000),
      status: 413,
    },
    {
      operation: 'POST /api/upload/presigned',
      what: '15,000 levels of JSON',
      method: 'POST',
      path: '/api/upload/presigned',
      headers: json,
      body: `{"a":${'['.repeat(15_000)}${']'.repeat(15_000)}}`,
      status: 400,
    },
    {
      operation: 'POST /api/zones',
      what: 'a megabyte of numbers',
      method: 'POST',
      path: '/api/zones',
      headers: { ...user, ...json },
      body: `{"title":"Z","any":${list(520_000)}}`,
    },
    {
      operation: 'POST /geopose',
      what: 'an image of 6 MiB that is none',
      method: 'POST',
      path: '/geopose',
      headers: { ...user, ...json },
      body: JSON.stringify(geoPose(randomBytes(6 * 2 ** 20 - 3000).toString('base64'))),
      status: 400,
    },
    {
      operation: 'POST /api/upload/convert',
      what: 'a GLB of some KB with three pictures of 11,000² (in a process apart)',
      method: 'POST',
      path: '/api/upload/convert',
      headers: user,
      body: await pictures(),
    },
  ]
}

const geoPose = (imageBytes: string) => ({
  id: '1',
  timestamp: 1,
  type: 'geopose',
  sensors: [],
  sensorReadings: {
    cameraReadings: [{ imageBytes }],
    geolocationReadings: [{ latitude: 46.5, longitude: 6.6 }],
  },
})

function forged(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ sub: idOf(1), exp: 4e9 })}.${randomBytes(64).toString('base64url')}`
}

/** Builds a form with a model of one triangle and three images that are far larger than their bytes. */
async function pictures(): Promise<FormData> {
  const size = 11_000
  const bytes = await Promise.all(
    ['#800000', '#008000', '#000080'].map((background) =>
      sharp({ create: { width: size, height: size, channels: 3, background } })
        .webp({ effort: 0 })
        .toBuffer(),
    ),
  )
  const points = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1]).buffer)
  const parts = [points, ...bytes].map((part) => Buffer.concat([part, Buffer.alloc(-part.length & 3)]))
  const bufferViews = parts.map((_part, i) => ({
    buffer: 0,
    byteOffset: parts.slice(0, i).reduce((sum, one) => sum + one.length, 0),
    byteLength: [points, ...bytes][i]!.length,
  }))
  const texture = (index: number) => ({ index })
  const model = {
    asset: { version: '2.0' },
    extensionsUsed: ['EXT_texture_webp'],
    extensionsRequired: ['EXT_texture_webp'],
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }],
    materials: [
      {
        pbrMetallicRoughness: { baseColorTexture: texture(0), metallicRoughnessTexture: texture(1) },
        emissiveTexture: texture(2),
        emissiveFactor: [1, 1, 1],
      },
    ],
    textures: [0, 1, 2].map((source) => ({ extensions: { EXT_texture_webp: { source } } })),
    images: [1, 2, 3].map((bufferView) => ({ bufferView, mimeType: 'image/webp' })),
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 0, byteOffset: 36, componentType: 5126, count: 3, type: 'VEC2' },
    ],
    bufferViews,
    buffers: [{ byteLength: parts.reduce((sum, one) => sum + one.length, 0) }],
  }
  const text = Buffer.from(JSON.stringify(model))
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32LE(data.length, 0)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, data])
  }
  const body = [
    chunk('JSON', Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)])),
    chunk('BIN\0', Buffer.concat(parts)),
  ]
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1')
  head.writeUInt32LE(12 + body[0]!.length + body[1]!.length, 8)
  const form = new FormData()
  form.append('file', new Blob([Buffer.concat([head, ...body])]), 'pictures.glb')
  return form
}
