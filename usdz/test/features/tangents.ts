import type { Primitive } from '@gltf-transform/core'
import type { GivenModel } from '../content/models.ts'
import type { Feature } from './feature.ts'
import { ball, bumps, one, texture } from './models/solids.ts'

/** A sphere with a normal map and tangents along u, of the given handedness, and turned towards v. */
async function embossed(model: GivenModel, handedness: 1 | -1, turn = 0): Promise<Primitive> {
  const made = ball(
    model,
    model.document
      .createMaterial('Clay')
      .setBaseColorFactor([0.8, 0.5, 0.3, 1])
      .setMetallicFactor(0)
      .setRoughnessFactor(0.6)
      .setNormalTexture(await texture(model, bumps)),
  )
  const uvs = made.getAttribute('TEXCOORD_0')!.getArray()!
  const along = Array.from({ length: uvs.length / 2 }, (_, vertex) => {
    const [around, down] = [uvs[vertex * 2]! * 2 * Math.PI, uvs[vertex * 2 + 1]! * Math.PI]
    const [forward, across] = [Math.cos(turn), Math.sin(turn)]
    return [
      forward * Math.cos(around) + across * Math.cos(down) * Math.sin(around),
      -across * Math.sin(down),
      -forward * Math.sin(around) + across * Math.cos(down) * Math.cos(around),
      handedness,
    ]
  })
  return made.setAttribute('TANGENT', model.accessor('VEC4', Float32Array.from(along.flat())))
}

export const tangents: Feature[] = [
  {
    name: 'TANGENT',
    as: 'viewers derive tangents from texture coordinates',
    how: 'exact',
    glb: () => one((model) => embossed(model, 1)),
  },
  {
    name: 'TANGENT of the other handedness',
    as: 'the normal map with its green reversed: `quicklook` new pixels, `spec` `inputs:scale` and `inputs:bias`',
    how: 'exact',
    glb: () => one((model) => embossed(model, -1)),
  },
  {
    name: 'TANGENT of another direction',
    as: 'viewers derive tangents from texture coordinates; the note has the angle',
    how: 'left out',
    notes: ['tangents'],
    glb: () => one((model) => embossed(model, 1, Math.PI / 6)),
  },
  {
    name: 'TANGENT of stretched texture coordinates',
    as: 'viewers derive tangents of unit length',
    how: 'exact',
    glb: () =>
      one(async (model) => {
        const made = await embossed(model, 1)
        const uvs = made.getAttribute('TEXCOORD_0')!
        return made.setAttribute(
          'TEXCOORD_0',
          model.accessor(
            'VEC2',
            Float32Array.from(uvs.getArray()!, (value, i) => (i % 2 ? value / 3 : value * 3)),
          ),
        )
      }),
  },
  {
    name: 'TANGENT of texture coordinates on one point',
    as: 'viewers derive no tangents',
    how: 'left out',
    notes: ['tangents'],
    glb: () =>
      one(async (model) => {
        const made = await embossed(model, 1)
        const count = made.getAttribute('TEXCOORD_0')!.getCount()
        return made.setAttribute('TEXCOORD_0', model.accessor('VEC2', new Float32Array(count * 2).fill(0.3)))
      }),
  },
]
