import { createHash } from 'node:crypto'
import { glob, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Builds the console into web/dist when what it is made of has changed since the last time; `node web/build.ts`. */

const ROOT = join(import.meta.dirname, '..')
const DIST = join(import.meta.dirname, 'dist')
const STAMP = join(DIST, '.made-of')
const MADE_OF = [
  'web/src/**/*',
  'web/public/**/*',
  'web/index.html',
  'web/*.ts',
  'sdk/*.ts',
  'sdk/areas/*.ts',
  'sdk/generated/*',
  'tsconfig.json',
  'package-lock.json',
]

const fingerprint = await fingerprintOf(MADE_OF)
if ((await readFile(STAMP, 'utf8').catch(() => '')) !== fingerprint) {
  const startedAt = performance.now()
  console.error('Building the console (once) ...')
  await rm(STAMP, { force: true })
  const { build } = await import('vite')
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  await compressAll()
  await writeFile(STAMP, fingerprint)
  console.error(`The console was built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

/** A hash of the names and contents of the files. */
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

/** Beside each file of text one that is compressed, so that the service need not do it for each request. The page itself is written anew for each. */
async function compressAll() {
  const files = await Array.fromAsync(glob('**/*.{js,css,svg,json,wasm}', { cwd: DIST }))
  for (const file of files) {
    const path = join(DIST, file)
    const bytes = await readFile(path)
    if (bytes.length < 1024) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}
