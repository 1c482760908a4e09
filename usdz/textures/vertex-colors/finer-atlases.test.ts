import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createNotes } from '../../report.ts'
import type { Material } from '../../scene/materials/material.ts'
import type { Geometry, MeshPart } from '../../scene/scene.ts'
import { textureFiles } from '../texture-files.ts'
import { bakeVertexColors } from './bake-vertex-colors.ts'

/** A grid of small triangles with coordinates beyond the texture and a colour for each vertex. */
function grid(side: number): Geometry {
  const places = Array.from(
    { length: (side + 1) ** 2 },
    (_, i) => [i % (side + 1), Math.floor(i / (side + 1))] as const,
  )
  const cells = places.flatMap(([x, y], at) => (x < side && y < side ? [at] : []))
  return {
    points: Float32Array.from(places.flatMap(([x, y]) => [x, y, 0])),
    indices: Uint32Array.from(cells.flatMap((at) => [at, at + 1, at + side + 2, at, at + side + 2, at + side + 1])),
    normals: Float32Array.from(places.flatMap(() => [0, 0, 1])),
    uvs: [Float32Array.from(places.flatMap(([x, y]) => [(x / side) * 1.6, (y / side) * 1.6]))],
    colors: Float32Array.from(places.flatMap(([x, y]) => [(x % 4) / 3, (y % 5) / 4, 1])),
    extent: Float32Array.of(0, 0, 0, side, side, 0),
  }
}

/** The pixels of the images that the colours of a number of materials, with one coarse texture, are baked into. */
async function pixelsOf(count: number, options: { maxSide?: number } = {}): Promise<number[]> {
  const plain = { create: { width: 64, height: 64, channels: 3, background: '#888' } } as const
  const image = { name: 'plain', mimeType: 'image/png', bytes: new Uint8Array(await sharp(plain).png().toBuffer()) }
  const geometry = grid(40)
  const parts = Array.from({ length: count }, (_, index): MeshPart => {
    const baseColorTexture = { image, texCoord: 0, wrapS: 'repeat', wrapT: 'repeat' }
    const material = { name: `Paint ${index}`, alpha: 'opaque', baseColor: [1, 1, 1], opacity: 1, baseColorTexture }
    return { name: 'Grid', geometry, material: material as unknown as Material }
  })
  const notes = createNotes()
  await bakeVertexColors(parts, textureFiles({ maxPixels: 1e9, bakes: true }, notes), notes, options.maxSide)
  return parts.map(({ material }) => {
    const made = material!.baseColorTexture!.image
    return 'render' in made ? made.width * made.height : 0
  })
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test('images that are finer than their textures leave most of what viewers hold to other images', async () => {
  const [alone] = await pixelsOf(1)
  expect(alone).toBeGreaterThan(64 ** 2 * 100)
  const many = await pixelsOf(100)
  expect(Math.min(...many)).toBeGreaterThan(0)
  expect(sum(many)).toBeLessThanOrEqual(12_500_000)
})

test('no image is larger than the model may have', async () => {
  const [limited] = await pixelsOf(1, { maxSide: 300 })
  expect(limited).toBeLessThanOrEqual(300 ** 2)
})
