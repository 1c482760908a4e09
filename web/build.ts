import { createHash } from 'node:crypto'
import { glob, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Builds the console into web/dist if its sources have changed: `node web/build.ts`. */

const ROOT = join(import.meta.dirname, '..')
const DIST = join(import.meta.dirname, 'dist')
/** The build directory. It replaces DIST when complete, so a running service never sees a partial build. */
const MADE = join(import.meta.dirname, `dist-${process.pid}`)
const STAMP = '.made-of'
const MADE_OF = [
  'web/src/**/*',
  'web/public/**/*',
  'web/*.html',
  'web/*.ts',
  'sdk/*.ts',
  'sdk/http/*.ts',
  'sdk/resources/*.ts',
  'sdk/generated/*',
  'tsconfig.json',
  'package-lock.json',
]

/** Held while building, so that parallel processes, such as tests, build only once. */
const LOCK = join(import.meta.dirname, 'dist-lock')
/** Longer than any build takes. */
const LOCK_TIMEOUT_MS = 180_000

const isStale = async (fingerprint: string) =>
  (await readFile(join(DIST, STAMP), 'utf8').catch(() => '')) !== fingerprint

const fingerprint = await fingerprintOf(MADE_OF)
if (await isStale(fingerprint)) {
  await lock()
  try {
    if (await isStale(fingerprint)) await make()
  } finally {
    await rm(LOCK, { force: true })
  }
}

async function make() {
  const startedAt = performance.now()
  console.error('Building the console (once) ...')
  // Everyone, including tests, gets the production build.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const configFile = join(import.meta.dirname, 'vite.config.ts')
  try {
    await build({ configFile, logLevel: 'warn', build: { outDir: MADE } })
    await compressAll()
    await writeFile(join(MADE, STAMP), fingerprint)
    await rm(DIST, { recursive: true, force: true })
    await rename(MADE, DIST)
  } finally {
    await rm(MADE, { recursive: true, force: true })
  }
  console.error(`The console was built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

async function lock(): Promise<void> {
  for (let waits = 0; ; waits++) {
    if (waits === 5) console.error('Another process builds the console: waiting for it ...')
    try {
      return await writeFile(LOCK, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (await isHolderGone()) await rm(LOCK, { force: true })
    else await sleep(200)
  }
}

/** Whether the process that holds the lock has ended. Its PID may have been reused, even by this process. */
async function isHolderGone(): Promise<boolean> {
  const since = await stat(LOCK).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  )
  if (Date.now() - since > LOCK_TIMEOUT_MS) return true
  const pid = Number(await readFile(LOCK, 'utf8').catch(() => ''))
  if (!pid) return false
  if (pid === process.pid) return true
  try {
    return !process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** A hash of the files' names and contents. */
async function fingerprintOf(patterns: string[]): Promise<string> {
  const hash = createHash('sha256')
  const files = await Array.fromAsync(glob(patterns, { cwd: ROOT, withFileTypes: true }))
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  for (const path of paths.sort()) {
    hash.update(`${path.slice(ROOT.length)}\0`)
    hash.update(await readFile(path))
  }
  return hash.digest('hex')
}

/** Replaces static files by compressed ones, which every browser takes. The page itself is rendered per request. */
async function compressAll() {
  const files = await Array.fromAsync(glob('assets/**/*.{js,css,svg,json,wasm}', { cwd: MADE }))
  for (const file of files) {
    const path = join(MADE, file)
    const bytes = await readFile(path)
    if (bytes.length < 1024) continue
    // The best takes seconds for the map and the model viewer.
    const quality = bytes.length < 500_000 ? 11 : 9
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
    await rm(path)
  }
}
