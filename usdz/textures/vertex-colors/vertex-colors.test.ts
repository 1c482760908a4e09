// @module-tag long
import type { Material } from '@gltf-transform/core'
import { KHRMaterialsUnlit, KHRTextureTransform } from '@gltf-transform/extensions'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type ConvertOptions, convert } from '../../index.ts'
import { type GivenModel, givenModel } from '../../test/content/models.ts'
import { openUsdz } from '../../test/open-usdz.ts'
import { surface, texture } from '../../test/painted.ts'
import { decodeSrgb } from '../images/pixel-edits.ts'

type Paint = (model: GivenModel, material: Material) => Promise<void> | void

/** A square with the given colours at its corners (0 0), (1 0), (1 1), (0 1), r g b or r g b a. */
async function colored(colors: number[][], paint: Paint = () => {}, options: ConvertOptions = {}) {
  const model = givenModel()
  const material = model.document.createMaterial('Paint')
  await paint(model, material)
  const square = model.square(material)
  const type = colors[0]!.length === 4 ? 'VEC4' : 'VEC3'
  square.setAttribute('COLOR_0', model.accessor(type, Float32Array.from(colors.flat())))
  model.node('Square', model.mesh('Square', square))
  const { usdz, report } = await convert(await model.glb(), options)
  const usd = openUsdz(usdz)
  const texturePath = (input: string) => usd.connection(`${input}`)!.split('.outputs:')[0]!
  /** The base colour at a point of a triangle, given by barycentric coordinates: linear r g b and alpha. */
  const seen = async (
    triangle: number,
    shares: number[],
    { input = 'diffuseColor', halvings = 0, vertices = [0, 1, 2].map((corner) => triangle * 3 + corner) } = {},
  ) => {
    const name = 'Paint_colors'
    const shader = texturePath(`/Root/Materials/${name}/Surface.inputs:${input}`)
    const file = usd.files.find((one) => one.name === usd.text(`${shader}.inputs:file`))!
    const reader = usd.connection(`${shader}.inputs:st`)!.split('.')[0]!
    const st = usd.floats(`/Root/Square/Square.primvars:${usd.text(`${reader}.inputs:varname`)}`)!
    const at = (k: number) => shares.reduce((sum, share, corner) => sum + share * st[vertices[corner]! * 2 + k]!, 0)
    return await sampled(file.data, at(0), 1 - at(1), halvings)
  }
  return { usd, seen, codes: report.notes.map(({ code }) => code), report }
}

/** Samples an image with bilinear filtering, as linear RGB and alpha. */
async function sampled(bytes: Uint8Array, u: number, v: number, halvings: number): Promise<number[]> {
  const whole = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  let { data, info }: { data: Uint8Array; info: { width: number; height: number } } = whole
  for (let i = 0; i < halvings; i++) ({ data, info } = halved(data, info))
  const [x, y] = [u * info.width - 0.5, v * info.height - 0.5]
  const inside = (value: number, size: number) => Math.min(size - 1, Math.max(0, value))
  const at = (dx: number, dy: number, k: number) => {
    const column = inside(Math.floor(x) + dx, info.width)
    const value = data[(inside(Math.floor(y) + dy, info.height) * info.width + column) * 4 + k]! / 255
    return k === 3 ? value : decodeSrgb(value)
  }
  const [s, t] = [x - Math.floor(x), y - Math.floor(y)]
  return [0, 1, 2, 3].map(
    (k) => (at(0, 0, k) * (1 - s) + at(1, 0, k) * s) * (1 - t) + (at(0, 1, k) * (1 - s) + at(1, 1, k) * s) * t,
  )
}

function halved(data: Uint8Array, info: { width: number; height: number }) {
  const [width, height] = [info.width / 2, info.height / 2]
  const mean = (_: unknown, i: number) => {
    const [x, y, k] = [Math.floor(i / 4) % width, Math.floor(i / 4 / width), i % 4]
    const four = [0, 1, 2, 3].map((j) => data[((y * 2 + (j >> 1)) * info.width + x * 2 + (j & 1)) * 4 + k]!)
    const light = four.reduce((sum, value) => sum + decodeSrgb(value / 255), 0) / 4
    return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055))
  }
  return { data: Uint8Array.from({ length: width * height * 4 }, mean), info: { width, height } }
}

const corners = [
  [1, 0, 0],
  [0, 1, 0],
  [0.2, 0.4, 1],
  [0, 0, 0],
]
const triangles = [
  [0, 1, 2],
  [0, 2, 3],
]
const places = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0.5, 0.5, 0],
  [0.5, 0, 0.5],
  [1 / 3, 1 / 3, 1 / 3],
]
const blended = (triangle: number, shares: number[], colors = corners) =>
  colors[0]!.map((_, k) => shares.reduce((sum, share, i) => sum + share * colors[triangles[triangle]![i]!]![k]!, 0))

const expectNear = (one: readonly number[], other: readonly number[], most: number) => {
  for (const [i, value] of other.entries()) expect(Math.abs(one[i]! - value)).toBeLessThanOrEqual(most)
}

describe('vertex colours for Quick Look', () => {
  test('are in an image, at the corners of triangles and interpolated between them', async () => {
    const { seen, usd, codes } = await colored(corners)
    for (const triangle of [0, 1]) {
      for (const shares of places) expectNear(await seen(triangle, shares), blended(triangle, shares), 0.02)
    }
    expect(usd.floats('/Root/Square/Square.primvars:displayColor')).toBeUndefined()
    expect(codes).toEqual(['vertex_colors'])
  })

  test('do not blend with those of other triangles in mipmaps', async () => {
    const soft = [
      [0.6, 0.5, 0.5],
      [0.7, 0.7, 0.6],
      [0.5, 0.5, 0.6],
      [0.3, 0.3, 0.3],
    ]
    const { seen } = await colored(soft)
    for (const triangle of [0, 1]) {
      for (const shares of places) {
        for (const halvings of [1, 2, 3]) {
          expectNear(await seen(triangle, shares, { halvings }), blended(triangle, shares, soft), 0.01)
        }
      }
    }
  })

  test('are multiplied by the base colour', async () => {
    const { seen } = await colored(corners, (_, material) => {
      material.setBaseColorFactor([0.5, 0.25, 1, 1])
    })
    const [r, g, b] = blended(0, places[2]!)
    expectNear(await seen(0, places[2]!), [r! * 0.5, g! * 0.25, b!], 0.02)
  })

  test('are multiplied by the base colour texture, which other materials keep', async () => {
    const { seen, usd } = await colored(corners, async (model, material) => {
      material.setBaseColorTexture(await texture(model, [188, 255, 188]))
      material.setEmissiveTexture(await texture(model, [10, 20, 30])).setEmissiveFactor([1, 1, 1])
    })
    const half = decodeSrgb(188 / 255)
    for (const triangle of [0, 1]) {
      for (const shares of places) {
        const [r, g, b] = blended(triangle, shares)
        expectNear(await seen(triangle, shares), [r! * half, g!, b! * half], 0.03)
      }
    }
    expect([...usd.floats('/Root/Square/Square.primvars:st')!]).toEqual([0, 0, 1, 0, 1, 1, 0, 1])
    expect(usd.floats('/Root/Square/Square.primvars:st1')).toHaveLength(12)
  })

  test('are multiplied into the texture where its parts are shown once: its size and coordinates stay', async () => {
    const { seen, usd, codes } = await colored(corners, async (model, material) => {
      material.setBaseColorTexture(await texture(model, [188, 255, 188], 'png', 300))
    })
    const half = decodeSrgb(188 / 255)
    const st = usd.floats('/Root/Square/Square.primvars:st')!
    expect([...st]).toEqual([0, 0, 1, 0, 1, 1, 0, 1])
    expect(usd.floats('/Root/Square/Square.primvars:st1')).toBeUndefined()
    expect(await sharp(usd.files[1]!.data).metadata()).toMatchObject({ width: 300, height: 300 })
    for (const [triangle, vertices] of triangles.entries()) {
      for (const shares of places) {
        const [r, g, b] = blended(triangle, shares)
        expectNear(await seen(triangle, shares, { vertices }), [r! * half, g!, b! * half], 0.03)
      }
    }
    expect(codes).toEqual(['vertex_colors'])
  })

  test('are drawn into a coarse texture more finely than its pixels: its stripes stay where they are', async () => {
    const stripes = Buffer.from(Array.from({ length: 8 * 8 * 3 }, (_, k) => (Math.floor(k / 3) % 2 ? 255 : 0)))
    const { seen } = await colored(corners, async (model, material) => {
      const striped = await sharp(stripes, { raw: { width: 8, height: 8, channels: 3 } })
        .png()
        .toBuffer()
      const image = model.document.createTexture('stripes').setImage(new Uint8Array(striped)).setMimeType('image/png')
      material.setBaseColorTexture(image)
    })
    // The first triangle has u 0, 1, 1: middles of stripes, which are black where their number is even.
    for (let stripe = 1; stripe < 8; stripe++) {
      const u = (stripe + 0.5) / 8
      const shares = [1 - u, u * 0.6, u * 0.4]
      const expected = blended(0, shares).map((value) => (stripe % 2 ? value : 0))
      expectNear(await seen(0, shares), expected, 0.2)
    }
  })

  test('of a texture that repeats keep its resolution as far as an image has room, with a note', async () => {
    const repeated = async (times: number) => {
      const { usd, report } = await colored(corners, async (model, material) => {
        material.setBaseColorTexture(await texture(model, [188, 255, 188], 'png', 600))
        const transform = model.document.createExtension(KHRTextureTransform).createTransform()
        material.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', transform.setScale([times, times]))
      })
      return { size: await sharp(usd.files[1]!.data).metadata(), notes: report.notes.map(({ message }) => message) }
    }
    const twice = await repeated(2)
    expect(twice.size.width).toBeGreaterThan(1200)
    expect(twice.notes).toHaveLength(1)
    const often = await repeated(10)
    expect(often.size.width).toBeGreaterThan(1500)
    expect(often.notes[1]).toMatch(/^The texture of "Paint" .* is reduced to \d+ % of its resolution\.$/)
  })

  test('include alpha if the surface blends', async () => {
    const alphas = [1, 0.5, 0, 0.25]
    const clear = corners.map((color, i) => [...color, alphas[i]!])
    const { seen, usd } = await colored(clear, (_, material) => {
      material.setAlphaMode('BLEND')
    })
    for (const shares of places) {
      expectNear([(await seen(0, shares, { input: 'opacity' }))[3]!], [blended(0, shares, clear)[3]!], 0.02)
    }
    expect(usd.connection('/Root/Materials/Paint_colors/Surface.inputs:opacity')).toContain('outputs:a')
  })

  test('of unlit surfaces are emitted', async () => {
    const { seen } = await colored(corners, (model, material) => {
      material.setExtension('KHR_materials_unlit', model.document.createExtension(KHRMaterialsUnlit).createUnlit())
    })
    expectNear(await seen(1, places[1]!, { input: 'emissiveColor' }), blended(1, places[1]!), 0.02)
  })

  test('with white everywhere change nothing; one colour everywhere becomes the base colour', async () => {
    const white = await colored(corners.map(() => [1, 1, 1]))
    expect(white.usd.files).toHaveLength(1)
    expect(white.codes).toEqual([])
    expect(white.usd.target('/Root/Square/Square.material:binding')).toBe('/Root/Materials/Paint')
    const { usd } = await colored(corners.map(() => [0.5, 0.25, 0.125]))
    expect(usd.files).toHaveLength(1)
    expect(usd.stage.prims.has('/Root/Materials/Paint_colors')).toBe(true)
  })

  test('of a mesh without material are shown too', async () => {
    const model = givenModel()
    const square = model.square()
    square.setAttribute('COLOR_0', model.accessor('VEC3', Float32Array.from(corners.flat())))
    model.node('Square', model.mesh('Square', square))
    const usd = openUsdz((await convert(await model.glb())).usdz)
    expect(usd.target('/Root/Square/Square.material:binding')).toBe('/Root/Materials/Default_colors')
    expect(usd.number('/Root/Materials/Default_colors/Surface.inputs:metallic')).toBe(1)
  })

  test('of many triangles share equal cells in one image', async () => {
    const model = givenModel()
    const count = 30_000
    const random = (i: number) => Math.abs(Math.sin(i * 12.9898) * 43758.5453) % 1
    const made = (distinct: number) =>
      model.primitive({
        POSITION: { type: 'VEC3', array: Float32Array.from({ length: count * 9 }, (_, i) => random(i)) },
        COLOR_0: {
          type: 'VEC3',
          array: Float32Array.from({ length: count * 9 }, (_, i) => random(Math.floor(i / 9) % distinct)),
        },
      })
    model.node('Few', model.mesh('Few', made(7).setMaterial(model.document.createMaterial('Few'))))
    model.node('Many', model.mesh('Many', made(count).setMaterial(model.document.createMaterial('Many'))))
    const { usdz } = await convert(await model.glb())
    const sizes = await Promise.all(
      openUsdz(usdz)
        .files.slice(1)
        .map(async ({ data }) => (await sharp(data).metadata()).width),
    )
    expect(sizes[0]).toBeLessThanOrEqual(96)
    expect(sizes[1]).toBeLessThanOrEqual(2048)
  })
})

describe('vertex colours in the spec profile', () => {
  test('are read by the surface, multiplied by the base colour', async () => {
    const { usd } = await colored(
      corners,
      (_, material) => {
        material.setBaseColorFactor([0.5, 1, 1, 1])
      },
      { profile: 'spec' },
    )
    const reader = usd.connection(`${surface}diffuseColor`)!.split('.')[0]!
    expect(usd.text(`${reader}.info:id`)).toBe('UsdPrimvarReader_float3')
    expect(usd.text(`${reader}.inputs:varname`)).toBe('displayColor')
    const expected = corners.flatMap(([r, g, b]) => [r! * 0.5, g!, b!])
    expectNear([...usd.floats('/Root/Square/Square.primvars:displayColor')!], expected, 1e-6)
  })

  test('beside a texture are reported', async () => {
    const { codes } = await colored(
      corners,
      async (model, material) => {
        material.setBaseColorTexture(await texture(model, [1, 2, 3]))
      },
      { profile: 'spec' },
    )
    expect(codes).toEqual(['vertex_colors'])
  })
})
