import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writePackage } from './package/zip.ts'
import packed from './package.json' with { type: 'json' }
import { broken } from './test/content/broken-packages.ts'
import { binaryStl } from './test/content/mesh-files.ts'
import { image, squareGlb } from './test/content/models.ts'
import { movingModel } from './test/features/models/animated-model.ts'

const command = fileURLToPath(new URL('./cli.ts', import.meta.url))
const [, , shifted] = broken.find(([rule]) => rule === 'ByteAlignmentChecker')!
let folder: string

async function usdz(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, [command, ...args], { cwd: folder })
  let out = ''
  let error = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    error += text
  })
  const code = await new Promise<number | null>((done) => child.on('close', done))
  return { code, out, error }
}

/** A square with two animations, the first without a name. */
async function twoClips(): Promise<Uint8Array> {
  const model = movingModel()
  const node = model.node('Square', model.mesh('Square', model.square()))
  for (const name of ['', 'Nod'])
    model.move(
      name,
      node,
      'translation',
      [0, 1],
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
    )
  return await model.glb()
}

describe('the usdz command', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usdz-cli-'))
    await writeFile(join(folder, 'in.glb'), await squareGlb())
    await writeFile(join(folder, 'no.glb'), 'no model')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('converts its own output to a GLB, and refuses options of the other direction', { tags: ['long'] }, async () => {
    expect((await usdz('convert', 'in.glb', 'there.usdz')).code).toBe(0)
    const { code, out } = await usdz('convert', 'there.usdz', 'back.glb', '--json')
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ triangles: 2, meshes: 1, notes: [] })])
    expect((await readFile(join(folder, 'back.glb'))).subarray(0, 4).toString()).toBe('glTF')
    expect(await usdz('convert', 'there.usdz', 'back.glb', '--scale', '2')).toMatchObject({
      code: 2,
      error: expect.stringContaining('--scale is for conversions to USDZ.'),
    })
    expect((await usdz('convert', 'no.glb', 'back.glb')).code).toBe(2)
  })

  test('converts a file, reports, and accepts its own output', { tags: ['long'] }, async () => {
    const converted = await usdz('convert', 'in.glb', 'out.usdz', '--json')
    expect(converted.code).toBe(0)
    expect(JSON.parse(converted.out)).toMatchObject({ triangles: 2, meshes: 1, materials: 1, notes: [] })
    expect((await readFile(join(folder, 'out.usdz'))).subarray(0, 2).toString()).toBe('PK')
    const checked = await usdz('check', 'out.usdz')
    expect(checked.code).toBe(0)
    expect(checked.out).toMatch(/^passed {3}ByteAlignmentChecker: The data of every file/m)
    expect(checked.out).toMatch(/^out\.usdz: \d+ rules, all passed\.$/m)
  })

  test('names the broken rules of a package and their location', async () => {
    await writeFile(join(folder, 'text.usdz'), writePackage([{ name: 'a.usda', parts: [Buffer.from('#usda 1.0\n')] }]))
    const checked = await usdz('check', 'text.usdz')
    expect(checked.code).toBe(1)
    expect(checked.out).toMatch(/^failed {3}ARKitRootLayerChecker: .*\n {11}- The first file is a\.usda/m)
    expect(checked.out).toMatch(/^ {11}To repair: --fix puts a single binary layer first;/m)
    expect(checked.out).toMatch(/^failed {3}StageMetadataChecker:/m)
    expect(checked.out).toMatch(/2 failed/)
    const json = JSON.parse((await usdz('check', 'text.usdz', '--json')).out)
    expect(json.ok).toBe(false)
    expect(json.rules).toContainEqual(expect.objectContaining({ rule: 'ARKitRootLayerChecker', state: 'failed' }))
  })

  test('repairs a package into another file, says what was repaired, and exits by the rules of the result', async () => {
    await writeFile(join(folder, 'shifted.usdz'), shifted)
    const fixed = await usdz('check', 'shifted.usdz', '--fix', 'straight.usdz')
    expect(fixed).toMatchObject({ code: 0, error: '' })
    expect(fixed.out).toMatch(/^repaired Files begin at multiples of 64 bytes: model\.usdc/)
    expect(await usdz('check', 'straight.usdz')).toMatchObject({ code: 0 })
    expect(await usdz('check', 'shifted.usdz', '--fix', 'in.glb')).toMatchObject({ code: 2 })
    expect(await usdz('check', 'in.glb', '--fix', 'b.usdz')).toMatchObject({
      code: 1,
      error: 'in.glb cannot be repaired: it is no ZIP archive, or files in it are damaged, encrypted or too large.\n',
    })
  })

  test('exits with 1 and prints why a file is refused', async () => {
    const refused = await usdz('convert', 'no.glb', 'out2.usdz', '--json')
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.out)).toMatchObject({ code: 'malformed' })
    expect(refused.error).toContain('not a GLB')
    expect(await usdz('check', 'in.glb')).toMatchObject({ code: 1 })
  })

  test('refuses an output file that is not .usdz, so that no model is overwritten', async () => {
    const before = await readFile(join(folder, 'in.glb'))
    for (const output of ['in.glb', 'other.glb', 'out']) {
      const said = await usdz('convert', 'in.glb', output)
      expect(said).toMatchObject({ code: 2, error: expect.stringContaining(`end in .usdz, not ${output}.`) })
    }
    expect(await readFile(join(folder, 'in.glb'))).toEqual(before)
  })

  test('lists animations with the number for --clip, and their name if they have one', {
    tags: ['long'],
  }, async () => {
    await writeFile(join(folder, 'moving.glb'), await twoClips())
    const { out } = await usdz('convert', 'moving.glb', 'moving.usdz')
    expect(out).toMatch(/^ {2}animation 0: 0\.00 to 1\.00 s\n {2}animation 1 "Nod": 1\.\d\d to 2\.\d\d s$/m)
  })

  test('passes options on: scale, texture size, anchor and its image', { tags: ['long'] }, async () => {
    await writeFile(join(folder, 'poster.png'), await image([1, 2, 3]))
    const anchor = ['--anchor', 'image', '--anchor-image', 'poster.png', '--anchor-width', '0.2']
    const rest = ['--scale', '0.00001', '--max-texture-size', '512', '--loop']
    const converted = await usdz('convert', 'in.glb', 'placed.usdz', ...anchor, ...rest)
    expect(converted).toMatchObject({ code: 0, error: '' })
    expect(converted.out).toContain('size in AR: 0.00001 × 0.00001 × 0 m (width, height, depth); if its unit')
    expect((await readFile(join(folder, 'placed.usdz'))).includes('textures/anchor.png')).toBe(true)
    for (const [wrong, message] of [
      [['--scale', 'big'], '--scale big is no number.'],
      [['--anchor', 'sky'], 'must be plane, image or face, not sky.'],
      [['--anchor', 'image'], 'needs --anchor-image <file> and --anchor-width <metres>.'],
      [['--alignment', 'vertical'], '--alignment needs --anchor plane.'],
    ] as const) {
      const refused = await usdz('convert', 'in.glb', 'a.usdz', ...wrong)
      expect(refused).toMatchObject({ code: 2, error: expect.stringContaining(message) })
    }
  })

  test('says which unit it assumes for a file whose format has none', { tags: ['long'] }, async () => {
    await writeFile(join(folder, 'lamp.stl'), binaryStl('solid lamp'))
    const { out } = await usdz('convert', 'lamp.stl', 'lamp.usdz', '--scale', '0.001')
    expect(out).toContain('size in AR: 0.002 × 0.003 × 0.004 m')
    expect(out).toContain('the file has no unit of length: 1 becomes 0.001 m')
  })

  test('names a file that cannot be read', async () => {
    for (const args of [
      ['convert', '.', 'out.usdz'],
      ['check', '.'],
    ]) {
      expect(await usdz(...args)).toMatchObject({ code: 3, error: expect.stringContaining('. cannot be read: EISDIR') })
    }
  })

  test('exits with 2 and prints the usage for invalid arguments, with 3 for a missing file', {
    tags: ['long'],
  }, async () => {
    for (const args of [[], ['convert', 'in.glb'], ['convert', 'in.glb', 'a', 'b']]) {
      const usage = expect.stringContaining('usdz convert <in.glb|ply|stl|obj>')
      expect(await usdz(...args)).toMatchObject({ code: 2, error: usage })
    }
    for (const [args, message] of [
      [['fly'], 'There is no command fly.'],
      [['check', 'x', '--fast'], "Unknown option '--fast'"],
      [
        ['convert', 'in.glb', 'a.usdz', '--profile', 'apple'],
        'The profile must be quicklook, spec, realitykit, not apple.',
      ],
      [
        ['convert', 'in.glb', 'a.usdz', '--max-texture-size', '15'],
        '--max-texture-size must be a whole number from 16 to 16384, not 15.',
      ],
    ] as const) {
      const { code, error } = await usdz(...args)
      expect([code, error.split('\n')[0]]).toEqual([2, expect.stringContaining(message)])
      expect(error).toMatch(/usdz --help lists the commands and options\.\n$/)
    }
    expect(await usdz('convert', 'in.glb', 'missing/out.usdz')).toMatchObject({
      code: 3,
      error: expect.stringContaining('missing/out.usdz cannot be written: ENOENT'),
    })
    expect(await usdz('convert', 'missing.glb', 'out.usdz')).toMatchObject({
      code: 3,
      error: expect.stringContaining('missing.glb'),
    })
    expect(await usdz('convert', 'in.glb', 'a.usdz', '--profile', 'apple')).toMatchObject({
      error: expect.stringContaining('must be quicklook, spec, realitykit, not apple'),
    })
    expect(await usdz('--help')).toMatchObject({ code: 0 })
    expect(await usdz('--version')).toEqual({ code: 0, out: `${packed.version}\n`, error: '' })
  })
})
