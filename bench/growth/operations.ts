import { setTimeout as sleep } from 'node:timers/promises'
import { idOf, OF_ONE, pointOf } from './seed.ts'

/** What an operation is sent with. */
export type World = {
  app: string
  /** Headers of the app and of its owner, who is an admin. */
  key: Record<string, string>
  user: Record<string, string>
  /** Rows of each table. */
  rows: number
  webhook: string
}
export type Request = { method?: string; path: string; headers?: Record<string, string>; body?: object | FormData }
/** Sends a request and gives the answer's JSON. @throws for any status but 2xx */
// biome-ignore lint/suspicious/noExplicitAny: a benchmark looks into answers without knowing their types.
export type Send = (request: Request) => Promise<any>
export type Operation = {
  name: string
  run: (send: Send, world: World, turn: number) => Promise<unknown>
  /** What a longer list costs more by is said in the interface: it counts all there are, or looks for a part of a text. */
  byContract?: string
}

const APPS = '/api/v1/apps'
/** Somewhere in the middle, another one each turn. */
const some = (rows: number, turn: number) => (Math.floor(rows / 2) + turn * 7919) % rows
const cursorOf = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
const moment = (n: number) =>
  `${new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString().slice(0, 19).replace('T', ' ')}+00`

const get = (name: string, path: (world: World, n: number) => string, byContract?: string): Operation => ({
  name,
  run: (send, world, turn) => send({ path: path(world, some(world.rows, turn)), headers: world.key }),
  ...(byContract && { byContract }),
})
const asUser = (name: string, path: (world: World, n: number) => string, byContract?: string): Operation => ({
  name,
  run: (send, world, turn) => send({ path: path(world, some(world.rows, turn)), headers: world.user }),
  ...(byContract && { byContract }),
})
const write = (
  name: string,
  request: (world: World, n: number, turn: number) => Request,
  who: 'key' | 'user' = 'key',
): Operation => ({
  name,
  run: (send, world, turn) => {
    const asked = request(world, some(world.rows, turn), turn)
    return send({ method: 'POST', ...asked, headers: { ...world[who], ...asked.headers } })
  },
})

const around = (n: number) => `lat=${pointOf(n).latitude}&lon=${pointOf(n).longitude}`
const session = (n: number) => `${APPS}/game-sessions/${idOf(Math.floor(n / OF_ONE))}`
const board = `${APPS}/leaderboards/mini-game`
const poseAt = (latitude: number, longitude: number) => ({
  position: { lat: latitude, lon: longitude, h: 10 },
  angles: { yaw: 0, pitch: 0, roll: 0 },
})

/** Ten new points, as a file that is uploaded and imported by a job. */
async function importPoints(send: Send, { user, rows }: World, turn: number) {
  const form = new FormData()
  const name = `import ${turn} ${performance.now()}`
  const points = Array.from({ length: 10 }, (_, i) => `${name} ${i},${1 + turn * 1e-3},${2 + i * 1e-3},5`)
  form.set('file', new Blob([`title,lat,lon,h\n${points.join('\n')}\n`]), 'points.csv')
  const { results } = await send({ method: 'POST', path: '/api/upload', headers: user, body: form })
  const body = { fileName: 'points.csv', fileUrl: results[0].url, zoneId: 1 + Math.floor(some(rows, turn) / OF_ONE) }
  const { id } = await send({ method: 'POST', path: '/api/gcp/upload', headers: user, body })
  for (;;) {
    const { status, errorMessage } = await send({ path: `/api/gcp/upload/${id}`, headers: user })
    if (status === 'COMPLETED') return
    if (status === 'FAILED') throw new Error(`the import failed: ${errorMessage}`)
    await sleep(10)
  }
}
const file = (turn: number): FormData => {
  const form = new FormData()
  form.set('file', new Blob([`a file of turn ${turn}`]), 'note.bin')
  return form
}

/** Hot paths and lists, each as a client sends it. Whatever is written is new at each turn. */
export const operations: Operation[] = [
  write('score: write', (_, n, turn) => ({
    method: 'PATCH',
    path: `${session(n)}/players/${idOf(n)}`,
    body: { score: turn % 2 ? n : 1e9 + turn },
  })),
  write('score: 100 of a session', (_, n, turn) => {
    const first = Math.floor(n / OF_ONE) * OF_ONE
    const scores = Array.from({ length: OF_ONE }, (_each, i) => ({ playerId: idOf(first + i), score: turn * 1000 + i }))
    return { path: `${session(n)}/scores`, body: { scores } }
  }),
  get('rank of a player', (_, n) => `${APPS}/players/${idOf(n)}/global-ranking`),
  get('leaderboard: top 100', () => `${board}?limit=100`),
  get(
    'leaderboard: 100 from the middle on',
    ({ rows }, n) => `${board}?limit=100&cursor=${cursorOf(Math.floor(rows / 2), moment(n), idOf(n))}`,
  ),
  get('leaderboard: 11 around a player', (_, n) => `${board}?aroundPlayerId=${idOf(n)}`),
  get('leaderboard of a session of 100', (_, n) => `${session(n)}/leaderboard`),
  get('leaderboards of all types', () => `${APPS}/leaderboards?limit=10`),
  get('player: get', (_, n) => `${APPS}/players/${idOf(n)}`),
  write('player: make', (_, __, turn) => ({
    path: `${APPS}/players`,
    body: { displayName: `New ${turn} ${performance.now()}` },
  })),
  write('player: rename', (_, n, turn) => ({
    method: 'PATCH',
    path: `${APPS}/players/${idOf(n)}`,
    body: { displayName: `Renamed ${turn} ${performance.now()}` },
  })),
  get('players: 100 from the middle on', (_, n) => `${APPS}/players?limit=100&cursor=${cursorOf(moment(n), idOf(n))}`),
  get('session: get', (_, n) => session(n)),
  write('session: make', () => ({ path: `${APPS}/game-sessions`, body: { name: 'Round' } })),
  write('session: a player joins', (_, n, turn) => ({
    path: `${session(n)}/players`,
    body: { playerId: idOf(turn) },
  })),
  get('session: its players', (_, n) => `${session(n)}/players?limit=100`),
  get('sessions: newest 100', () => `${APPS}/game-sessions?limit=100`),
  asUser('pins: within 10 m', (_, n) => `/api/location/pins?${around(n)}&radius=10`),
  asUser('pins: nearest 20', (_, n) => `/api/location/pins?${around(n)}&nearest=20`),
  asUser('pins: in a box', (_, n) => {
    const { latitude, longitude } = pointOf(n)
    const box = [longitude - 1e-4, latitude - 1e-4, longitude + 1e-4, latitude + 1e-4].map((x) => x.toFixed(6))
    return `/api/location/pins?${around(n)}&bbox=${box}`
  }),
  asUser('pin: get', (_, n) => `/api/location/pins/${n + 1}`),
  write(
    'pin: make',
    (_, n, turn) => ({
      path: '/api/location/pins',
      body: { title: 'New', contentType: 'GLB', latitude: pointOf(n).latitude, longitude: 0.5 + turn * 1e-4 },
    }),
    'user',
  ),
  asUser('OGC: 100 pins in a box', (_, n) => {
    const { latitude, longitude } = pointOf(n)
    const box = [longitude - 1e-4, latitude - 1e-4, longitude + 1e-4, latitude + 1e-4].map((x) => x.toFixed(6))
    return `/ogc/collections/pins/items?limit=100&bbox=${box}`
  }),
  asUser('OGC: 100 pins in a large box', () => '/ogc/collections/pins/items?limit=100&bbox=-180,-90,-140,90'),
  asUser('OGC: 100 GCPs', () => '/ogc/collections/gcps/items?limit=100', 'numberMatched'),
  asUser('GCP: get', (_, n) => `/api/gcp/${n + 1}`),
  asUser('GCPs: 100 from the middle on', (_, n) => `/api/gcp?limit=100&cursor=${cursorOf(moment(n), n + 1)}`),
  asUser('GCPs of a zone', (_, n) => `/api/gcp?zoneId=${1 + Math.floor(n / OF_ONE)}&limit=100`),
  asUser('April tag: check', (_, n) => {
    const { latitude, longitude } = pointOf(n)
    return `/api/gcp/check-april-tag?aprilTagId=7&latitude=${latitude}&longitude=${longitude}`
  }),
  write(
    'GCP: make, with a tag',
    (_, n, turn) => ({
      path: '/api/gcp',
      body: {
        title: `New ${turn}`,
        gcpType: 'SINGLE',
        zoneId: 1 + Math.floor(n / OF_ONE),
        aprilTagId: turn % 51,
        geoPose: poseAt(-75 + turn * 0.01, -120 + (performance.now() % 50)),
      },
    }),
    'user',
  ),
  { name: 'CSV: 10 points (upload, job, upsert)', run: importPoints },
  asUser('zones: 100', () => '/api/zones?limit=100'),
  asUser('zones at a place', (_, n) => `/api/zones/at?${around(n)}`),
  write('file: upload', (_, __, turn) => ({ path: '/api/upload', body: file(turn + performance.now()) }), 'user'),
  asUser('file: its conversion', (_, n) => `/api/upload/convert?fileId=${n + 1}`),
  get('scans of all: first 20', () => '/api/v1/scans/public-scans?limit=20'),
  get(
    'scans of all: 20 in the middle',
    ({ rows }) => `/api/v1/scans/public-scans?limit=20&page=${Math.floor(rows / 40)}`,
  ),
  write('code: make', (_, __, ___) => ({ path: '/auth/codes', body: {} }), 'user'),
  asUser('user: get', () => '/api/v1/user'),
  asUser('users: search', (_, n) => `/api/v1/users?query=user${n}&limit=20`, 'a part that all names have'),
  asUser('audit log: newest 100', () => '/api/v1/audit-log?limit=100'),
  asUser('audit log: of a subject', (_, n) => `/api/v1/audit-log?subject=${idOf(n)}`),
  write('player: make, with an Idempotency-Key', (_, __, turn) => ({
    path: `${APPS}/players`,
    headers: { 'idempotency-key': `key of ${performance.now()}` },
    body: { displayName: `Once ${turn} ${performance.now()}` },
  })),
  write(
    'webhook: event written, taken, settled',
    ({ app, webhook }) => ({
      path: `${APPS}/${app}/webhooks/${webhook}/test`,
      body: {},
    }),
    'user',
  ),
  asUser(
    'webhook: newest 100 deliveries',
    ({ app, webhook }) => `${APPS}/${app}/webhooks/${webhook}/deliveries?limit=100`,
  ),
]
