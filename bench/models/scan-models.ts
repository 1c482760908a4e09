/** Hilly terrain of a hundred metres each way, as points or as a triangle grid, like an outdoor scan. */
const SIZE = 100

const heightAt = (x: number, y: number) =>
  6 * Math.sin(x / 11) * Math.cos(y / 17) +
  2 * Math.sin(x / 3.1 + y / 4.7) +
  0.3 * Math.sin(x * 2.3) * Math.sin(y * 1.9)

/** Meadows below, rock above. */
const colorAt = (height: number, x: number, y: number): [number, number, number] => {
  const share = Math.max(0, Math.min(1, (height + 6) / 12))
  const speckle = 14 * Math.sin(x * 7.1) * Math.sin(y * 6.3)
  return [70 + 110 * share + speckle, 110 + 40 * share + speckle, 55 + 80 * share + speckle]
}

type Vertex = { x: number; y: number; z: number; color: [number, number, number] }

function* grid(side: number): Generator<Vertex> {
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [x, y] = [(column / (side - 1)) * SIZE, (row / (side - 1)) * SIZE]
      const z = heightAt(x, y)
      yield { x, y, z, color: colorAt(z, x, y) }
    }
  }
}

function* faces(side: number): Generator<[number, number, number]> {
  for (let row = 0; row + 1 < side; row++) {
    for (let column = 0; column + 1 < side; column++) {
      const at = row * side + column
      yield [at, at + 1, at + side]
      yield [at + 1, at + side + 1, at + side]
    }
  }
}

/** A binary PLY of side² coloured points, and with `isMesh` also their triangles. */
export function terrainPly(side: number, isMesh: boolean): Buffer {
  const triangles = isMesh ? 2 * (side - 1) ** 2 : 0
  const header = [
    'ply',
    'format binary_little_endian 1.0',
    `element vertex ${side * side}`,
    ...['x', 'y', 'z'].map((name) => `property float ${name}`),
    ...['red', 'green', 'blue'].map((name) => `property uchar ${name}`),
    ...(isMesh ? [`element face ${triangles}`, 'property list uchar int vertex_indices'] : []),
    'end_header\n',
  ].join('\n')
  const out = Buffer.alloc(header.length + side * side * 15 + triangles * 13)
  let at = out.write(header, 'latin1')
  for (const { x, y, z, color } of grid(side)) {
    for (const value of [x, y, z]) at = out.writeFloatLE(value, at)
    for (const value of color) at = out.writeUInt8(Math.round(value), at)
  }
  if (isMesh) {
    for (const face of faces(side)) {
      at = out.writeUInt8(3, at)
      for (const index of face) at = out.writeInt32LE(index, at)
    }
  }
  return out
}

/** An OBJ of the triangles of side² points. */
export function terrainObj(side: number): Buffer {
  const lines: string[] = []
  for (const { x, y, z } of grid(side)) lines.push(`v ${x.toFixed(4)} ${z.toFixed(4)} ${(-y).toFixed(4)}`)
  for (const [a, b, c] of faces(side)) lines.push(`f ${a + 1} ${b + 1} ${c + 1}`)
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** A splat PLY of side² discs on the ground, with the 62 properties of a trainer's file. */
export function terrainSplats(side: number): Buffer {
  const rest = Array.from({ length: 45 }, (_, i) => `f_rest_${i}`)
  const names = ['x', 'y', 'z', 'nx', 'ny', 'nz', 'f_dc_0', 'f_dc_1', 'f_dc_2', ...rest, 'opacity']
  names.push('scale_0', 'scale_1', 'scale_2', 'rot_0', 'rot_1', 'rot_2', 'rot_3')
  const header = [
    'ply',
    'format binary_little_endian 1.0',
    `element vertex ${side * side}`,
    ...names.map((name) => `property float ${name}`),
    'end_header\n',
  ].join('\n')
  const out = Buffer.alloc(header.length + side * side * names.length * 4)
  let at = out.write(header, 'latin1')
  const flat = Math.log((SIZE / side) * 0.7)
  for (const { x, y, z, color } of grid(side)) {
    const harmonics = color.map((value) => (value / 255 - 0.5) / 0.28209479177387814)
    // y points downwards.
    const values = [x, -z, y, 0, 0, 0, ...harmonics, ...rest.map(() => 0), 3, flat, flat - 1.5, flat, 1, 0, 0, 0]
    for (const value of values) at = out.writeFloatLE(value, at)
  }
  return out
}
