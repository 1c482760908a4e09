import pg from 'pg'
import { assertSecretOpensKeys } from '../../platform/credentials/verify-secret.ts'
import { jobQueues } from '../../platform/database/jobs/job-queues.ts'
import { asBaseline, FORMER } from '../../platform/database/migrate/baseline.ts'
import { appliedOn, migrationsIn } from '../../platform/database/migrate/migrate.ts'
import { unfinishedRestore } from '../../platform/database/migrate/unfinished-restore.ts'
import { MIGRATIONS } from '../context.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const OLDEST = 15
const CLOCK_SECONDS = 5

/** Checks the database, including whether the secret decrypts its keys; without a connection nothing else is checked. */
export async function* database(url: string, secret: string | undefined): AsyncGenerator<Finding> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'cairn-doctor',
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const mend = 'Check CAIRN_DATABASE_URL: its host, port, name and password, and that PostgreSQL runs there'
    yield fail('database', `cannot be reached: ${(error as Error).message || (error as { code?: string }).code}`, mend)
    return
  }
  try {
    yield await version(client)
    yield await pooler(client)
    yield await extension(client)
    yield await rights(client)
    yield await clock(client)
    yield await migrations(client)
    yield* await secretsFit(client, secret)
    yield* await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const one = async <Row extends object>(client: pg.Client, text: string): Promise<Row> =>
  (await client.query<Row>(text)).rows[0]!

async function version(client: pg.Client): Promise<Finding> {
  const { number, text } = await one<{ number: number; text: string }>(
    client,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  )
  return number >= OLDEST * 10_000
    ? ok('database', `PostgreSQL ${text}`)
    : fail('database', `PostgreSQL ${text}`, `Use PostgreSQL ${OLDEST} or newer`)
}

async function pooler(client: pg.Client): Promise<Finding> {
  const pids = new Set<number>()
  for (let i = 0; i < 4; i++) pids.add((await one<{ pid: number }>(client, 'select pg_backend_pid() as pid')).pid)
  return pids.size === 1
    ? ok('connection', 'each is a session of its own')
    : fail('connection', 'a transaction pooler', 'Name the database itself, or a session pooler, in CAIRN_DATABASE_URL')
}

async function extension(client: pg.Client): Promise<Finding> {
  const { there } = await one<{ there: boolean }>(
    client,
    `select exists (select from pg_available_extensions where name = 'cube') as there`,
  )
  return there
    ? ok('extension', 'cube')
    : fail('extension', 'cube is not installed', 'Install PostgreSQL’s contrib package (postgresql-contrib)')
}

async function rights(client: pg.Client): Promise<Finding> {
  const { may, account } = await one<{ may: boolean; account: string }>(
    client,
    `select has_schema_privilege(current_schema(), 'CREATE')
        and has_database_privilege(current_database(), 'CREATE') as may, current_user as account`,
  )
  return may
    ? ok('rights', `${account} may create tables`)
    : fail(
        'rights',
        `${account} may not create tables and schemas`,
        `Make it the owner: alter database … owner to "${account}"`,
      )
}

async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now()
  const { now } = await one<{ now: number }>(client, 'select extract(epoch from clock_timestamp())::float8 as now')
  const apart = now - (before + Date.now()) / 2000
  const says = `${Math.abs(apart).toFixed(1)} s off that of the database`
  return Math.abs(apart) <= CLOCK_SECONDS
    ? ok('clock', says)
    : fail('clock', says, 'Expiry depends on it: synchronise the clocks of both machines by NTP')
}

/** Compared as at a start; a generated secret does not fit existing keys. */
async function secretsFit(client: pg.Client, secret = ''): Promise<Finding[]> {
  try {
    await assertSecretOpensKeys(client, secret)
    return []
  } catch (error) {
    const mend = 'Set CAIRN_SECRET, or bring back the file "secret", with which the database was created'
    return [fail('secret', (error as Error).message, mend)]
  }
}

async function migrations(client: pg.Client): Promise<Finding> {
  if (await unfinishedRestore(client))
    return fail('migrations', 'a restore into this database is incomplete', 'Run cairn restore again')
  const here = await migrationsIn(MIGRATIONS)
  const applied = asBaseline(await appliedOn(client), here)
  if (!applied)
    return fail(
      'migrations',
      'the database is from before the baseline of migrations, and lacks migrations that the baseline includes',
      `Start the last release that has ${FORMER.last} on it once, then this one`,
    )
  const changed = here.filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  if (changed.length > 0)
    return fail(
      'migrations',
      `${changed[0]!.name} differs from the one that was applied`,
      'Start the release that belongs to this database',
    )
  const newer = [...applied.keys()].filter((name) => !here.some((one) => one.name === name))
  if (newer.length > 0)
    return warn('migrations', `the database has ${newer.at(-1)} of a newer release`, 'Start that release')
  const waiting = here.length - applied.size
  return ok(
    'migrations',
    waiting === 0 ? `all ${here.length} are applied` : `${waiting} will be applied at the next start`,
  )
}

/** Checks waiting and failed jobs, and disabled webhooks. */
async function work(client: pg.Client): Promise<Finding[]> {
  const { jobs, webhooks } = await one<{ jobs: boolean; webhooks: boolean }>(
    client,
    `select to_regclass('pgboss.job') is not null as jobs, to_regclass('webhook_endpoints') is not null as webhooks`,
  )
  const found: Finding[] = []
  if (jobs) {
    const queues = await jobQueues(client)
    const late = queues.filter(({ oldestWaitingSeconds }) => (oldestWaitingSeconds ?? 0) > 300)
    const failed = queues.filter((queue) => queue.failed > 0)
    for (const { name, waiting, oldestWaitingSeconds } of late)
      found.push(
        warn(
          'jobs',
          `${waiting} of ${name} wait, one since ${Math.round(oldestWaitingSeconds!)} s`,
          'Start a service or a worker (cairn worker)',
        ),
      )
    for (const queue of failed)
      found.push(
        warn('jobs', `${queue.failed} of ${queue.name} failed`, 'The log says why; their records can be retried'),
      )
    if (late.length === 0 && failed.length === 0) found.push(ok('jobs', 'none waiting for long, none failed'))
  }
  if (webhooks) {
    const { off } = await one<{ off: number }>(
      client,
      'select count(*)::int as off from webhook_endpoints where not enabled and disabled_reason is not null',
    )
    if (off > 0)
      found.push(
        warn(
          'webhooks',
          `${off} were disabled: they failed for a long time, or too many events waited`,
          'Their owners can enable them again',
        ),
      )
  }
  return found
}
