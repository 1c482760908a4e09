import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { S3_PACKAGES, startS3Server } from './s3-server.ts'

/** Runs the server's tests once more on what an operator may bring: PostgreSQL 15 from Debian, the oldest that is supported, and files on S3, which is Debian's Ceph. Tests that need a browser run here too, in Debian's Chromium, the converter's pictures among them, and those of what GIS programs read, with Debian's GDAL. With paths behind the command only those tests run. */

const PROGRAMS = '/usr/lib/postgresql/15/bin'

const isRoot = process.getuid?.() === 0

function install(packages: string[]) {
  if (!isRoot) {
    console.error(
      `Missing: ${packages.join(' ')}. Install them (apt-get install ${packages.join(' ')}), or run this as root.`,
    )
    process.exit(1)
  }
  console.log(`Installing ${packages.join(' ')} ...`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  succeed(spawnSync('apt-get', ['update', '-q'], { env: environment, encoding: 'utf8' }))
  succeed(
    spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', ...packages], {
      env: environment,
      encoding: 'utf8',
    }),
  )
}

function succeed({ status, stdout, stderr, error }: SpawnSyncReturns<string>) {
  if (status === 0) return
  console.error(error?.message ?? `${stdout}\n${stderr}`)
  process.exit(1)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** A PostgreSQL 15 of its own in a temporary folder, on loopback. */
async function startPostgres15() {
  if (!existsSync(join(PROGRAMS, 'initdb'))) install(['postgresql-15'])
  const folder = mkdtempSync(join(tmpdir(), 'cairn-postgres15-'))
  const account = isRoot ? postgresAccount() : {}
  if (isRoot) chownSync(folder, account.uid!, account.gid!)
  const data = join(folder, 'data')
  succeed(
    spawnSync(join(PROGRAMS, 'initdb'), ['-D', data, '-U', 'cairn', '-E', 'UTF8', '--locale=C', '--auth=trust'], {
      ...account,
      cwd: folder,
      encoding: 'utf8',
    }),
  )
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'off',
    max_connections: 300,
  }
  const server = spawn(
    join(PROGRAMS, 'postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...account, cwd: folder, stdio: 'ignore' },
  )
  const url = `postgres://cairn@127.0.0.1:${port}/postgres`
  for (let attempt = 0; !(await answers(url)); attempt++) {
    if (attempt > 100 || server.exitCode !== null) throw new Error('PostgreSQL 15 did not start')
    await sleep(100)
  }
  return {
    url,
    stop: async () => {
      server.kill('SIGINT')
      await new Promise((resolve) => server.on('exit', resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function postgresAccount(): { uid?: number; gid?: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))!
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

async function answers(url: string) {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

let stopping = false
let running: ChildProcess | undefined
// The databases and the storage are ended all the same.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopping = true
    running?.kill(signal)
  })

/** Runs these test files. @returns the exit code */
async function test(files: string[], environment: Record<string, string>): Promise<number> {
  if (stopping) return 1
  const tests = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  running = tests
  return new Promise((resolve) => tests.on('exit', (status) => resolve(status ?? 1)))
}

const modules = readdirSync('server/modules').map((name) => `server/modules/${name}`)
/** What uploads, serves, reads or removes files. */
const withFiles = [
  'files',
  'uploads',
  'photos',
  'surveys/fetch',
  'surveys/import',
  'surveys/uploads',
  'zones/removal',
  'players/profile',
  'users/erasure',
]

if (!existsSync('/usr/bin/chromium')) install(['chromium'])
if (!existsSync('/usr/bin/ogrinfo')) install(['gdal-bin'])
if (!existsSync('/usr/bin/radosgw')) install(S3_PACKAGES)
const postgres = await startPostgres15()
const s3 = await startS3Server()
const environment = {
  CAIRN_TEST_DATABASE_URL: postgres.url,
  CAIRN_TEST_BROWSER: '1',
  CAIRN_TEST_GDAL: '1',
  CAIRN_TEST_S3_URL: s3.url,
}
const platform = ['server/platform/database/migrate', 'server/platform/storage/s3', 'server/cli/files']
const chosen = process.argv.slice(2)
const all = chosen.length > 0 ? chosen : [...platform, 'server/test', 'usdz/test/pictures', ...modules]
const files = chosen.length > 0 ? chosen : withFiles.map((name) => `server/modules/${name}`)
/** What other databases and stores make no difference to. */
const alike = ['--exclude', 'server/test/hostile-models.test.ts']
const code = await test([...all, ...(chosen.length > 0 ? [] : alike)], environment)
const codeOnS3 = await test([...files, '--exclude', '**/*.s3.test.ts'], { ...environment, CAIRN_TEST_STORAGE: 's3' })
await s3.stop()
await postgres.stop()
process.exitCode = code || codeOnS3
