import { setTimeout as sleep } from 'node:timers/promises'
import {
  around,
  asUser,
  cursorOf,
  makeAndDelete,
  moment,
  type Operation,
  remove,
  type Send,
  some,
  type World,
  write,
} from './operation.ts'
import { OF_ONE, pointOf } from './seed.ts'

const zoneOf = (n: number) => 1 + Math.floor(n / OF_ONE)
const smallBox = (n: number) => {
  const { latitude, longitude } = pointOf(n)
  return [longitude - 1e-4, latitude - 1e-4, longitude + 1e-4, latitude + 1e-4].map((x) => x.toFixed(6)).join()
}
const poseAt = (latitude: number, longitude: number) => ({
  position: { lat: latitude, lon: longitude, h: 10 },
  angles: { yaw: 0, pitch: 0, roll: 0 },
})

/** A point in its town, and a tag that no other point there has: they use 25 of 51 tags. Different each turn. */
function freeTag(rows: number, turn: number): { n: number; tag: number } {
  const towns = rows / 500
  const town = (turn * 7919) % towns
  const nth = Math.floor(turn / towns) % 26
  return { n: town * 500 + 250, tag: (town * 25 + 25 + nth) % 51 }
}

/** Ten new points, as a file that is uploaded and imported by a job. */
async function importPoints(send: Send, { user, rows }: World, turn: number) {
  const form = new FormData()
  const name = `import ${turn} ${performance.now()}`
  const points = Array.from({ length: 10 }, (_, i) => `${name} ${i},${1 + turn * 1e-3},${2 + i * 1e-3},5`)
  form.set('file', new Blob([`title,lat,lon,h\n${points.join('\n')}\n`]), 'points.csv')
  const { results } = await send({ method: 'POST', path: '/api/upload', headers: user, body: form })
  const body = { fileName: 'points.csv', fileUrl: results[0].url, zoneId: zoneOf(some(rows, turn)) }
  const { id } = await send({ method: 'POST', path: '/api/gcp/upload', headers: user, body })
  for (;;) {
    const { status, errorMessage } = await send({ path: `/api/gcp/upload/${id}`, headers: user })
    if (status === 'COMPLETED') return
    if (status === 'FAILED') throw new Error(`the import failed: ${errorMessage}`)
    await sleep(10)
  }
}

/** Operations on pins, survey points, zones, imports, and OGC features. */
export const placeOperations: Operation[] = [
  asUser('pins: within 10 m', (_, n) => `/api/location/pins?${around(n)}&radius=10`),
  asUser('pins: nearest 20', (_, n) => `/api/location/pins?${around(n)}&nearest=20`),
  asUser('pins: in a box', (_, n) => `/api/location/pins?${around(n)}&bbox=${smallBox(n)}`),
  asUser('pin: get', (_, n) => `/api/location/pins/${n + 1}`),
  write(
    'pin: make',
    (_, n, turn) => ({
      path: '/api/location/pins',
      body: { title: 'New', contentType: 'GLB', latitude: pointOf(n).latitude, longitude: 0.5 + turn * 1e-4 },
    }),
    'user',
  ),
  asUser('OGC: 100 pins in a box', (_, n) => `/ogc/collections/pins/items?limit=100&bbox=${smallBox(n)}`),
  asUser('OGC: 100 pins in a large box', () => '/ogc/collections/pins/items?limit=100&bbox=-180,-90,-140,90'),
  asUser('OGC: 100 GCPs', () => '/ogc/collections/gcps/items?limit=100', 'numberMatched'),
  asUser('GCP: get', (_, n) => `/api/gcp/${n + 1}`),
  asUser('GCPs: 100 from the middle on', (_, n) => `/api/gcp?limit=100&cursor=${cursorOf(moment(n), n + 1)}`),
  asUser('GCPs of a zone', (_, n) => `/api/gcp?zoneId=${zoneOf(n)}&limit=100`),
  asUser('April tag: check', (_, n) => {
    const { latitude, longitude } = pointOf(n)
    return `/api/gcp/check-april-tag?aprilTagId=7&latitude=${latitude}&longitude=${longitude}`
  }),
  write(
    'GCP: make, with a tag',
    ({ rows }, _, turn) => {
      const { n, tag } = freeTag(rows, turn)
      const { latitude, longitude } = pointOf(n)
      return {
        path: '/api/gcp',
        body: {
          title: `New ${turn}`,
          gcpType: 'SINGLE',
          zoneId: zoneOf(n),
          aprilTagId: tag,
          geoPose: poseAt(latitude + 5e-5, longitude + 5e-5),
        },
      }
    },
    'user',
  ),
  { name: 'CSV: 10 points (upload, job, upsert)', kind: 'write', run: importPoints },
  asUser('zones: 100', () => '/api/zones?limit=100'),
  asUser('zones at a place', (_, n) => `/api/zones/at?${around(n)}`),
  asUser('pins: in 1 km, the first 100', (_, n) => `/api/location/pins?${around(n)}&radius=1000&limit=100`),
  makeAndDelete(
    'pin: make and delete',
    (_, n, turn) => ({
      path: '/api/location/pins',
      body: { title: 'New', contentType: 'GLB', latitude: pointOf(n).latitude, longitude: 0.6 + turn * 1e-4 },
    }),
    ({ pin, id }) => `/api/location/pins/${pin?.id ?? id}`,
  ),
  write(
    'GCP: change',
    (_, n, turn) => ({
      method: 'PUT',
      path: `/api/gcp/${n + 1}`,
      body: { title: `Changed ${turn} ${n}`, altitude: turn },
    }),
    'user',
  ),
  remove('GCP: delete', (_, n) => `/api/gcp/${n + 1}`, 'user'),
  asUser('GCP: its photos', (_, n) => `/api/upload/gcp-photos?gcpId=${n + 1}`),
  asUser('April tags: conflicts in a zone', (_, n) => `/api/gcp/tag-conflicts?zoneId=${zoneOf(n)}`),
  asUser('zone: get', (_, n) => `/api/zones/${zoneOf(n)}`),
  asUser('zone: its points as CSV', (_, n) => `/api/gcp/zone/${zoneOf(n)}/export?format=csv`),
  asUser('zone: its files', (_, n) => `/api/gcp/zone/${zoneOf(n)}`),
  makeAndDelete(
    'zone: make and delete',
    (_, __, turn) => ({ path: '/api/zones', body: { title: `New ${turn} ${performance.now()}` } }),
    ({ zone, id }) => `/api/zones/${zone?.id ?? id}`,
  ),
  asUser('OGC: a pin', (_, n) => `/ogc/collections/pins/items/${n + 1}`),
  asUser('OGC: the points of a zone', (_, n) => `/ogc/collections/gcps/items?limit=100&zoneId=${zoneOf(n)}`),
  asUser(
    'OGC: zones in a box',
    (_, n) => `/ogc/collections/zones/items?limit=100&bbox=${smallBox(n)}`,
    '2,000 ids at most',
  ),
  asUser('OGC: the extent of all pins', () => '/ogc/collections/pins'),
]
