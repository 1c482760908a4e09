import { Primitive } from '@gltf-transform/core'
import { describe, expect, test } from 'vitest'
import { createNotes } from '../../report.ts'
import { givenModel } from '../../test/content/models.ts'
import { separateCorners } from './flat-shading.ts'
import { readGeometry } from './geometry.ts'
import { triangleIndices } from './triangle-indices.ts'

const points = (count: number) => Float32Array.from({ length: count * 3 }, (_, i) => i * i)
const withMode = (mode: keyof typeof Primitive.Mode, indices: Uint16Array) =>
  givenModel()
    .primitive({ POSITION: { type: 'VEC3', array: points(6) } }, indices)
    .setMode(Primitive.Mode[mode]!)

describe('triangles', () => {
  test('of a strip alternate their winding, so that all face the same way', () => {
    const strip = withMode('TRIANGLE_STRIP', Uint16Array.of(0, 1, 2, 3, 4))
    expect([...triangleIndices(strip, 6)!]).toEqual([0, 1, 2, 1, 3, 2, 2, 3, 4])
  })

  test('of a fan share its first vertex', () => {
    const fan = withMode('TRIANGLE_FAN', Uint16Array.of(0, 1, 2, 3))
    expect([...triangleIndices(fan, 6)!]).toEqual([1, 2, 0, 2, 3, 0])
  })

  test('of a strip restart at the largest index', () => {
    const strip = withMode('TRIANGLE_STRIP', Uint16Array.of(0, 1, 2, 0xffff, 3, 4, 5))
    expect([...triangleIndices(strip, 6)!]).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('without indices use the vertices in order; incomplete ones are ignored', () => {
    const plain = givenModel().primitive({ POSITION: { type: 'VEC3', array: points(5) } })
    expect([...triangleIndices(plain, 5)!]).toEqual([0, 1, 2])
  })

  test('that name a missing vertex are malformed', () => {
    expect(() => triangleIndices(withMode('TRIANGLES', Uint16Array.of(0, 1, 6)), 6)).toThrow('vertex 6')
  })

  test('are absent in points and lines', () => {
    for (const mode of ['POINTS', 'LINES', 'LINE_STRIP', 'LINE_LOOP']) {
      expect(triangleIndices(withMode(mode, Uint16Array.of(0, 1, 2)), 6)).toBeUndefined()
    }
  })
})

/** Two triangles at a right angle, without normals. */
const bent = () =>
  givenModel().primitive(
    { POSITION: { type: 'VEC3', array: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) } },
    Uint16Array.of(0, 1, 2, 0, 3, 1),
  )

describe('geometry', () => {
  test('without normals gets flat ones for each corner, and keeps its vertices', () => {
    const geometry = readGeometry(bent(), createNotes())!
    expect([...geometry.indices]).toEqual([0, 1, 2, 0, 3, 1])
    expect(geometry.points).toHaveLength(12)
    expect(geometry.isFlat).toBe(true)
    expect([...geometry.normals].map(Math.abs)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0])
  })

  test('with flat normals whose vertices move gets a vertex for each corner', () => {
    const { indices, points, source, isFlat } = separateCorners(readGeometry(bent(), createNotes())!)
    expect([...indices]).toEqual([0, 1, 2, 3, 4, 5])
    expect([...points.subarray(9, 18)]).toEqual([0, 0, 0, 0, 0, 1, 1, 0, 0])
    expect([...source!]).toEqual([0, 1, 2, 0, 3, 1])
    expect(isFlat).toBeUndefined()
  })

  test('that is quantized is decoded, with the extent of the decoded points', () => {
    const coded = givenModel().primitive({
      POSITION: { type: 'VEC3', array: Int16Array.of(-32767, 0, 0, 32767, 0, 0, 0, 32767, 0), normalized: true },
      NORMAL: { type: 'VEC3', array: Int8Array.of(0, 0, 127, 0, 0, 127, 0, 0, -128), normalized: true },
    })
    const { points: decoded, normals, extent } = readGeometry(coded, createNotes())!
    expect([...decoded]).toEqual([-1, 0, 0, 1, 0, 0, 0, 1, 0])
    expect([...normals.subarray(6)]).toEqual([0, 0, -1])
    expect([...extent]).toEqual([-1, 0, 0, 1, 1, 0])
  })

  test('with non-finite positions is malformed', () => {
    const broken = givenModel().primitive({
      POSITION: { type: 'VEC3', array: Float32Array.of(0, 0, 0, 1, NaN, 0, 0, 1, 0) },
    })
    expect(() => readGeometry(broken, createNotes())).toThrow('not all finite')
  })

  test('leaves out the vertices that no triangle uses, also the few of an array that others share', () => {
    const primitive = givenModel().primitive(
      { POSITION: { type: 'VEC3', array: points(5) }, TEXCOORD_0: { type: 'VEC2', array: points(4).subarray(0, 10) } },
      Uint16Array.of(3, 0, 2, 2, 0, 3),
    )
    const { extent, indices, ...geometry } = readGeometry(primitive, createNotes())!
    expect([...geometry.points]).toEqual([0, 1, 4, 36, 49, 64, 81, 100, 121])
    expect([...geometry.uvs[0]!]).toEqual([0, 1, 16, 25, 36, 49])
    expect([...indices]).toEqual([2, 0, 1, 1, 0, 2])
    expect([...extent]).toEqual([0, 1, 4, 81, 100, 121])
  })

  test('with fewer normals than positions is malformed', () => {
    const broken = givenModel().primitive({
      POSITION: { type: 'VEC3', array: points(3) },
      NORMAL: { type: 'VEC3', array: points(2) },
    })
    expect(() => readGeometry(broken, createNotes())).toThrow('3 positions but 2 values of NORMAL')
  })

  test('of points and lines is omitted with a note', () => {
    const notes = createNotes()
    expect(readGeometry(withMode('LINES', Uint16Array.of(0, 1)), notes)).toBeUndefined()
    expect(notes.list()).toEqual([
      { code: 'no_triangles', effect: 'left_out', message: 'Points and lines are left out.', count: 1 },
    ])
  })

  test('with non-finite shading attributes is written with zeros and a note', () => {
    const notes = createNotes()
    const broken = givenModel().primitive({
      POSITION: { type: 'VEC3', array: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0) },
      NORMAL: { type: 'VEC3', array: Float32Array.of(0, 0, 1, NaN, 0, 1, 0, Infinity, 1) },
      TEXCOORD_0: { type: 'VEC2', array: Float32Array.of(0, 0, 1, NaN, 0, 1) },
    })
    const { normals, uvs } = readGeometry(broken, notes)!
    expect([...normals]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1])
    expect([...uvs[0]!]).toEqual([0, 0, 1, 0, 0, 1])
    expect(notes.list().map(({ code }) => code)).toEqual(['not_finite', 'not_finite'])
  })

  test('names the broken primitive and its mesh in errors', () => {
    const model = givenModel()
    const broken = model.square().setMode(9 as never)
    model.node('House', model.mesh('Door', model.square(), broken))
    expect(() => readGeometry(broken, createNotes())).toThrow('mesh 0 "Door", primitive 1: 9 is not a primitive mode.')
    broken.setMode(4).setIndices(model.accessor('SCALAR', Float32Array.of(0, 1, 2)))
    expect(() => readGeometry(broken, createNotes())).toThrow(
      /^mesh 0 "Door", primitive 1: accessor \d+: it holds indices that are not scalar/,
    )
  })
})
