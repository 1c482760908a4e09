import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { binaryStl, corners, meshFiles, obj, ply, plyHead, text } from '../test/content/mesh-files.ts'
import { judgeAll } from '../test/judgement.ts'

const points = (...properties: string[]) =>
  text(
    'ply',
    'format ascii 1.0',
    'element vertex 1',
    ...['x', 'y', 'z', ...properties].map((name) => `property float ${name}`),
    'end_header',
    [0, 0, 0, ...properties].map(() => 0).join(' '),
  )

describe('a file without faces is refused, and the message says what to do', () => {
  test.each<[string, Uint8Array, string]>([
    ['a point cloud', points(), 'The PLY is a point cloud without faces. Reconstruct a surface from its points'],
    ['Gaussian splats', points('f_dc_0', 'opacity', 'scale_0', 'rot_0'), 'The PLY has Gaussian splats'],
    ['packed splats', points('packed_position', 'packed_rotation'), 'The PLY has Gaussian splats'],
    [
      'triangle strips',
      text('ply', 'format ascii 1.0', 'element vertex 0', 'element tristrips 1', 'end_header'),
      'The PLY has triangle strips and no faces. Save it with faces.',
    ],
    ['an OBJ of points', text('v 0 0 0', 'p 1'), 'The file has no faces'],
  ])('%s', async (_name, bytes, message) => {
    await expect(convert(bytes)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(message),
    })
  })
})

describe('what is not read of a mesh file has a note', () => {
  const alpha = ['property uchar red', 'property uchar green', 'property uchar blue', 'property uchar alpha']
  const withHead = (head: string[], row: (i: number) => string, face = '') =>
    text(...head, ...corners.map((corner, i) => `${corner.join(' ')} ${row(i)}`), ...Array(4).fill(`3 0 1 2 ${face}`))
  const faceColors = plyHead('ascii').flatMap((line) =>
    line === 'end_header' ? ['property uchar red', 'property uchar green', 'property uchar blue', line] : [line],
  )

  test.each<[string, Uint8Array, string[]]>([
    ['the materials of an OBJ', text('mtllib a.mtl', Buffer.from(obj()).toString()), ['obj_materials']],
    [
      'normals of some faces',
      text('v 0 0 0', ...Array(3).fill('v 1 0 0'), 'v 0 1 0', 'vn 0 0 1', 'f 1//1 2//1 5//1', 'f 1 2 5'),
      ['partial_attribute'],
    ],
    ['lines of an OBJ', text(Buffer.from(obj()).toString(), 'l 1 2'), ['no_triangles']],
    ['transparency of vertex colours', withHead(plyHead('ascii', alpha), () => '1 2 3 9'), ['vertex_alpha']],
    ['no transparency', withHead(plyHead('ascii', alpha), () => '1 2 3 255'), []],
    ['colours of faces', withHead(faceColors, () => '', '1 2 3'), ['face_colors']],
    [
      'the image of a PLY',
      withHead(['ply', 'format ascii 1.0', 'comment TextureFile a.png', ...plyHead('ascii').slice(3)], () => ''),
      ['ply_image'],
    ],
  ])('%s', async (_name, bytes, codes) => {
    const { report } = await convert(bytes)
    const losses = report.notes.filter(({ effect }) => effect === 'left_out').map(({ code }) => code)
    expect(losses).toEqual(codes)
  })
})

test('the report says how many metres one unit of a mesh file is: the scale', async () => {
  const { report } = await convert(binaryStl(), { scale: 0.001 })
  expect(report.metersPerUnit).toBe(0.001)
  expect(report.size.depth).toBeCloseTo(0.004, 9)
})

test('more vertices than the triangles can use are too large', async () => {
  const bytes = text(...Array(31).fill('v 0 0 0'), 'f 1 2 3')
  await expect(convert(bytes, { limits: { triangles: 10 } })).rejects.toMatchObject({ code: 'too_large' })
  await expect(convert(ply(), { limits: { triangles: 4 } })).resolves.toBeDefined()
})

test('three readers of USD see each dialect as it is', { tags: ['long'] }, async () => {
  const counts = { triangles: 4, meshes: 1, materials: 1, materialsOfVariants: 1, blendShapes: 0, joints: 0 }
  const expected = { ...counts, bounds: [0, 0, 0, 2, 3, 4] }
  const models = await Promise.all(
    Object.entries(meshFiles).map(async ([name, bytes]) => ({ name, expected, ...(await convert(bytes)) })),
  )
  const complaints = (await judgeAll(models)).map(({ name, complaints }) => [name, complaints])
  expect(complaints).toEqual(Object.keys(meshFiles).map((name) => [name, []]))
})
