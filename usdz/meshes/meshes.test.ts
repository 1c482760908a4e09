import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { corners, meshFiles, ply, plyHead, size, text } from '../test/content/mesh-files.ts'
import { openUsdz } from '../test/open-usdz.ts'

describe('a mesh file', () => {
  test.each(Object.entries(meshFiles))('%s is converted', async (_name, bytes) => {
    const { usdz, report } = await convert(bytes)
    expect(report).toMatchObject({ triangles: 4, meshes: 1, materials: 1, size, metersPerUnit: 1 })
    expect(report.notes.filter(({ code }) => code !== 'vertex_colors')).toEqual([])
    expect(openUsdz(usdz).prims('Mesh')).toHaveLength(1)
  })

  test('keeps texture coordinates, normals and colours of vertices; polygons become triangles', async () => {
    const square = [
      'v 0 0 0 1 0 0',
      'v 1 0 0 0 1 0',
      'v 1 1 0 0 0 1',
      'v 0 1 0 1 1 1',
      'vt 0 0',
      'vt 1 0',
      'vt 1 1',
      'vt 0 1',
    ]
    const obj = text(...square, 'vn 0 0 1', 'f 1/1/1 2/2/1 3/3/1 4/4/1')
    const { usdz, report } = await convert(obj, { profile: 'spec' })
    expect(report.triangles).toBe(2)
    const usd = openUsdz(usdz)
    const { path } = usd.prims('Mesh')[0]!
    const values = (name: string) => [...usd.floats(`${path}.${name}`)!].map((value) => Number(value.toFixed(3)))
    expect(values('normals').slice(0, 3)).toEqual([0, 0, 1])
    expect(values('primvars:st').slice(0, 8)).toEqual([0, 0, 1, 0, 1, 1, 0, 1])
    expect(values('primvars:displayColor').slice(0, 6)).toEqual([1, 0, 0, 0, 1, 0])
  })

  test('of an OBJ has white vertices where others have colours', async () => {
    const obj = text('v 0 0 0', 'v 1 0 0 1 0 0', 'v 1 1 0', 'f 1 2 3', 'v 0 1 0', 'f 1 3 4')
    const { usdz, report } = await convert(obj, { profile: 'spec' })
    expect(report.notes).toEqual([])
    const usd = openUsdz(usdz)
    const colors = usd.floats(`${usd.prims('Mesh')[0]!.path}.primvars:displayColor`)!
    expect([...colors]).toEqual([1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1])
  })

  test.each(['ascii', 'binary_little_endian', 'binary_big_endian'] as const)(
    'keeps normals and colours of a PLY of the format %s; colours of bytes are sRGB',
    async (format) => {
      const { usdz } = await convert(ply({ format, normals: true, colors: true }), { profile: 'spec' })
      const usd = openUsdz(usdz)
      const { path } = usd.prims('Mesh')[0]!
      const values = (name: string) => [...usd.floats(`${path}.${name}`)!].map((value) => Number(value.toFixed(2)))
      expect(values('normals').slice(0, 3)).toEqual([0, 0.6, 0.8])
      // Corners are in the order of the file: 0, then 188 of 255.
      expect(values('primvars:displayColor').slice(0, 6)).toEqual([0, 0, 1, 0.5, 0, 1])
    },
  )

  const cutOff = { code: 'malformed' }
  const because = (cause: string) => ({ code: 'malformed', message: expect.stringContaining(cause) })
  test.each<[string, Uint8Array, object]>([
    [
      'a PLY of points',
      text('ply', 'format ascii 1.0', 'element vertex 1', 'property float x', 'end_header', '1'),
      { code: 'unsupported' },
    ],
    ['a PLY without an end of its header', text('ply', 'format ascii 1.0'), cutOff],
    ['a PLY with more rows than data', ply({ format: 'binary_little_endian' }).slice(0, -5), cutOff],
    [
      'a PLY with four billion rows',
      text(
        'ply',
        'format ascii 1.0',
        'element vertex 4000000000',
        'property float x',
        'property float y',
        'property float z',
        'element face 1',
        'property list uchar int vertex_indices',
        'end_header',
        '1 2 3',
      ),
      cutOff,
    ],
    [
      'a PLY with a missing vertex',
      text(...plyHead('ascii'), ...corners.map((c) => c.join(' ')), '3 0 1 9', '3 0 1 2', '3 0 1 2', '3 0 1 2'),
      cutOff,
    ],
    [
      'a PLY with a word for a number',
      text(...plyHead('ascii'), '0 zero 0'),
      because('"zero" is not a number. See the line "0 zero 0".'),
    ],
    ['a PLY with a short row', text(...plyHead('ascii'), '0 0'), because('A number is missing. See the line "0 0".')],
    [
      'a PLY with a negative number of rows',
      text('ply', 'format ascii 1.0', 'element vertex -5', 'end_header'),
      because('has the line "element vertex -5": its number of rows is not one.'),
    ],
    [
      'a PLY with a property of an unknown type',
      text('ply', 'format ascii 1.0', 'element vertex 1', 'property quaternion x', 'end_header'),
      because('has the line "property quaternion x": its type is unknown, or a name is missing.'),
    ],
    [
      'a PLY with an endless list',
      text(...plyHead('ascii'), ...corners.map((c) => c.join(' ')), '99999999 0 1'),
      cutOff,
    ],
    ['an STL cut off in a facet', text('solid a', 'facet normal 0 0 1', 'outer loop', 'vertex 0 0 0'), cutOff],
    [
      'an OBJ with a missing vertex',
      text('v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 4'),
      because('A face names v 4; the file has 3 before it. See the line "f 1 2 4".'),
    ],
    ['an OBJ of points', text('v 0 0 0', 'v 1 0 0', 'p 1 2'), { code: 'unsupported' }],
    ['an OBJ with an infinite position', text('v 1e999 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3'), cutOff],
  ])('%s is refused', async (_name, bytes, error) => {
    await expect(convert(bytes)).rejects.toMatchObject(error)
  })

  test('with more triangles than the limit is too large', async () => {
    for (const bytes of Object.values(meshFiles))
      await expect(convert(bytes, { limits: { triangles: 3 } })).rejects.toMatchObject({ code: 'too_large' })
  })

  test('damaged at any byte is converted or refused with a reason', { tags: ['long'] }, async () => {
    for (const bytes of Object.values(meshFiles)) {
      for (let at = 0; at < bytes.length; at += 7) {
        const damaged = bytes.slice()
        damaged[at] = (damaged[at]! * 7 + 13) & 0xff
        const outcome = await convert(damaged).then(
          () => 'converted',
          (error) => error.code,
        )
        expect(['converted', 'malformed', 'unsupported', 'too_large']).toContain(outcome)
      }
    }
  })
})
