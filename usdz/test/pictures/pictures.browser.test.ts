import type { Node } from '@gltf-transform/core'
import { KHRLightsPunctual, KHRTextureBasisu } from '@gltf-transform/extensions'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { ktx2 } from '../content/ktx2.ts'
import { givenModel } from '../content/models.ts'
import { sampleModel } from '../content/sample-models.ts'
import { howOf } from '../features/feature.ts'
import { movingModel, turn } from '../features/models/animated-model.ts'
import { paint } from '../features/models/soft-bodies.ts'
import { cube } from '../features/models/solids.ts'
import { rows } from '../features/table.ts'
import { openStudio, type PictureStudio } from './browser.ts'
import { compare } from './compare.ts'
import { excusesOf } from './excuses.ts'
import { alike, silentLoss } from './losses.ts'
import { similarity } from './ssim.ts'

/** One model for each typical difference: alpha, targets, textures, nodes, joints, transforms, sets, wraps. */
const names = [
  'bio_01_alpha_blend',
  'bio_01_morphed_cube',
  'bio_01_principled_material',
  'bio_02_node_hierarchy',
  'bio_03_skinned_cylinder',
  'bio_09_texture_transform',
  'bio_12_orm_two_uvmaps',
  'bio_13_texture_wrapping',
]

/** Features that three.js can compare. */
const judged = rows.filter(({ feature }) => !feature.unjudged).map(({ feature }) => [feature.name, feature] as const)

let studio: PictureStudio
beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio.close())

describe('a package looks like its source', () => {
  test('in eight models', async () => {
    const scores: number[] = []
    for (const name of names) {
      const glb = sampleModel(name)
      const { report, worst } = await compare(studio, name, glb, { views: [0, 4], moments: 2 })
      expect([name, excusesOf(report)]).toEqual([name, []])
      expect([name, worst! >= alike]).toEqual([name, true])
      scores.push(worst!)
    }
    expect(scores.sort((a, b) => a - b)[names.length / 2]).toBeGreaterThanOrEqual(0.995)
  }, 300_000)

  test.each(judged)(
    'in the feature %s, or its report says why not, in both profiles',
    async (_name, feature) => {
      const glb = await feature.glb()
      const seen: Buffer[] = []
      for (const profile of ['quicklook', 'spec'] as const) {
        const usdz = Buffer.from((await convert(glb, { profile })).usdz)
        if (seen.some((known) => known.equals(usdz))) continue
        seen.push(usdz)
        const { report, worst } = await compare(studio, feature.name, glb, { profile, views: [0], moments: 1 })
        expect([profile, silentLoss(report, worst)]).toEqual([profile, undefined])
        if (howOf(feature, profile) === 'exact') expect([profile, worst! >= alike]).toEqual([profile, true])
      }
    },
    60_000,
  )
})

test('a fine KTX2 texture without mipmaps is drawn like the image that is made of it', async () => {
  const { document, mesh, node, square, glb } = givenModel()
  document.createExtension(KHRTextureBasisu).setRequired(true)
  // Every second pixel is dark; the picture of the square has fewer pixels than the texture.
  const pixels = Uint8Array.from({ length: 1024 * 1024 * 3 }, (_, i) => (((i / 3) | 0) % 2 === 0 ? 20 : 230))
  const png = await sharp(pixels, { raw: { width: 1024, height: 1024, channels: 3 } })
    .png()
    .toBuffer()
  const stripes = document
    .createTexture('Stripes')
    .setImage(new Uint8Array(await ktx2(png, { isUASTC: true, generateMipmap: false })))
    .setMimeType('image/ktx2')
  node('Square', mesh('Square', square(document.createMaterial('Paint').setBaseColorTexture(stripes))))
  const { worst } = await compare(studio, 'stripes', await glb(), { views: [0, 4] })
  expect(worst).toBeGreaterThanOrEqual(alike)
})

test('what is below a light is drawn on both sides', async () => {
  const { document, mesh, node, square, glb } = givenModel()
  const light = document.createExtension(KHRLightsPunctual).createLight('Lamp').setType('point')
  const lamp = node('Lamp').setExtension('KHR_lights_punctual', light)
  node('Shade', mesh('Shade', square()), lamp)
  const { worst } = await compare(studio, 'lamp', await glb(), { views: [0] })
  expect(worst).toBeGreaterThanOrEqual(alike)
})

test('cubes that a scale of zero flattens, below and above nodes that move, are drawn on both sides', async () => {
  const model = movingModel()
  const above = model.node('Above')
  const flat = (name: string, parent?: Node) =>
    model.node(name, model.mesh(name, cube(model, paint(model))), parent).setRotation(turn([1, 2, 3], 80))
  const one = flat('Flat', above).setScale([1, 0.6, 0])
  const other = flat('Below', one).setTranslation([2, 1, 0])
  for (const node of [above, other]) {
    model.move('Turn', node, 'rotation', [0, 1], [turn([0, 1, 1], 20), turn([0, 1, 1], 100)])
  }
  const { worst, report } = await compare(studio, 'flat', await model.glb(), { views: [0, 1, 4, 5], moments: 2 })
  expect(report.notes).toEqual([])
  expect(worst).toBeGreaterThanOrEqual(alike)
})

test('a picture of another model is detected', async () => {
  const [one, other] = [sampleModel('bio_02_node_hierarchy'), sampleModel('bio_02_shared_mesh')]
  await studio.open(one, (await convert(other)).usdz)
  const shot = { size: 256, view: 0, seconds: 0, timeCode: 0 }
  expect(similarity(await studio.draw('glb', shot), await studio.draw('usd', shot))).toBeLessThan(0.9)
})
