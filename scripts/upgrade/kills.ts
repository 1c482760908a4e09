import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postmasterOf } from '../../server/platform/database/embedded/postgres-process.ts'
import { dedicatedClient } from '../../server/platform/database/locks/dedicated-client.ts'
import { between } from './history.ts'
import { onCopy, type Scenario, wholeIn } from './scenario.ts'
import { cutPower, during, type Place, spawnService, start } from './service.ts'
import { filesFit, type Outcome } from './steps.ts'

const WAIT_MS = 60_000

type Client = ReturnType<typeof dedicatedClient>

/** Kills the later version at moments spread over its first start, every second time together with its PostgreSQL; the next start must complete. */
export async function killAtStart(scenario: Scenario, kills: number): Promise<Outcome[]> {
  const { later } = scenario
  const took = await onCopy(scenario, async (place) => {
    const begin = performance.now()
    return during(later, place, async () => performance.now() - begin)
  })
  const outcomes: Outcome[] = []
  for (let at = 0; at < kills; at++) {
    const after = Math.round((took * (at + 1)) / (kills + 1))
    const withDatabase = at % 2 === 1
    const step = `killed ${after} ms after its first start${withDatabase ? ', with PostgreSQL' : ''}, the later version starts again whole`
    const faults = await onCopy(scenario, async (place) => {
      const child = spawnService(later, place)
      const ended = new Promise((resolve) => child.on('exit', resolve))
      await sleep(after)
      child.kill('SIGKILL')
      await ended
      if (withDatabase) await cutPower(place.dataDir)
      return whole(scenario, place)
    })
    outcomes.push({ step, faults })
  }
  return outcomes
}

/** Kills the later version inside the transaction of its first migration; the next start must complete. */
export async function killInMigration(scenario: Scenario, withDatabase: boolean): Promise<Outcome[]> {
  const { earlier, later } = scenario
  const [migration] = between(earlier, later)
  if (!migration) return []
  const step = `killed inside ${migration.name}${withDatabase ? ', with PostgreSQL' : ''}, the later version starts again whole`
  const faults = await onCopy(scenario, async (place) => {
    // Its PostgreSQL keeps running, and the next start adopts it.
    const service = await start(earlier, place)
    service.child.kill('SIGKILL')
    await service.ended
    const client = await connected(place)
    await client.query('begin')
    // Every migration ends with a row in this table, which must wait.
    await client.query('lock table migrations in share mode')
    const child = spawnService(later, place)
    const ended = new Promise((resolve) => child.on('exit', resolve))
    try {
      await waits(client)
    } finally {
      child.kill('SIGKILL')
      await ended
    }
    const { rows } = await client.query('select from migrations where name = $1', [migration.name])
    if (withDatabase) await cutPower(place.dataDir)
    await client.end().catch(() => {})
    const early = rows.length > 0 ? ['the migration had been applied before the kill'] : []
    return [...early, ...(await whole(scenario, place))]
  })
  return [{ step, faults }]
}

async function whole(scenario: Scenario, place: Place): Promise<string[]> {
  return [...(await wholeIn(scenario, scenario.later, place)), ...(await filesFit(scenario, place))]
}

async function connected({ dataDir }: Place): Promise<Client> {
  const folder = join(dataDir, 'database')
  const { socketFolder } = postmasterOf(join(folder, 'postgres'))!
  const password = readFileSync(join(folder, 'password'), 'utf8').trim()
  const url = `postgres://cairn:${password}@/cairn?host=${encodeURIComponent(socketFolder)}`
  const client = dedicatedClient(url, 'cairn-upgrade-test')
  // It ends with PostgreSQL.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Waits until a migration waits for the lock. */
async function waits(client: Client): Promise<void> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(5)) {
    const { rowCount } = await client.query(
      `select from pg_locks where relation = 'migrations'::regclass and not granted`,
    )
    if (rowCount) return
  }
  throw new Error(`No migration started within ${WAIT_MS / 1000} s`)
}
