import { describe, expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { movingModel } from '../../test/features/models/animated-model.ts'
import { openUsdz } from '../../test/open-usdz.ts'

/** A square with a target that lifts its first corner by 4, and one that moves it to the side and its colour to red. */
function face() {
  const model = movingModel()
  const nose = model.document
    .createPrimitiveTarget('Nose out')
    .setAttribute('POSITION', model.accessor('VEC3', Float32Array.of(0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
  const blush = model.document
    .createPrimitiveTarget('Blush')
    .setAttribute('POSITION', model.accessor('VEC3', Float32Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    .setAttribute('COLOR_0', model.accessor('VEC3', Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    .setAttribute('TEXCOORD_0', model.accessor('VEC2', Float32Array.of(0.5, 0, 0, 0, 0, 0, 0, 0)))
  const square = model.square().addTarget(nose).addTarget(blush)
  square.setAttribute('COLOR_0', model.accessor('VEC3', new Float32Array(12)))
  const mesh = model.mesh('Face', square).setWeights([0.5, 1])
  return { model, square, node: model.node('Head', mesh) }
}

const converted = async (glb: Uint8Array) => {
  const { usdz, report } = await convert(glb, { profile: 'spec' })
  return { usd: openUsdz(usdz), report }
}

describe('morph targets', () => {
  test('of constant weight are in the points, texture coordinates and colours of a plain mesh', async () => {
    const { usd, report } = await converted(await face().model.glb())
    const path = '/Root/Head/Face'
    expect([...usd.floats(`${path}.points`)!.subarray(0, 6)]).toEqual([2, 0, 2, 1, 0, 0])
    expect([...usd.floats(`${path}.primvars:displayColor`)!.subarray(0, 6)]).toEqual([1, 0, 0, 0, 0, 0])
    expect([...usd.floats(`${path}.primvars:st`)!.subarray(0, 4)]).toEqual([0.5, 0, 1, 0])
    expect([...usd.floats(`${path}.extent`)!]).toEqual([0, 0, 0, 2, 1, 2])
    expect(usd.prims('BlendShape')).toEqual([])
    expect(usd.prims('SkelRoot')).toEqual([])
    expect(report).toMatchObject({ morphTargets: 0, notes: [] })
  })

  test('that an animation moves are blend shapes with their names; the others are in the points', async () => {
    const { model, node } = face()
    model.move(
      'Sniff',
      node,
      'weights',
      [0, 1],
      [
        [0.5, 1],
        [1, 1],
      ],
    )
    const { usd, report } = await converted(await model.glb())
    const shape = '/Root/Deforming/Face/Face_Nose_out'
    expect(usd.prims('BlendShape').map(({ path }) => path)).toEqual([shape])
    expect([...usd.floats(`${shape}.offsets`)!]).toEqual([0, 0, 4])
    expect([...usd.integers(`${shape}.pointIndices`)!]).toEqual([0])
    expect([...usd.floats('/Root/Deforming/Skeleton/Animation.blendShapeWeights')!]).toEqual([0.5])
    expect([...usd.floats('/Root/Deforming/Face.points')!.subarray(0, 3)]).toEqual([2, 0, 0])
    expect(report).toMatchObject({ morphTargets: 1, animations: 1, notes: [] })
  })

  test('with changing weights leave out texture coordinates and colours, with notes', async () => {
    const { model, node } = face()
    model.move(
      'Sniff',
      node,
      'weights',
      [0, 1],
      [
        [0.5, 0],
        [0.5, 1],
      ],
    )
    const { report } = await converted(await model.glb())
    expect(report.notes.map(({ code, message }) => [code, message])).toEqual([
      ['morph_attribute', 'Changes of COLOR_0 by animated morph targets are left out.'],
      ['morph_attribute', 'Changes of TEXCOORD_0 by animated morph targets are left out.'],
    ])
  })

  test('of a mesh without normals keep it flat-shaded', async () => {
    const { model, square } = face()
    square.setAttribute('NORMAL', null)
    const { usd } = await converted(await model.glb())
    const normals = usd.floats('/Root/Head/Face.normals')!
    expect(normals).toHaveLength(18)
    expect([...normals.subarray(0, 3)]).toEqual([...normals.subarray(3, 6)])
    expect(normals[0]).not.toBe(0)
  })

  test('that do not match the vertices are refused, also with a constant weight', async () => {
    const { model, square } = face()
    square.listTargets()[0]!.setAttribute('POSITION', model.accessor('VEC3', new Float32Array(9)))
    await expect(convert(await model.glb())).rejects.toMatchObject({
      code: 'malformed',
      message: 'mesh 0 "Face", primitive 0: its morph target 0 has 3 values of POSITION for 4 vertices.',
    })
  })
})
