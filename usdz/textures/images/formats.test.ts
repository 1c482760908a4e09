import { EXTTextureWebP, KHRTextureBasisu } from '@gltf-transform/extensions'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { gradient, ktx2, pixelsOf } from '../../test/content/ktx2.ts'
import { type GivenModel, image, withJson } from '../../test/content/models.ts'
import { painted } from '../../test/painted.ts'

let red: Awaited<ReturnType<typeof image>>
beforeAll(async () => {
  red = await image([255, 0, 0])
})

type Bytes = Uint8Array<ArrayBuffer>

const stored = (model: GivenModel, bytes: Uint8Array, type: string, name = 'stone') =>
  model.document
    .createTexture(name)
    .setImage(new Uint8Array(bytes) as Bytes)
    .setMimeType(type)

describe('KTX2 textures', () => {
  test.each(
    [true, false].flatMap((isUASTC) =>
      [true, false].flatMap((alpha) =>
        [true, false].map((small) => ({ isUASTC, alpha, size: small ? [13, 7] : [64, 32], mips: !small })),
      ),
    ),
  )(
    'show the encoded image: UASTC $isUASTC, alpha $alpha, $size, mips $mips',
    async ({ isUASTC, alpha, size, mips }) => {
      const [width, height] = size as [number, number]
      const png = await gradient(width, height, alpha)
      const bytes = await ktx2(png, { isUASTC, generateMipmap: mips, needSupercompression: mips, qualityLevel: 255 })
      const { usd, codes } = await painted((model, material) => {
        model.document.createExtension(KHRTextureBasisu).setRequired(true)
        material.setBaseColorTexture(stored(model, bytes, 'image/ktx2'))
        if (alpha) material.setAlphaMode('BLEND')
      })
      expect(usd.files[1]!.name).toBe(alpha ? 'textures/stone.png' : 'textures/stone.jpg')
      const [source, result] = [await pixelsOf(png), await pixelsOf(usd.files[1]!.data)]
      expect(result).toMatchObject({ width, height })
      const difference = source.data.reduce((sum, value, i) => sum + Math.abs(value - result.data[i]!), 0)
      expect(difference / source.data.length).toBeLessThan(isUASTC ? 2 : 12)
      expect(codes).toContain('texture_reencoded')
    },
  )

  test.each([
    ['a cube map', (view: DataView) => view.setUint32(36, 6, true), 'cube map'],
    ['an array', (view: DataView) => view.setUint32(32, 2, true), 'array'],
    ['a volume', (view: DataView) => view.setUint32(28, 4, true), 'flat'],
    ['too large', (view: DataView) => view.setUint32(20, 2 ** 31, true), 'pixels'],
    ['of another coding', (view: DataView) => view.setUint32(12, 37, true), 'Basis Universal'],
    ['cut off', (view: DataView) => view.setUint32(80, 2 ** 30, true), 'damaged'],
  ])('that are %s are omitted, with the reason in a note', async (_, change, reason) => {
    const bytes = await ktx2(await gradient(16, 16, false), { isUASTC: true, generateMipmap: false })
    change(new DataView(bytes.buffer, bytes.byteOffset))
    const { report, usd } = await painted((model, material) => {
      model.document.createExtension(KHRTextureBasisu).setRequired(true)
      material.setBaseColorTexture(stored(model, bytes, 'image/ktx2'))
    })
    expect(usd.files).toHaveLength(1)
    expect(report.notes).toEqual([
      expect.objectContaining({ code: 'texture_ktx2', message: expect.stringContaining(reason) }),
    ])
  })

  test('with damaged data are omitted without a crash', { tags: ['long'] }, async () => {
    const whole = await ktx2(await gradient(64, 64, true), { isUASTC: false, generateMipmap: false })
    for (let seed = 1; seed <= 60; seed++) {
      const bytes = whole.slice()
      for (let k = 0, at = seed; k < 8; k++) {
        at = (at * 48271) % 2147483647
        bytes[80 + (at % (bytes.length - 80))] = at & 255
      }
      const { usd, codes } = await painted((model, material) => {
        model.document.createExtension(KHRTextureBasisu).setRequired(true)
        material.setBaseColorTexture(stored(model, bytes, 'image/ktx2'))
      })
      expect(usd.files.length === 2 || codes.some((code) => code.startsWith('texture_'))).toBe(true)
    }
  })
})

describe('images', () => {
  const plain = { raw: { width: 4, height: 4, channels: 3 as const } }
  const orange = Uint8Array.from({ length: 48 }, (_, i) => [200, 120, 40][i % 3]!)
  const near = (one: number[], other: number[], most: number) =>
    expect(Math.max(...one.map((value, i) => Math.abs(value - other[i]!)))).toBeLessThanOrEqual(most)

  test.each([
    ['16 bits', () => sharp(orange, plain).toColourspace('rgb16').png(), [100, 120, 40]],
    ['a palette', () => sharp(orange, plain).png({ palette: true }), [100, 120, 40]],
  ])('with %s can be multiplied by factors', async (_, make, expected) => {
    const png = await make().toBuffer()
    const { pixel } = await painted((model, material) => {
      material.setBaseColorTexture(stored(model, png, 'image/png')).setBaseColorFactor([0.212, 1, 1, 1])
    })
    near(await pixel('diffuseColor'), expected, 3)
  })

  test('in grey are read in every channel', async () => {
    const grey = await sharp(orange, plain).greyscale().png().toBuffer()
    const [value] = await sharp(grey).raw().toBuffer()
    const { pixel } = await painted((model, material) => {
      material.setMetallicRoughnessTexture(stored(model, grey, 'image/png'))
    })
    expect(await pixel('roughness', 1)).toEqual([value])
    expect(await pixel('metallic', 1)).toEqual([value])
  })

  test('in CMYK are re-encoded in a format that viewers support', async () => {
    const cmyk = await sharp(orange, plain).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    const { usd, codes } = await painted((model, material) => {
      material.setBaseColorTexture(stored(model, cmyk, 'image/jpeg'))
    })
    expect((await sharp(usd.files[1]!.data).metadata()).space).toBe('srgb')
    expect(codes).toEqual(['texture_reencoded'])
  })

  test.each(['jpeg', 'png'] as const)(
    'in %s lose profile and orientation, but keep their encoded data',
    async (format) => {
      const tagged = await sharp(orange, plain)
        .toFormat(format)
        .withIccProfile('p3')
        .withMetadata({ orientation: 6 })
        .toBuffer()
      expect(await sharp(tagged).metadata()).toMatchObject({ orientation: 6, icc: expect.anything() })
      const paint = (model: GivenModel, material: { setBaseColorTexture(texture: never): void }) =>
        material.setBaseColorTexture(stored(model, tagged, `image/${format}`) as never)
      const { usd, codes } = await painted(paint as never)
      const file = usd.files[1]!.data
      const { icc, orientation } = await sharp(file).metadata()
      expect([icc, orientation]).toEqual([undefined, undefined])
      const raw = (bytes: Uint8Array) => sharp(bytes, { ignoreIcc: true }).raw().toBuffer()
      expect((await raw(file)).equals(await raw(tagged))).toBe(true)
      expect(codes).toEqual([])
      const spec = await painted(paint as never, { profile: 'spec' })
      expect(Buffer.from(spec.usd.files[1]!.data).equals(tagged)).toBe(true)
    },
  )

  test('in png lose an orientation that follows the pixels', async () => {
    const tagged = await sharp(orange, plain).png().withMetadata({ orientation: 6 }).toBuffer()
    const at = tagged.indexOf('eXIf') - 4
    const after = at + 12 + tagged.readUInt32BE(at)
    const end = tagged.length - 12
    const parts = [[0, at], [after, end], [at, after], [end]].map(([from, to]) => tagged.subarray(from, to))
    const bytes = Buffer.concat(parts)
    expect(bytes.indexOf('eXIf')).toBeGreaterThan(bytes.indexOf('IDAT'))
    const { usd } = await painted((model, material) => {
      material.setBaseColorTexture(stored(model, bytes, 'image/png'))
    })
    expect(Buffer.from(usd.files[1]!.data).includes('eXIf')).toBe(false)
  })

  test('above the size limit of viewers are reduced with a note, except in the spec profile', async () => {
    const large = await sharp({ create: { width: 4096, height: 1024, channels: 3, background: '#804020' } })
      .jpeg()
      .toBuffer()
    const paint = (model: GivenModel, material: { setBaseColorTexture(texture: never): void }) =>
      material.setBaseColorTexture(stored(model, large, 'image/jpeg') as never)
    const { usd, report } = await painted(paint as never)
    expect(await sharp(usd.files[1]!.data).metadata()).toMatchObject({ width: 2048, height: 512 })
    expect(report.notes[0]).toMatchObject({ code: 'texture_size', message: expect.stringContaining('2048 × 512') })
    const spec = await painted(paint as never, { profile: 'spec' })
    expect(Buffer.from(spec.usd.files[1]!.data).equals(large)).toBe(true)
  })

  test('above the total limit are reduced, except those of vertex colours', async () => {
    const sizes = await Promise.all(
      [...Array(14).keys()].map(async (i) => {
        const shade = {
          create: { width: 2048, height: 2048, channels: 3 as const, background: { r: i * 15, g: 9, b: 9 } },
        }
        return await sharp(shade).jpeg().toBuffer()
      }),
    )
    const { usd } = await painted((model, material) => {
      const { document } = model
      for (const [i, bytes] of sizes.entries()) {
        const other = document.createMaterial(`Paint ${i}`)
        other.setBaseColorTexture(stored(model, bytes, 'image/jpeg', `stone ${i}`))
        model.node(`Square ${i}`, model.mesh(`Square ${i}`, model.square(other)))
      }
      const square = model.square(material)
      const colors = Float32Array.from({ length: 12 }, (_, i) => i / 12)
      model.node('Colors', model.mesh('Colors', square.setAttribute('COLOR_0', model.accessor('VEC3', colors))))
    })
    const widths = await Promise.all(usd.files.slice(1).map(async ({ data }) => (await sharp(data).metadata()).width))
    expect(new Set(widths)).toEqual(new Set([1024, 64]))
  })
})

describe('a texture with an image of an extension beside its own', () => {
  /** A texture with a WebP or KTX2 image in the extension, and a red PNG for readers without it. */
  const withBoth = (bytes: Uint8Array, type: string, extension: string) =>
    painted(
      (model, material) => {
        const [own, coded] = [stored(model, red, 'image/png', 'own'), stored(model, bytes, type, 'coded')]
        material.setBaseColorTexture(own).setEmissiveTexture(coded)
        if (extension === 'EXT_texture_webp') model.document.createExtension(EXTTextureWebP)
        else model.document.createExtension(KHRTextureBasisu)
      },
      {},
      (glb) =>
        withJson(glb, (json) => {
          json.textures = [{ source: 0, extensions: { [extension]: { source: 1 } } }]
          json.materials = [{ name: 'Paint', pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
        }),
    )

  test('shows that of the extension', async () => {
    const blue = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#0000ff' } })
      .webp({ lossless: true })
      .toBuffer()
    const { pixel, codes } = await withBoth(blue, 'image/webp', 'EXT_texture_webp')
    const [r, , b] = await pixel('diffuseColor')
    expect(b! - r!).toBeGreaterThan(200)
    expect(codes).toEqual(['texture_reencoded'])
  })

  test('shows its own where that of the extension cannot be read', async () => {
    const { pixel, codes } = await withBoth(new Uint8Array(100), 'image/ktx2', 'KHR_texture_basisu')
    expect(await pixel('diffuseColor')).toEqual([255, 0, 0])
    expect(codes).toEqual([])
  })
})
