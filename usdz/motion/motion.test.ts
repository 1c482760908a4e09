import { EXTMeshGPUInstancing } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { numberOf } from '../layers/read-values.ts'
import { withJson } from '../test/content/models.ts'
import { movingModel, turn } from '../test/features/models/animated-model.ts'
import { openUsdz } from '../test/open-usdz.ts'

const failureOf = (glb: Uint8Array, options = {}) => convert(glb, options).catch((error: unknown) => error)
type Sampler = { input: number; output: number; interpolation?: string }
type Animated = {
  animations: { samplers: Sampler[]; channels: { sampler: number; target: Record<string, unknown> }[] }[]
  nodes: Record<string, unknown>[]
}

/** A square moved by three different clips. */
async function dancer(): Promise<Uint8Array> {
  const model = movingModel()
  const node = model.node('Dancer', model.mesh('Dress', model.square()))
  for (const [index, clip] of ['Sit', 'Walk', 'Run'].entries()) {
    const values = [0, index + 1].map((x) => [x, 0, 0])
    model.move(clip, node, 'translation', [0, index + 0.5], values)
  }
  return await model.glb()
}

/** A square with one channel of the given keys. */
async function wave(times: number[], values: number[][], path: 'translation' | 'rotation' = 'translation') {
  const model = movingModel()
  model.move('Wave', model.node('Flag', model.mesh('Cloth', model.square())), path, times, values)
  return await model.glb()
}

describe('clips', () => {
  test('are placed in sequence at whole time codes, the first one first', async () => {
    const { usdz, report } = await convert(await dancer())
    expect(report.animations).toBe(3)
    expect(report.clips).toEqual([
      { name: 'Sit', index: 0, start: 0, end: 0.5 },
      { name: 'Walk', index: 1, start: 31 / 60, end: 31 / 60 + 1.5 },
      { name: 'Run', index: 2, start: 122 / 60, end: 122 / 60 + 2.5 },
    ])
    const names = ['startTimeCode', 'endTimeCode', 'timeCodesPerSecond']
    const usd = openUsdz(usdz)
    expect(names.map((name) => numberOf(usd.stage.crate, usd.metadata(name)))).toEqual([0, 272, 60])
  })

  test('begin with the selected one, by name or number, and end with it on request', async () => {
    const glb = await dancer()
    const order = async (options: object) => (await convert(glb, options)).report.clips.map(({ name }) => name)
    expect(await order({ clip: 'Run' })).toEqual(['Run', 'Sit', 'Walk'])
    expect(await order({ clip: 1 })).toEqual(['Walk', 'Sit', 'Run'])
    const { report } = await convert(glb, { clip: 'Walk', onlyClip: true })
    expect(report.clips).toEqual([{ name: 'Walk', index: 1, start: 0, end: 1.5 }])
    expect(report.notes).toEqual([
      { code: 'animations', effect: 'left_out', message: 'Only the selected animation is written.', count: 2 },
    ])
    expect(await failureOf(glb, { clip: 'Fly' })).toMatchObject({
      code: 'unsupported',
      message: 'There is no animation named "Fly"; available: "Sit", "Walk", "Run".',
    })
    const still = movingModel()
    still.node('Square', still.mesh('Square', still.square()))
    expect(await failureOf(await still.glb(), { clip: 0 })).toMatchObject({
      message: 'There is no animation number 0; no animation moves anything visible.',
    })
  })

  test('that move nothing visible are omitted with a note', async () => {
    const model = movingModel()
    model.node('Square', model.mesh('Square', model.square()))
    model.move(
      'Look',
      model.node('Eye'),
      'translation',
      [0, 1],
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
    )
    const { report } = await convert(await model.glb())
    expect(report).toMatchObject({ animations: 0, clips: [] })
    expect(report.notes.map(({ code }) => code)).toContain('animations')
  })
})

describe('keys', () => {
  test('at the same time are reduced to the last one, with a note', async () => {
    const { report } = await convert(
      await wave(
        [0, 1, 1, 2],
        [0, 1, 5, 2].map((x) => [x, 0, 0]),
      ),
    )
    expect(report.notes).toEqual([{ code: 'animation_keys', effect: 'changed', message: expect.any(String), count: 1 }])
  })

  test.each([
    ['before the one they follow', [0, 2, 1], /animation 0 "Wave", channel 0: key 2 is before the key it follows/],
    ['at no time', [0, Number.NaN, 1], /animation 0 "Wave", channel 0: key 1 is at NaN seconds/],
    ['after years', [0, 1, 1e9], /key 2 is at 1000000000 seconds/],
  ])('%s are refused', async (_, times, message) => {
    const glb = await wave(
      times,
      [0, 1, 2].map((x) => [x, 0, 0]),
    )
    expect(await failureOf(glb)).toMatchObject({ code: 'malformed', message: expect.stringMatching(message) })
  })

  test('that are zero rotations, or not finite, are refused', async () => {
    const still = [0, 0, 0, 1]
    expect(await failureOf(await wave([0, 1], [still, [0, 0, 0, 0]], 'rotation'))).toMatchObject({
      message: 'animation 0 "Wave", channel 0: the rotation of key 1 has length zero.',
    })
    expect(
      await failureOf(
        await wave(
          [0, 1],
          [
            [0, 0, 0],
            [0, Infinity, 0],
          ],
        ),
      ),
    ).toMatchObject({
      message: 'animation 0 "Wave", channel 0: the value of key 1 is not a finite number.',
    })
  })

  test.each<[string, (json: Animated) => void, RegExp]>([
    ['a sampler', (json) => (json.animations[0]!.channels[0]!.sampler = 7), /sampler/],
    ['an accessor', (json) => (json.animations[0]!.samplers[0]!.input = 99), /accessor/],
    ['a node', (json) => (json.animations[0]!.channels[0]!.target.node = 99), /node/],
    ['a path', (json) => (json.animations[0]!.channels[0]!.target.path = 'colour'), /its path is "colour"/],
    ['a way', (json) => (json.animations[0]!.samplers[0]!.interpolation = 'SMOOTH'), /its interpolation is "SMOOTH"/],
    ['as many values', (json) => (json.animations[0]!.samplers[0]!.interpolation = 'CUBICSPLINE'), /2 keys but values/],
  ])('that lack %s are refused', async (_, damage, message) => {
    const glb = withJson(
      await wave(
        [0, 1],
        [
          [0, 0, 0],
          [1, 0, 0],
        ],
      ),
      (json) => damage(json as Animated),
    )
    expect(await failureOf(glb)).toMatchObject({ code: 'malformed', message: expect.stringMatching(message) })
  })
})

test('animates node transforms by pointers, and names other pointers in a note', async () => {
  const glb = withJson(
    await wave(
      [0, 1],
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
    ),
    (json) => {
      const { animations } = json as Animated
      const [{ channels, samplers }] = animations as [Animated['animations'][0]]
      const pointer = (to: string) => ({ path: 'pointer', extensions: { KHR_animation_pointer: { pointer: to } } })
      channels[0]!.target = pointer('/nodes/0/translation')
      channels.push({ sampler: 0, target: pointer('/materials/3/emissiveFactor') })
      samplers.push(samplers[0]!)
      json.extensionsUsed = ['KHR_animation_pointer']
    },
  )
  const { report } = await convert(glb)
  expect(report.animations).toBe(1)
  expect(report.notes.map(({ message }) => message).join()).toContain('/materials/*/emissiveFactor')
})

test('names a node that an animation mirrors in a note', async () => {
  const notesOf = async (last: number) => {
    const model = movingModel()
    const values = [1, last].map((x) => [x, 1, 1])
    model.move('Flip', model.node('Card', model.mesh('Card', model.square())), 'scale', [0, 1], values)
    return (await convert(await model.glb())).report.notes.map(({ code }) => code)
  }
  expect(await notesOf(-1)).toEqual(['mirrored_in_motion'])
  expect(await notesOf(0)).toEqual([])
})

test('keeps the four largest weights a vertex for Quick Look, and all otherwise', async () => {
  const model = movingModel()
  const joints = model.chain(7)
  model.body('Eel', model.mesh('Eel', model.bar(7, 6)), model.skin(joints))
  const glb = await model.glb()
  const { report, usdz } = await convert(glb)
  const weightNotes = (notes: readonly { code: string }[]) => notes.filter(({ code }) => code === 'skin_weights')
  expect(weightNotes(report.notes)).toEqual([
    {
      code: 'skin_weights',
      effect: 'changed',
      message: expect.stringMatching(/keep the 4 largest weights; at most \d+\.\d % /),
      count: 58,
    },
  ])
  const spec = await convert(glb, { profile: 'spec' })
  expect(weightNotes(spec.report.notes)).toEqual([])
  const indices = (bytes: Uint8Array) => openUsdz(bytes).integers('/Root/Deforming/Eel.primvars:skel:jointIndices')!
  expect(indices(spec.usdz).length / indices(usdz).length).toBe(6 / 4)
})

test('shares joints between skins with equal bind transforms, and duplicates others', async () => {
  const model = movingModel()
  const joints = model.chain(2)
  const bound = model.skin(joints)
  model.body('One', model.mesh('One', model.bar(2)), bound)
  model.body('Same', model.mesh('Same', model.bar(2)), model.skin(joints))
  const jointsOf = async () =>
    openUsdz((await convert(await model.glb())).usdz).tokens('/Root/Deforming/Skeleton.joints')!
  expect(await jointsOf()).toEqual(['Origin', 'Origin/Joint_0', 'Origin/Joint_0/Joint_1'])
  joints[1]!.setTranslation([0, 1, 0.5])
  model.body('Other', model.mesh('Other', model.bar(2)), model.skin(joints))
  expect(await jointsOf()).toEqual([
    'Origin',
    'Origin/Joint_0',
    'Origin/Joint_0/Joint_1',
    'Origin/Joint_0/Joint_1/Joint_1_bind',
  ])
})

test('draws instances of a skinned mesh once, with a note', async () => {
  const model = movingModel()
  const skin = model.skin(model.chain(2))
  const instances = model.document
    .createExtension(EXTMeshGPUInstancing)
    .createInstancedMesh()
    .setAttribute('TRANSLATION', model.accessor('VEC3', Float32Array.of(0, 0, 0, 5, 0, 0)))
  model.body('Bar', model.mesh('Bar', model.bar(2)), skin).setExtension('EXT_mesh_gpu_instancing', instances)
  const { report } = await convert(await model.glb())
  expect(report.meshes).toBe(1)
  expect(report.notes).toContainEqual(expect.objectContaining({ code: 'skinned_instances' }))
})

test('refuses more animated properties than viewers play', { tags: ['long'] }, async () => {
  const glb = withJson(
    await wave(
      [0, 1],
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
    ),
    (json) => {
      const { animations, nodes } = json as unknown as Animated & { scenes: { nodes: number[] }[] }
      const { channels } = animations[0]!
      for (let index = nodes.length; index <= 30_000; index++) {
        nodes.push({ mesh: nodes[0]!.mesh })
        ;(json.scenes as { nodes: number[] }[])[0]!.nodes.push(index)
        channels.push({ sampler: 0, target: { node: index, path: 'translation' } })
      }
    },
  )
  expect(await failureOf(glb)).toMatchObject({
    code: 'too_large',
    message: 'The animations move 30001 properties of nodes; at most 30000 are written.',
  })
})

test('refuses excessive keys in few bytes', { tags: ['long'] }, async () => {
  const model = movingModel()
  const many = Array.from({ length: 30_000 }, (_, index) => index / 1000)
  const turns = many.map((_, index) => turn([0, 1, index % 3], (index % 2) * 179))
  for (let index = 0; index < 10; index++) {
    model.move('Spin', model.node(`Top ${index}`, model.mesh('Top', model.square())), 'rotation', many, turns)
  }
  expect(await failureOf(await model.glb())).toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('keys'),
  })
})
