import type { Material, Node, Primitive, Texture } from '@gltf-transform/core'
import sharp from 'sharp'
import { type GivenModel, givenModel } from '../../content/models.ts'

/** A sphere of radius 1 with normals and texture coordinates, 24 × 12 quads. */
export function ball(model: GivenModel, material?: Material): Primitive {
  const [around, down] = [24, 12]
  const points: number[] = []
  const uvs: number[] = []
  const indices: number[] = []
  for (let row = 0; row <= down; row++) {
    for (let column = 0; column <= around; column++) {
      const [theta, phi] = [(row / down) * Math.PI, (column / around) * 2 * Math.PI]
      points.push(Math.sin(theta) * Math.sin(phi), Math.cos(theta), Math.sin(theta) * Math.cos(phi))
      uvs.push(column / around, row / down)
      if (row === down || column === around) continue
      const [a, b] = [row * (around + 1) + column, (row + 1) * (around + 1) + column]
      if (row > 0) indices.push(a, b, a + 1)
      if (row < down - 1) indices.push(a + 1, b, b + 1)
    }
  }
  const made = model.primitive(
    {
      POSITION: { type: 'VEC3', array: Float32Array.from(points) },
      NORMAL: { type: 'VEC3', array: Float32Array.from(points) },
      TEXCOORD_0: { type: 'VEC2', array: Float32Array.from(uvs) },
    },
    Uint16Array.from(indices),
  )
  return material ? made.setMaterial(material) : made
}

/** A cube of side 2 whose faces have separate vertices, normals and texture coordinates. */
export function cube(model: GivenModel, material?: Material): Primitive {
  const points: number[] = []
  const normals: number[] = []
  for (const axis of [0, 1, 2]) {
    for (const side of [1, -1]) {
      for (const [s, t] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ] as const) {
        const point = [0, 0, 0]
        point[axis] = side
        point[(axis + 1) % 3] = s * side
        point[(axis + 2) % 3] = t
        points.push(...point)
        normals.push(...[0, 1, 2].map((k) => (k === axis ? side : 0)))
      }
    }
  }
  const faces = [0, 1, 2, 3, 4, 5].map((face) => face * 4)
  const made = model.primitive(
    {
      POSITION: { type: 'VEC3', array: Float32Array.from(points) },
      NORMAL: { type: 'VEC3', array: Float32Array.from(normals) },
      TEXCOORD_0: { type: 'VEC2', array: Float32Array.from(faces.flatMap(() => [0, 1, 1, 1, 1, 0, 0, 0])) },
    },
    Uint16Array.from(faces.flatMap((k) => [k, k + 1, k + 2, k, k + 2, k + 3])),
  )
  return material ? made.setMaterial(material) : made
}

/** A model of one node with one primitive. */
export async function one(
  make: (model: GivenModel) => Primitive | Promise<Primitive>,
  change?: (model: GivenModel, node: Node) => void | Promise<void>,
): Promise<Uint8Array> {
  const model = givenModel()
  const node = model.node('Thing', model.mesh('Thing', await make(model)))
  await change?.(model, node)
  return await model.glb()
}

/** A sphere of one material: clay, unless `paint` changes it. */
export const painted = (paint: (material: Material, model: GivenModel) => void | Promise<void>) => () =>
  one(async (model) => {
    const material = model.document
      .createMaterial('Paint')
      .setBaseColorFactor([0.8, 0.25, 0.1, 1])
      .setMetallicFactor(0)
      .setRoughnessFactor(0.4)
    await paint(material, model)
    return ball(model, material)
  })

export type Format = 'png' | 'jpeg' | 'webp' | 'avif'
type Pixel = (u: number, v: number) => readonly number[]

/** An image without symmetry, from a colour (0 to 255) at each u v. */
export async function drawn(pixel: Pixel, format: Format = 'png', size = 64): Promise<Uint8Array> {
  const channels = pixel(0, 0).length as 3 | 4
  const pixels = Uint8Array.from({ length: size * size * channels }, (_, i) => {
    const at = Math.floor(i / channels)
    return pixel(((at % size) + 0.5) / size, (Math.floor(at / size) + 0.5) / size)[i % channels]!
  })
  const options = format === 'webp' || format === 'avif' ? { lossless: true } : format === 'jpeg' ? { quality: 95 } : {}
  return new Uint8Array(
    await sharp(pixels, { raw: { width: size, height: size, channels } })
      .toFormat(format, options)
      .toBuffer(),
  )
}

export async function texture(model: GivenModel, pixel: Pixel, format: Format = 'png'): Promise<Texture> {
  return model.document
    .createTexture('Drawn')
    .setImage((await drawn(pixel, format)) as Uint8Array<ArrayBuffer>)
    .setMimeType(`image/${format}`)
}

const inside = (u: number, v: number, x: number, y: number, r: number) => Math.hypot(u - x, v - y) < r

/** Blue and yellow checks with a red disc near the top left. */
export const checks: Pixel = (u, v) =>
  inside(u, v, 0.3, 0.35, 0.12)
    ? [200, 40, 40]
    : (Math.floor(u * 8) + Math.floor(v * 4)) % 2
      ? [40, 80, 190]
      : [230, 200, 70]

/** The same with soft holes. */
export const holed: Pixel = (u, v) => [
  ...checks(u, v),
  Math.round(255 * Math.min(1, Math.max(0, 0.5 + 1.5 * Math.sin(u * 25) * Math.sin(v * 12)))),
]

/** A normal map of bumps. */
export const bumps: Pixel = (u, v) => {
  const [x, y] = [0.5 * Math.cos(u * 50), 0.5 * Math.cos(v * 25)]
  const length = Math.hypot(x, y, 1)
  return [x, y, 1].map((value) => Math.round(127.5 + (127.5 * value) / length))
}

/** Steps in each channel, in different directions. */
export const bands: Pixel = (u, v) => [
  Math.round(255 * (Math.floor(v * 6) / 5)),
  Math.round(255 * (0.1 + 0.8 * (Math.floor(u * 6) / 5))),
  u + v > 1 ? 255 : 0,
]
