import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'

const run = promisify(execFile)
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const programsIn = async (page: string) =>
  [...(await readFile(page, 'utf8')).matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!)
let examples: string[]

/** An empty folder with the packed package installed in it, as a user of it has. */
let folder: string
let service: Service
beforeAll(async () => {
  examples = await programsIn(at('../README.md'))

  folder = await mkdtemp(join(tmpdir(), 'cairn-sdk-package-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: at('..') })
  const [archive] = await readdir(folder)
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: folder })
  await copyFile(at('../../scripts/tour/files/suzanne.glb'), join(folder, 'suzanne.glb'))
  service = await startService()
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the package holds no sources, needs no other package, and has the README', async () => {
  const installed = join(folder, 'node_modules', '@cairn', 'sdk')
  const files = await readdir(installed, { recursive: true })
  expect(files).toContain('README.md')
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file) || /test/.test(file))).toEqual([])
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  expect(dependencies).toBeUndefined()
})

test('every program of the README fits the types of the package, and runs', { tags: ['long'] }, async () => {
  expect(examples.length).toBeGreaterThan(5)
  const names = examples.map((_, i) => `example-${i}.ts`)
  for (const [i, code] of examples.entries()) await writeFile(join(folder, names[i]!), `${code}\nexport {}\n`)
  await checkTypes(names)

  const owner = await buildersOn(service).user()
  const { key } = await buildersOn(service).app({ owner })
  const env = {
    ...process.env,
    SERVICE_URL: service.url,
    APP_KEY: key,
    SESSION_TOKEN: owner.headers.authorization!.slice('Bearer '.length),
  }
  const outputs: string[] = []
  for (const name of names) outputs.push((await run(process.execPath, [name], { cwd: folder, env })).stdout)
  expect(outputs[0]).toBe('Ada is number 1\n')
  expect(outputs[1]).toContain('1 of 1\n')
  expect(outputs[2]).toContain('displayName')
  expect(outputs[4]).toMatch(/100 %\n.*\.usdz\n$/s)
  expect(outputs[5]).toBe('1. Ada with 1250\n')
  expect(outputs[6]).toMatch(/COMPLETED COMPLETED\n\d+ triangles near .+: http\S+\n$/)
})

/** What the programs of docs/ presume. */
const PRESUMED = `import type { Cairn, PositionFixInput } from '@cairn/sdk'
declare const cairn: Cairn
declare const playerId: string
declare const appId: string
declare const fenceId: string
declare const photo: Blob
declare const fix: PositionFixInput
type Save = { level: number }
type GameConfig = { event: string }
declare function apply(config: GameConfig): void
`

test('every program of the guides that uses a client fits its types', { tags: ['long'] }, async () => {
  const pages = (await readdir(at('../../docs'))).filter((page) => page.endsWith('.md'))
  const programs = (await Promise.all(pages.map((page) => programsIn(at(`../../docs/${page}`))))).flat()
  const ofClient = programs.filter((code) => /\bcairn\./.test(code))
  expect(ofClient.length).toBeGreaterThan(0)
  const names = ofClient.map((_, i) => `guide-${i}.ts`)
  for (const [i, code] of ofClient.entries()) await writeFile(join(folder, names[i]!), PRESUMED + code)
  await checkTypes(names)
})

/** @throws with the errors of the compiler */
async function checkTypes(names: string[]) {
  const types = ['--typeRoots', at('../../node_modules/@types'), '--types', 'node']
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', ...types]
  await run(at('../../node_modules/.bin/tsc'), ['--ignoreConfig', ...options, ...names], { cwd: folder })
}

/** The bytes that a page with this program loads. */
async function bundled(code: string): Promise<{ code: string; gzipped: number }> {
  await writeFile(join(folder, 'page.js'), code)
  const bundle = await rolldown({ input: join(folder, 'page.js'), platform: 'browser', cwd: folder })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return { code: output[0].code, gzipped: gzipSync(output[0].code).length }
}

test('a bundler keeps the areas that a page uses, and leaves out the others', async () => {
  const some = await bundled(
    `import { connect, pins } from '@cairn/sdk'; pins(connect({ baseUrl: '' })).near(0, 0).first().then(console.log)`,
  )
  expect(some.code).toContain('/api/location/pins')
  for (const other of ['/api/gcp', '/api/v1/apps', '/auth/', 'tus-resumable', 'event-stream'])
    expect(some.code).not.toContain(other)
  const all = await bundled(`import { createCairn } from '@cairn/sdk'; console.log(createCairn({ baseUrl: '' }))`)
  expect(all.code).toContain('tus-resumable')
  if (process.env.CAIRN_TEST_SIZES) console.log(`pins alone ${some.gzipped} bytes gzipped, everything ${all.gzipped}`)
  expect(some.gzipped).toBeLessThan(3_500)
  expect(all.gzipped).toBeLessThan(9_000)
  expect(await bundled(`import '@cairn/sdk'`)).toMatchObject({ code: expect.stringMatching(/^\s*$/) })
})
