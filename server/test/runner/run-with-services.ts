import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useInMemoryTmp } from '../in-memory-tmp.ts'
import { requirePrograms } from '../programs/debian-packages.ts'
import { startDebianPostgres } from '../programs/debian-postgres.ts'
import { startRedis } from '../programs/redis/redis-server.ts'
import { startS3Server } from '../programs/s3/s3-server.ts'

/** Runs the server's tests again on external services: Debian's PostgreSQL 15, the oldest supported, and storage tests on both it and S3 (Debian's Ceph). Tests of several processes use Debian's Redis, those of several machines a replica and Debian's HAProxy. Also runs browser tests in Debian's Chromium, including pictures of the converter, GIS tests with Debian's GDAL and QGIS, those of the C# client with Debian's Mono, and a sample of all reference systems against Debian's PROJ. The short fault suite (faults/run.ts) runs beside the tests on S3. Prints all failures again at the end. With paths as arguments only those tests run. */

let stopping = false
const running = new Set<ChildProcess>()
// Databases and storage are ended in any case.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopping = true
    for (const child of running) child.kill(signal)
  })

/** Runs these test files. @returns the exit code */
const test = (files: string[], environment: Record<string, string>): Promise<number> =>
  run(['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...files], environment)

/** Runs a Node program to its end. @returns the exit code */
async function run(words: string[], environment: Record<string, string | undefined> = {}): Promise<number> {
  if (stopping) return 1
  const child = spawn(process.execPath, words, { stdio: 'inherit', env: { ...process.env, ...environment } })
  running.add(child)
  return new Promise((resolve) => {
    child.on('exit', (status) => {
      running.delete(child)
      resolve(status ?? 1)
    })
  })
}

const modules = readdirSync('server/modules').map((name) => `server/modules/${name}`)
/** Tests that upload, serve, read or delete files. */
const withFiles = [
  'files',
  'uploads',
  'photos',
  'scans',
  'surveys/fetch',
  'surveys/import',
  'surveys/uploads',
  'zones/removal',
  'players/profile',
  'users/erasure',
  'users/export',
].map((name) => `server/modules/${name}`)

requirePrograms(
  '/usr/bin/chromium',
  '/usr/bin/ogrinfo',
  '/usr/lib/python3/dist-packages/qgis/core',
  '/usr/bin/cs2cs',
  '/usr/share/doc/python3-apriltag',
  '/usr/bin/curl',
  '/usr/bin/jq',
  '/usr/bin/pdftoppm',
  '/usr/share/proj/BETA2007.gsb',
  '/usr/bin/radosgw',
  '/usr/bin/redis-server',
  '/usr/sbin/haproxy',
  '/usr/bin/faketime',
  '/usr/bin/mcs',
)
const { TMPDIR } = process.env
const forget = useInMemoryTmp()
const postgres = await startDebianPostgres({
  settings: { fsync: 'off', max_connections: 450, max_locks_per_transaction: 10, deadlock_timeout: '500ms' },
})
const s3 = await startS3Server()
const redis = await startRedis()
const notes = mkdtempSync(join(tmpdir(), 'cairn-failures-'))
const failures = join(notes, 'failures.txt')
const environment = {
  CAIRN_TEST_FAILURES: failures,
  CAIRN_TEST_DATABASE_URL: postgres.url,
  CAIRN_TEST_BROWSER: '1',
  CAIRN_TEST_GDAL: '1',
  CAIRN_TEST_QGIS: '1',
  CAIRN_TEST_PROJ: '1',
  CAIRN_TEST_APRILTAG: '1',
  CAIRN_TEST_MONO: '1',
  CAIRN_TEST_S3_URL: s3.url,
  CAIRN_TEST_REDIS_URL: redis.url,
  CAIRN_TEST_MACHINES: '1',
}
const platform = [
  'server/platform/database/migrate',
  'server/platform/storage/s3',
  'server/platform/backup',
  'server/cli/storage/files',
  'server/platform/database/replica/replica-marks',
  'server/platform/http/limits/shared-limits',
]
const chosen = process.argv.slice(2)
/** Tests that neither this database nor S3 can change. The ordinary and the long run cover them. */
const alike = [
  // Parsers, conversions, geometry, signatures and structures in memory.
  'server/modules/surveys/parser/**',
  'server/modules/files/conversion/{formats,options}/**',
  'server/modules/scans/{reading,preview}/**',
  'server/modules/scans/{inspector,hostile-scans,enrichment}.test.ts',
  'server/modules/tags/{detector/detector,process/photo-reader,sheet/sheet}.test.ts',
  'server/modules/localization/pose/**',
  'server/modules/places/{chords,geodesy,pose}.test.ts',
  'server/modules/reference-systems/**/!(*.proj).test.ts',
  'server/modules/pins/memory/**',
  'server/modules/tiles/points/**',
  'server/modules/fences/matching/**',
  'server/modules/exports/round-trip.test.ts',
  'server/modules/identity/forged-tokens.test.ts',
  'server/modules/player-tokens/forged-player-tokens.test.ts',
  'server/modules/scoring/{live/live-board,live/live-boards,ranks/memory/board-index,ranks/memory/rank-index}.test.ts',
  // Readings of survey files: the tests of import/ and of formats take the same way into the database.
  'server/modules/surveys/real-files/**',
  'server/modules/surveys/import/import-formats.test.ts',
  // Requests and answers: who may do what, and in which form.
  'server/test/access/**',
  'server/test/openapi/**',
  'server/test/rules/{hostile-models,hostile-content,conventions,secrets-in-logs}.test.ts',
  'server/test/attack/**',
  // On an embedded database of their own.
  'server/modules/accounts/{password-hash,first-admin,box-restart}.test.ts',
  // Kill a service whose files are in a folder; s3-kills.s3.test.ts does it on S3.
  'server/modules/{fences,photos/checks,scans,uploads,webhooks}/kills.test.ts',
  'server/modules/files/conversion/kills.test.ts',
  'server/modules/surveys/import/import-kills.test.ts',
  // The processes that read surveys, and waiting requests.
  'server/modules/surveys/import/import-sandbox.test.ts',
  'server/modules/files/conversion/wait-limits.test.ts',
]
/** Storage tests run here once, on both: the ordinary run covers the other database and a folder. One test of erasure is about PostgreSQL's locks, and is omitted on S3. */
const elsewhere = withFiles
  .filter((name) => !name.endsWith('users/erasure'))
  .flatMap((name) => [`${name}!(*.s3).test.ts`, `${name}/**/!(*.s3).test.ts`])
const without = (patterns: string[]) => patterns.flatMap((pattern) => ['--exclude', pattern])
const ordinary = [
  ...platform,
  'server/test',
  'usdz/browser',
  'usdz/test/pictures',
  'sdk/test/in-a-page',
  'sdk/test/positions',
  'sdk-csharp/test',
  'web/test',
  'examples',
  'faults/machines',
  'scripts/haproxy',
  'scripts/upgrade/postgres-majors',
  ...modules,
  ...without([...alike, ...elsewhere]),
]
const onS3 = [...withFiles, 'server/cli/storage/backup', ...without(alike)]
// `npm test` and `npm run test:long` omit these: a file that matches none of the words above, or has the tag of long tests, would never run. The words are parts of paths, not patterns.
const hereOnly = globSync(
  '{server,usdz,sdk,sdk-csharp,web,examples,faults,scripts}/**/*.{apriltag,browser,gdal,machines,mono,proj,qgis,redis,s3}.test.ts',
).filter((file) => !/node_modules/.test(file))
const isLong = (file: string) => /@module-tag long|tags: \['long'\]/.test(readFileSync(file, 'utf8'))
const unrun = hereOnly.filter((file) => !ordinary.some((part) => file.includes(part)) || isLong(file))
if (unrun.length > 0) throw new Error(`Nothing runs ${unrun.join(', ')}`)
// Once, before several test files would do it.
await run(['web/build.ts'])
// Long tests run once here, on S3: most of them store files.
const code = await test(chosen.length > 0 ? chosen : [...ordinary, '--tags-filter=!long'], environment)
const testOnS3 = () =>
  test([...(chosen.length > 0 ? chosen : onS3), ...without(['**/*.{proj,s3}.test.ts'])], {
    ...environment,
    CAIRN_TEST_STORAGE: 's3',
  })
// In parallel, because most of them wait; on the disk, which they also test.
const faults = async () =>
  chosen.length > 0 ? undefined : run(['faults/run.ts', '--short'], { TMPDIR, CAIRN_TEST_FAILURES: failures })
const [codeOnS3, codeOfFaults] = await Promise.all([testOnS3(), faults()])
await redis.stop()
await s3.stop()
await postgres.stop()
if (existsSync(failures)) console.log(`\nWhat failed:\n\n${readFileSync(failures, 'utf8')}`)
const outcomes = [code, codeOnS3, codeOfFaults].map((status) =>
  status === undefined ? 'not run' : status ? `failed (${status})` : 'passed',
)
console.log(`PostgreSQL 15 and browsers: ${outcomes[0]}; S3: ${outcomes[1]}; faults: ${outcomes[2]}`)
rmSync(notes, { recursive: true, force: true })
forget()
process.exitCode = code || codeOnS3 || codeOfFaults || 0
