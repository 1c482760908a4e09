/** Scan files as programs write them: the same pyramid in many formats. */
export const POINTS = [
  [-1, -1, 0],
  [1, -1, 0],
  [1, 1, 0],
  [-1, 1, 0],
  [0, 0, 1.5],
]
export const FACES = [
  [3, 2, 1, 0],
  [0, 1, 4],
  [1, 2, 4],
  [2, 3, 4],
  [3, 0, 4],
]
/** Two for a face with four corners. */
export const TRIANGLES = 6
export const BOUNDS = { min: [-1, -1, 0], max: [1, 1, 1.5] }

type Format = 'ascii' | 'binary_little_endian' | 'binary_big_endian'
type Shape = {
  format?: Format
  faces?: boolean
  type?: 'float' | 'double'
  shift?: number[]
  points?: number[][]
  count?: number
}

/** A PLY file: red vertices after an unknown element, with coordinates after other properties. */
export function plyFile({
  format = 'ascii',
  faces = true,
  type = 'float',
  shift = [0, 0, 0],
  points = POINTS,
  count,
}: Shape = {}): Buffer {
  const header = [
    'ply',
    `format ${format} 1.0`,
    'comment made by a test',
    'element camera 1',
    'property list uchar short sizes',
    'property float focal',
    `element vertex ${count ?? points.length}`,
    'property uchar red',
    'property uchar green',
    'property uchar blue',
    'property int label',
    ...['x', 'y', 'z'].map((name) => `property ${type} ${name}`),
    ...(faces ? [`element face ${FACES.length}`, 'property list uchar int vertex_indices', 'property uchar kind'] : []),
    'end_header\n',
  ].join('\n')
  const rows: [kind: string, value: number][][] = [
    [
      ['uchar', 2],
      ['short', -640],
      ['short', 480],
      ['float', 0.5],
    ],
    ...points.map((point): [string, number][] => [
      ['uchar', 200],
      ['uchar', 30],
      ['uchar', 20],
      ['int', -7],
      ...point.map((value, k): [string, number] => [type, value + shift[k]!]),
    ]),
    ...(faces ? FACES : []).map((face): [string, number][] => [
      ['uchar', face.length],
      ...face.map((index): [string, number] => ['int', index]),
      ['uchar', 1],
    ]),
  ]
  if (format === 'ascii')
    return Buffer.from(`${header}${rows.map((row) => row.map(([, value]) => value).join(' ')).join('\n')}`)
  const isLittle = format === 'binary_little_endian'
  return Buffer.concat([Buffer.from(header), ...rows.flat().map(([kind, value]) => number(kind, value, isLittle))])
}

function number(kind: string, value: number, isLittle: boolean): Buffer {
  const view = new DataView(new ArrayBuffer(8))
  if (kind === 'uchar') view.setUint8(0, value)
  else if (kind === 'short') view.setInt16(0, value, isLittle)
  else if (kind === 'int') view.setInt32(0, value, isLittle)
  else if (kind === 'float') view.setFloat32(0, value, isLittle)
  else view.setFloat64(0, value, isLittle)
  const sizes: Record<string, number> = { uchar: 1, short: 2, int: 4, float: 4, double: 8 }
  return Buffer.from(view.buffer, 0, sizes[kind])
}

/** A Wavefront OBJ: indices from both ends, with and without other indices, a face over two lines. */
export const objFile = (): Buffer =>
  Buffer.from(
    [
      '# made by a test',
      'mtllib none.mtl',
      'o pyramid',
      ...POINTS.map((point) => `v ${point.join(' ')}`),
      'vt 0 0',
      'vn 0 0 1',
      `f ${FACES[0]!.map((index) => `${index + 1}/1/1`).join(' ')}`,
      ...FACES.slice(1, 3).map((face) => `f ${face.map((index) => `${index + 1}//1`).join(' ')}`),
      'f -3 -2 \\',
      ' -1',
      'f 4 1 5',
    ].join('\r\n'),
  )

const SPLAT_NAMES = ['x', 'y', 'z', 'f_dc_0', 'f_dc_1', 'f_dc_2', 'opacity']
SPLAT_NAMES.push('scale_0', 'scale_1', 'scale_2', 'rot_0', 'rot_1', 'rot_2', 'rot_3')

/** Three large green splats in a row. */
export const splatFile = (): Buffer =>
  Buffer.from(
    [
      'ply',
      'format ascii 1.0',
      'element vertex 3',
      ...SPLAT_NAMES.map((name) => `property float ${name}`),
      'end_header',
      ...[-1, 0, 1].map((x) => `${x} 0 0 -1.6 1.2 -1.6 6 -1 -1 -1 1 0 0 0`),
      '',
    ].join('\n'),
  )

/** A LAS 1.2 file of blue points in UTM 33N (EPSG:25833), a hundred metres each way. */
export function lasFile({ isCompressed = false, count = 1000 } = {}): Buffer {
  const [header, record, keys, stride] = [227, 54, 24, 26]
  const out = Buffer.alloc(header + record + keys + count * stride)
  out.write('LASF')
  out.set([1, 2], 24)
  out.writeUInt16LE(header, 94)
  out.writeUInt32LE(header + record + keys, 96)
  out.writeUInt32LE(1, 100)
  out[104] = isCompressed ? 2 | 0x80 : 2
  out.writeUInt16LE(stride, 105)
  out.writeUInt32LE(count, 107)
  for (const [k, shift] of [391_000, 5_820_000, 30].entries()) {
    out.writeDoubleLE(0.001, 131 + 8 * k)
    out.writeDoubleLE(shift, 155 + 8 * k)
  }
  for (const [k, value] of [391_100, 391_000, 5_820_100, 5_820_000, 60, 30].entries())
    out.writeDoubleLE(value, 179 + 8 * k)
  out.write('LASF_Projection', header + 2)
  out.writeUInt16LE(34735, header + 18)
  out.writeUInt16LE(keys, header + 20)
  for (const [k, value] of [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 25833].entries())
    out.writeUInt16LE(value, header + record + 2 * k)
  for (let i = 0; i < count; i++) {
    const at = header + record + keys + i * stride
    for (const [k, value] of [(i * 37) % 100, (i * 61) % 100, (i * 7) % 30].entries())
      out.writeInt32LE(value * 1000, at + 4 * k)
    for (const [k, value] of [20, 60, 220].entries()) out.writeUInt16LE(value * 256, at + 20 + 2 * k)
  }
  return out
}
