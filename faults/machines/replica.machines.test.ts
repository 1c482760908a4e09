import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pose } from '../../server/test/surveying/gcps.ts'
import { type Client, createClient, expectStatus } from '../load/client.ts'
import { userToken } from '../sites/embedded-site.ts'
import { sqlAt } from '../sites/sql.ts'
import { startTopology, type Topology } from './topology.ts'

let topology: Topology
let clients: [Client, Client]
let owner: Record<string, string>
let key: Record<string, string>
let session: string

beforeAll(async () => {
  topology = await startTopology({
    apis: 2,
    workers: 0,
    s3: false,
    balancer: false,
    settings: { CAIRN_PIN_INDEX_BYTES: '0', CAIRN_ROLE: 'all' },
  })
  clients = topology.apis.map(({ url }) => createClient(() => url)) as [Client, Client]
  owner = { authorization: `Bearer ${await userToken(await topology.settingsOf(0))}` }
  const app = await newApp('First')
  key = { 'x-app-api-key': app.apiKey }
  const post = async (path: string, body: object) =>
    (await expectStatus(clients[0].send({ method: 'POST', path: `/api/v1/apps/${path}`, headers: key, body }))).body
  session = (await post('game-sessions', {})).id
  // A new Redis does not know earlier writes.
  await until(async () => (await readsOf('replica')) > 0)
})
afterAll(async () => {
  for (const client of clients ?? []) client.close()
  await topology?.stop()
})

const replicaSql = (statement: string) => sqlAt(topology.replica!.url)(statement)

async function newApp(name: string) {
  const made = clients[0].send({
    method: 'POST',
    path: '/api/v1/apps',
    headers: owner,
    body: { name, description: 'Seen', visibility: 'PUBLIC' },
  })
  return (await expectStatus(made)).body as { id: string; apiKey: string }
}

/** Returns the public app names that one process lists for these headers. */
async function listed(client: Client, headers: Record<string, string> = {}): Promise<string[]> {
  const { body } = await expectStatus(client.send({ method: 'GET', path: '/api/v1/apps/public', headers }))
  return body.apps.map(({ name }: { name: string }) => name)
}

/** The number of reads that one process answered in this way. */
async function readsBy(client: Client, by: string): Promise<number> {
  const { body } = await expectStatus(client.send({ method: 'GET', path: '/metrics' }))
  return Number(new RegExp(`^cairn_replica_reads_total\\{by="${by}"\\} (\\d+)`, 'm').exec(String(body))?.[1] ?? 0)
}
const replicaReads = (client: Client) => readsBy(client, 'replica')

/** The number of reads that all processes together answered in this way, after each was asked. */
async function readsOf(by: string): Promise<number> {
  await Promise.all(clients.map((client) => listed(client)))
  const counts = await Promise.all(clients.map((client) => readsBy(client, by)))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if (await holds()) return
    await sleep(100)
  }
  throw new Error('the condition never became true')
}

/** A read by one process from the replica. @returns undefined if it used the primary, as it does when the replica lags by seconds */
async function fromReplica<T>(client: Client, ask: () => Promise<T>): Promise<T | undefined> {
  const before = await replicaReads(client)
  const said = await ask()
  return (await replicaReads(client)) > before ? said : undefined
}

/** Runs a check while the replica is suspended; repeats it if the replica was not used throughout. @param what receives the attempt, and returns whether all its reads came from the replica */
async function whileItStandsStill(what: (time: number) => Promise<boolean>): Promise<void> {
  for (let time = 1; time <= 10; time++) {
    const before = await readsOf('replica')
    await until(async () => (await readsOf('replica')) > before)
    await replicaSql('select pg_wal_replay_pause()')
    const isDone = await what(time).finally(() => replicaSql('select pg_wal_replay_resume()'))
    if (isDone) return
  }
  throw new Error('the replica was not used while it was suspended')
}

test('a caller reads its own writes in every process at once, others when the replica has them', async () => {
  await whileItStandsStill(async (time) => {
    const name = `Behind pause ${time}`
    await newApp(name)
    for (const client of clients) {
      expect(await listed(client, owner)).toContain(name)
      // Proves that the replica is used: only it does not have the row.
      const seen = await fromReplica(client, () => listed(client))
      if (!seen) return false
      expect(seen).not.toContain(name)
    }
    return true
  })
  await until(async () => (await listed(clients[1])).includes('Behind pause 1'))
})

test("boards, pins, GIS and lists of points include a caller's own writes while the replica is suspended", async () => {
  await whileItStandsStill(async (time) => {
    const [name, title] = [`Ada ${time}`, `New ${time}`]
    const app = '/api/v1/apps'
    const player = (
      await expectStatus(
        clients[0].send({ method: 'POST', path: `${app}/players`, headers: key, body: { displayName: name } }),
      )
    ).body.id
    const place = `${app}/game-sessions/${session}/players`
    await expectStatus(clients[0].send({ method: 'POST', path: place, headers: key, body: { playerId: player } }))
    await expectStatus(
      clients[1].send({ method: 'PATCH', path: `${place}/${player}`, headers: key, body: { score: 7 } }),
    )
    const gcp = (
      await expectStatus(
        clients[0].send({
          method: 'POST',
          path: '/api/gcp',
          headers: owner,
          body: { title, gcpType: 'SINGLE', geoPose: pose(10, 20) },
        }),
      )
    ).body.gcp
    for (const client of clients) {
      const get = async (path: string, headers: Record<string, string>) =>
        JSON.stringify((await expectStatus(client.send({ method: 'GET', path, headers }))).body)
      expect(await get(`${app}/leaderboards/mini-game`, key)).toContain(player)
      expect(await get(`${app}/game-sessions/${session}/leaderboard`, key)).toContain(player)
      expect(await get('/api/gcp', owner)).toContain(`"${title}"`)
      expect(await get('/api/location/pins?lat=10&lon=20&radius=10', owner)).toContain(`"gcpId":${gcp.id}`)
      expect(await get('/ogc/collections/gcps/items', owner)).toContain(`"${title}"`)
      for (const path of ['/api/gcp', '/ogc/collections/gcps/items']) {
        const seen = await fromReplica(client, () => get(path, {}))
        if (!seen) return false
        expect(seen).not.toContain(`"${title}"`)
      }
    }
    return true
  })
})

test('after Redis loses its data, no writer reads a state from before its writes', async () => {
  await replicaSql('select pg_wal_replay_pause()')
  try {
    await newApp('Before Redis was emptied')
    await topology.redis!.flush()
    expect(await listed(clients[1], owner)).toContain('Before Redis was emptied')
  } finally {
    await replicaSql('select pg_wal_replay_resume()')
  }
  const before = await readsOf('replica')
  await until(async () => (await readsOf('replica')) > before)
})

test('no request fails when the replica is killed, suspended or restarted', async () => {
  let isOver = false
  const statuses = new Map<number, number>()
  const readers = Array.from({ length: 6 }, async (_, i) => {
    while (!isOver) {
      const path = i % 2 ? '/ogc/collections/gcps/items' : '/api/v1/apps/public'
      const { status } = await clients[i % 2]!.send({ method: 'GET', path })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await sleep(5)
    }
  })
  await sleep(300)
  await topology.replica!.kill()
  await sleep(500)
  await topology.replica!.start()
  const before = await readsOf('replica')
  await until(async () => (await readsOf('replica')) > before)
  const goOn = topology.replica!.pause()
  await sleep(1500)
  goOn()
  isOver = true
  await Promise.all(readers)
  expect([...statuses.keys()]).toEqual([200])
  expect(topology.apis[0]!.output()).toContain('replica unavailable; reading from the primary')
})

test('a promoted replica is not used, because it diverges', async () => {
  await topology.replica!.promote()
  for (const client of clients) {
    const metrics = async () => String((await expectStatus(client.send({ method: 'GET', path: '/metrics' }))).body)
    await until(async () => (await metrics()).includes('cairn_replica_used 0'))
  }
  await newApp('Unknown to the promoted')
  for (const client of clients) expect(await listed(client)).toContain('Unknown to the promoted')
})
