/** Mesh files as programs write them: the same tetrahedron, 2 × 3 × 4, in the dialects of PLY, OBJ and STL. */
export const corners = [
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
/** The width, height and depth of the tetrahedron. */
export const size = { width: 2, height: 3, depth: 4 }

export const text = (...lines: string[]) => new Uint8Array(Buffer.from(`${lines.join('\n')}\n`))

type PlyFormat = 'ascii' | 'binary_little_endian' | 'binary_big_endian'
type PlyShape = { format?: PlyFormat; normals?: boolean; colors?: boolean }

export const plyHead = (format: string, properties: string[] = []) => [
  'ply',
  `format ${format} 1.0`,
  'comment made by a test',
  'element vertex 4',
  'property float x',
  'property float y',
  'property float z',
  ...properties,
  'element face 4',
  'property list uchar int vertex_indices',
  'end_header',
]

/** With colours, each corner has 188 times its number modulo 256 in red, and 255 in blue. */
export function ply({ format = 'ascii', normals = false, colors = false }: PlyShape = {}): Uint8Array {
  const head = plyHead(format, [
    ...(normals ? ['property float nx', 'property float ny', 'property float nz'] : []),
    ...(colors ? ['property uchar red', 'property uchar green', 'property uchar blue'] : []),
  ])
  const float = (value: number) => ({ value, bytes: 4, write: 'setFloat32' as const })
  const byte = (value: number) => ({ value, bytes: 1, write: 'setUint8' as const })
  const integer = (value: number) => ({ value, bytes: 4, write: 'setInt32' as const })
  const rows = [
    ...corners.map((corner, i) => [
      ...corner.map(float),
      ...(normals ? [0, 0.6, 0.8].map(float) : []),
      ...(colors ? [(188 * i) % 256, 0, 255].map(byte) : []),
    ]),
    ...faces.map((face) => [byte(3), ...face.map(integer)]),
  ]
  if (format === 'ascii') return text(...head, ...rows.map((row) => row.map(({ value }) => value).join(' ')))
  const values = rows.flat()
  const body = Buffer.alloc(values.reduce((sum, { bytes }) => sum + bytes, 0))
  const view = new DataView(body.buffer, body.byteOffset)
  let at = 0
  for (const { value, bytes, write } of values) {
    view[write](at, value, format === 'binary_little_endian')
    at += bytes
  }
  return new Uint8Array(Buffer.concat([text(...head), body]))
}

/** @param header the first bytes; some programs begin it with "solid", as text files do. */
export function binaryStl(header = ''): Uint8Array {
  const body = new Uint8Array(84 + 4 * 50)
  body.set(Buffer.from(header.slice(0, 80)))
  const view = new DataView(body.buffer)
  view.setUint32(80, 4, true)
  for (const [i, face] of faces.entries())
    for (const [k, corner] of face.entries())
      for (const axis of [0, 1, 2]) view.setFloat32(84 + 50 * i + 12 + 12 * k + 4 * axis, corners[corner]![axis]!, true)
  return body
}

const textStl = () =>
  text(
    'solid thing',
    ...faces.flatMap((face) => [
      'facet normal 0 0 0',
      'outer loop',
      ...face.map((corner) => `vertex ${corners[corner]!.join(' ')}`),
      'endloop',
      'endfacet',
    ]),
    'endsolid thing',
  )

/** A group without a name, indices from both ends, a comment behind a statement, a face on two lines. */
export const obj = () =>
  text(
    '# a thing',
    'g',
    ...corners.map((corner) => `v ${corner.join(' ')} # a corner`),
    'g all',
    'f 1 3 2',
    'f -4 -3 \\',
    '  -1',
    'f 1 4 3',
    'f 2 3 4',
  )

/** Every dialect, by its name. */
export const meshFiles = {
  'a text PLY': ply(),
  'a binary PLY': ply({ format: 'binary_little_endian' }),
  'a big-endian PLY': ply({ format: 'binary_big_endian' }),
  'a binary PLY with normals and colours': ply({ format: 'binary_little_endian', normals: true, colors: true }),
  'a big-endian PLY with normals and colours': ply({ format: 'binary_big_endian', normals: true, colors: true }),
  'a binary STL': binaryStl(),
  'a binary STL that begins with "solid"': binaryStl('solid by a program that writes binary'),
  'a text STL': textStl(),
  'a text STL in capitals': new Uint8Array(Buffer.from(Buffer.from(textStl()).toString().toUpperCase())),
  'an OBJ': obj(),
}
