import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkPackage } from '../../../usdz/index.ts'
import { boxGlb, unknownExtensionGlb } from '../../test/content/glb.ts'
import { bareEnvironment, ROOT } from '../../test/process.ts'

const SUZANNE = join(ROOT, 'scripts', 'tour', 'files', 'suzanne.glb')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-convert-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  for (const name of await readdir(folder)) await rm(join(folder, name))
  await writeFile(join(folder, 'in.glb'), boxGlb())
})

/** Runs the command in a folder without settings and without access to a database. */
function cairn(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'server', 'cli.ts'), 'convert', ...args], {
    cwd: folder,
    env: { ...bareEnvironment(), CAIRN_DATABASE_URL: 'postgres://nowhere.invalid/none' },
  })
  let [out, error] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    error += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, error })))
}
const files = async () => (await readdir(folder)).toSorted()

test('converts a model without settings or a database, and reports the result', { tags: ['long'] }, async () => {
  expect(await cairn(SUZANNE, 'out.usdz')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^out\.usdz: \d+ bytes, \d+ triangles, in \d+\.\d\d s\n/),
    error: '',
  })
  expect(checkPackage(await readFile(join(folder, 'out.usdz')))).toEqual([])
  expect(await files()).toEqual(['in.glb', 'out.usdz'])
})

test('--json prints one object with the whole report', async () => {
  const { code, out } = await cairn('in.glb', 'out.usdz', '--json')
  const { length: bytes } = await readFile(join(folder, 'out.usdz'))
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    output: 'out.usdz',
    bytes,
    seconds: expect.any(Number),
    triangles: 12,
    meshes: 1,
    notes: [],
  })
})

test('converts a USDZ to a GLB', { tags: ['long'] }, async () => {
  expect(await cairn('in.glb', 'there.usdz')).toMatchObject({ code: 0 })
  const { code, out } = await cairn('there.usdz', 'back.glb', '--json')
  expect([code, JSON.parse(out)]).toEqual([
    0,
    expect.objectContaining({ output: 'back.glb', triangles: 12, notes: [] }),
  ])
  expect(await cairn('there.usdz', 'b.glb', '--loop')).toMatchObject({ code: 2 })
  expect(await files()).toEqual(['back.glb', 'in.glb', 'there.usdz'])
})

test('takes the options of a conversion, and refuses those it does not know', { tags: ['long'] }, async () => {
  const { code, out } = await cairn('in.glb', 'out.usdz', '--json', '--scale', '10', '--profile', 'realitykit')
  expect([code, JSON.parse(out).size.width]).toEqual([0, 10])
  expect(await cairn('in.glb', 'a.usdz', '--profile', 'apple')).toMatchObject({
    code: 2,
    error: expect.stringContaining('The profile must be quicklook, spec, realitykit, not apple.'),
  })
  expect(await cairn('in.glb', 'a.usdz', '--scale', '0')).toMatchObject({ code: 2 })
  expect(await files()).toEqual(['in.glb', 'out.usdz'])
})

test('replaces a file only with --force', { tags: ['long'] }, async () => {
  await writeFile(join(folder, 'out.usdz'), 'dear')
  expect(await cairn('in.glb', 'out.usdz')).toMatchObject({ code: 1, error: expect.stringContaining('--force') })
  expect(await readFile(join(folder, 'out.usdz'), 'utf8')).toBe('dear')
  expect(await cairn('in.glb', 'out.usdz', '--force')).toMatchObject({ code: 0 })
  expect((await readFile(join(folder, 'out.usdz'))).subarray(0, 2).toString()).toBe('PK')
  expect(await files()).toEqual(['in.glb', 'out.usdz'])
})

test('prints the error, exits with 1, and leaves nothing behind', { tags: ['long'] }, async () => {
  await writeFile(join(folder, 'cut.glb'), boxGlb().slice(0, 100))
  await writeFile(join(folder, 'text.glb'), 'no model')
  await writeFile(join(folder, 'odd.glb'), unknownExtensionGlb())
  const before = await files()
  const faults = [
    ['cut.glb', 'out.usdz', /"cut\.glb" cannot be converted.*cut off/],
    ['text.glb', 'out.usdz', /not a GLB/],
    ['odd.glb', 'out.usdz', /EXT_of_test/],
    ['missing.glb', 'out.usdz', /"missing\.glb" cannot be read/],
    ['in.glb', 'no folder/out.usdz', /"no folder\/out\.usdz" cannot be written/],
  ] as const
  const answers = await Promise.all(faults.map(([input, output]) => cairn(input, output)))
  for (const [at, [, , why]] of faults.entries())
    expect(answers[at]).toMatchObject({ code: 1, out: '', error: expect.stringMatching(why) })
  expect(await files()).toEqual(before)
})

test('exits with 2 without two names', { tags: ['long'] }, async () => {
  const wrong = [[], ['in.glb'], ['in.glb', 'a.usdz', 'b'], ['in.glb', 'a.usdz', '--fast']]
  const codes = await Promise.all(wrong.map(async (args) => (await cairn(...args)).code))
  expect(codes).toEqual([2, 2, 2, 2])
})
