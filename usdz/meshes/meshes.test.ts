import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { openUsdz } from '../test/open-usdz.ts'

const text = (...lines: string[]) => new Uint8Array(Buffer.from(`${lines.join('\n')}\n`))

/** A tetrahedron of four corners. */
const corners = [
  [0, 0, 0],
  [2, 0, 0],
  [0, 3, 0],
  [0, 0, 4],
] as const
const faces = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
] as const

const plyHead = (format: string, colors: string[] = []) => [
  'ply',
  `format ${format} 1.0`,
  'comment made by a test',
  'element vertex 4',
  'property float x',
  'property float y',
  'property float z',
  ...colors,
  'element face 4',
  'property list uchar int vertex_indices',
  'end_header',
]

function binaryPly(isLittle: boolean): Uint8Array {
  const head = Buffer.from(`${plyHead(isLittle ? 'binary_little_endian' : 'binary_big_endian').join('\n')}\n`)
  const body = Buffer.alloc(4 * 12 + 4 * 13)
  const view = new DataView(body.buffer, body.byteOffset)
  let at = 0
  for (const value of corners.flat()) {
    view.setFloat32(at, value, isLittle)
    at += 4
  }
  for (const face of faces) {
    view.setUint8(at++, 3)
    for (const corner of face) {
      view.setInt32(at, corner, isLittle)
      at += 4
    }
  }
  return new Uint8Array(Buffer.concat([head, body]))
}

function binaryStl(): Uint8Array {
  const body = new Uint8Array(84 + 4 * 50)
  const view = new DataView(body.buffer)
  view.setUint32(80, 4, true)
  for (const [i, face] of faces.entries())
    for (const [k, corner] of face.entries())
      for (const axis of [0, 1, 2]) view.setFloat32(84 + 50 * i + 12 + 12 * k + 4 * axis, corners[corner]![axis]!, true)
  return body
}

const files = {
  'a text PLY': text(
    ...plyHead('ascii'),
    ...corners.map((corner) => corner.join(' ')),
    ...faces.map((face) => `3 ${face.join(' ')}`),
  ),
  'a binary PLY': binaryPly(true),
  'a big-endian PLY': binaryPly(false),
  'a binary STL': binaryStl(),
  'a text STL': text(
    'solid thing',
    ...faces.flatMap((face) => [
      'facet normal 0 0 0',
      'outer loop',
      ...face.map((corner) => `vertex ${corners[corner]!.join(' ')}`),
      'endloop',
      'endfacet',
    ]),
    'endsolid thing',
  ),
  'an OBJ': text(
    '# a thing',
    'mtllib thing.mtl',
    ...corners.map((corner) => `v ${corner.join(' ')}`),
    'usemtl red',
    'f 1 3 2',
    'f -4 -3 -1',
    'f 1 4 3',
    'f 2 3 4',
  ),
}

describe('a mesh file', () => {
  test.each(Object.entries(files))('%s is converted', async (_name, bytes) => {
    const { usdz, report } = await convert(bytes)
    expect(report).toMatchObject({ triangles: 4, meshes: 1, materials: 1, size: { width: 2, height: 3, depth: 4 } })
    expect(report.notes).toEqual([])
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

  test('colours of bytes are sRGB', async () => {
    const colors = ['property uchar red', 'property uchar green', 'property uchar blue']
    const ply = text(
      ...plyHead('ascii', colors),
      ...corners.map((corner, i) => `${corner.join(' ')} ${i === 0 ? '188 0 255' : '0 0 0'}`),
      ...faces.map((face) => `3 ${face.join(' ')}`),
    )
    const { usdz } = await convert(ply, { profile: 'spec' })
    const usd = openUsdz(usdz)
    const [red, green, blue] = usd.floats(`${usd.prims('Mesh')[0]!.path}.primvars:displayColor`)!
    expect([red!.toFixed(2), green, blue]).toEqual(['0.50', 0, 1])
  })

  const cutOff = { code: 'malformed' }
  test.each<[string, Uint8Array, object]>([
    [
      'a PLY of points',
      text('ply', 'format ascii 1.0', 'element vertex 1', 'property float x', 'end_header', '1'),
      { code: 'unsupported' },
    ],
    ['a PLY without an end of its header', text('ply', 'format ascii 1.0'), cutOff],
    ['a PLY with more rows than data', binaryPly(true).slice(0, -5), cutOff],
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
    ['a PLY with a word for a number', text(...plyHead('ascii'), '0 zero 0'), cutOff],
    [
      'a PLY with an endless list',
      text(...plyHead('ascii'), ...corners.map((c) => c.join(' ')), '99999999 0 1'),
      cutOff,
    ],
    ['an STL cut off in a facet', text('solid a', 'facet normal 0 0 1', 'outer loop', 'vertex 0 0 0'), cutOff],
    ['an OBJ with a missing vertex', text('v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 4'), cutOff],
    ['an OBJ of points', text('v 0 0 0', 'v 1 0 0', 'p 1 2'), { code: 'unsupported' }],
    ['an OBJ with an infinite position', text('v 1e999 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3'), cutOff],
  ])('%s is refused', async (_name, bytes, error) => {
    await expect(convert(bytes)).rejects.toMatchObject(error)
  })

  test('with more triangles than the limit is too large', async () => {
    for (const bytes of Object.values(files))
      await expect(convert(bytes, { limits: { triangles: 3 } })).rejects.toMatchObject({ code: 'too_large' })
  })

  test('damaged at any byte is converted or refused with a reason', { tags: ['long'] }, async () => {
    for (const bytes of Object.values(files)) {
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
