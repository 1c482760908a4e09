import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Generates generated/types.gen.ts from openapi.json: `node sdk/generate.ts`. With --check it only compares hashes, without running the generator. The generator is installed in its own folder on first use, because it needs TypeScript 5 and the project has 7. */
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const TYPES = at('./generated/types.gen.ts')
const SOURCE = at('./generated/source.json')

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Hashes of the input and output, to detect stale or edited types. */
const source = () => ({
  openapi: hashOf(at('../openapi.json')),
  generator: JSON.parse(readFileSync(at('./generator/package.json'), 'utf8')).devDependencies as object,
  types: hashOf(TYPES),
})

function run(command: string, args: string[], cwd: string) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(error?.message ?? `${stdout}\n${stderr}`)
}

function generate() {
  const generator = at('./generator')
  if (!existsSync(join(generator, 'node_modules')))
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], generator)
  const folder = mkdtempSync(join(tmpdir(), 'cairn-sdk-'))
  try {
    const program = 'node_modules/@hey-api/openapi-ts/bin/run.js'
    const options = ['--input', at('../openapi.json'), '--output', folder, '--plugins', '@hey-api/typescript']
    run(process.execPath, [program, ...options, '--no-log-file'], generator)
    cpSync(join(folder, 'types.gen.ts'), TYPES)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  writeFileSync(SOURCE, `${JSON.stringify(source(), null, 2)}\n`)
}

if (!process.argv.includes('--check')) generate()
else if (readFileSync(SOURCE, 'utf8') !== `${JSON.stringify(source(), null, 2)}\n`) {
  console.error('sdk/generated does not fit openapi.json: run node sdk/generate.ts and commit the result')
  process.exitCode = 1
}
