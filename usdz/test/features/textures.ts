import { EXTTextureAVIF, EXTTextureWebP, KHRTextureBasisu, KHRTextureTransform } from '@gltf-transform/extensions'
import { encodeToKTX2 } from 'ktx2-encoder'
import sharp, { type Sharp } from 'sharp'
import type { GivenModel } from '../content/models.ts'
import type { Feature } from './feature.ts'
import { bands, checks, drawn, type Format, holed, painted, texture } from './models/solids.ts'

const textured = (format: Format, extension?: (model: GivenModel) => void) =>
  painted(async (material, model) => {
    extension?.(model)
    material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(await texture(model, checks, format))
  })

/** The encoder prints its progress. */
async function quietly(encode: typeof encodeToKTX2, ...call: Parameters<typeof encodeToKTX2>): Promise<Uint8Array> {
  const log = console.log
  console.log = () => {}
  try {
    return await encode(...call)
  } finally {
    console.log = log
  }
}

const basis = (isUASTC: boolean) =>
  painted(async (material, model) => {
    model.document.createExtension(KHRTextureBasisu).setRequired(true)
    const bytes = await quietly(encodeToKTX2, await drawn(checks), {
      isUASTC,
      generateMipmap: true,
      isSetKTX2SRGBTransferFunc: true,
      imageDecoder: async (buffer) => {
        const { data, info } = await sharp(buffer).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
        return { data: new Uint8Array(data), width: info.width, height: info.height }
      },
    })
    const made = model.document
      .createTexture('Basis')
      .setImage(bytes as Uint8Array<ArrayBuffer>)
      .setMimeType('image/ktx2')
    material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(made)
  })

/** An image file that `texture` does not create. */
const stored = (type: 'jpeg' | 'png', make: (image: Sharp) => Sharp) =>
  painted(async (material, model) => {
    const bytes = new Uint8Array(await make(sharp(await drawn(checks)).removeAlpha()).toBuffer())
    const made = model.document.createTexture('Stored').setImage(bytes).setMimeType(`image/${type}`)
    material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(made)
  })

export const textures: Feature[] = [
  { name: 'JPEG', as: 'the same bytes', how: 'exact', glb: textured('jpeg') },
  { name: 'PNG', as: 'the same bytes', how: 'exact', glb: textured('png') },
  {
    name: 'PNG of 16 bits a channel',
    as: 'the same bytes; 8 bits where its pixels change',
    how: 'exact',
    glb: stored('png', (image) => image.toColourspace('rgb16').png()),
  },
  {
    name: 'Grey images',
    as: 'the same bytes',
    how: 'exact',
    glb: stored('png', (image) => image.greyscale().png()),
  },
  {
    name: 'JPEG in CMYK',
    as: 'JPEG in RGB',
    how: 'approximated',
    unjudged: 'readers convert CMYK differently',
    notes: ['texture_reencoded'],
    glb: stored('jpeg', (image) => image.toColourspace('cmyk').jpeg({ quality: 95 })),
  },
  {
    name: '`EXT_texture_webp`',
    as: 'JPEG, or PNG where there is alpha or data',
    how: 'approximated',
    notes: ['texture_reencoded'],
    glb: textured('webp', ({ document }) => document.createExtension(EXTTextureWebP).setRequired(true)),
  },
  {
    name: '`EXT_texture_avif`',
    as: 'JPEG, or PNG where there is alpha or data',
    how: 'approximated',
    notes: ['texture_reencoded'],
    glb: textured('avif', ({ document }) => document.createExtension(EXTTextureAVIF).setRequired(true)),
  },
  {
    name: '`KHR_texture_basisu`, ETC1S',
    as: 'JPEG, or PNG where there is alpha or data',
    how: 'approximated',
    notes: ['texture_reencoded'],
    glb: basis(false),
  },
  {
    name: '`KHR_texture_basisu`, UASTC',
    as: 'JPEG, or PNG where there is alpha or data',
    how: 'approximated',
    notes: ['texture_reencoded'],
    glb: basis(true),
  },
  {
    name: '`KHR_texture_transform`',
    as: '`quicklook`: texture coordinates; `spec`: `UsdTransform2d`',
    how: 'exact',
    glb: painted(async (material, model) => {
      const moved = model.document.createExtension(KHRTextureTransform).createTransform()
      material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(await texture(model, checks))
      moved.setOffset([0.2, 0.1]).setScale([2, 3]).setRotation(0.5)
      material.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', moved)
    }),
  },
  {
    name: '`KHR_texture_transform`, another for each texture',
    as: '`quicklook`: a set of texture coordinates for each; `spec`: `UsdTransform2d`',
    how: 'exact',
    notes: { quicklook: ['uv_sets'], spec: [] },
    glb: painted(async (material, model) => {
      const extension = model.document.createExtension(KHRTextureTransform)
      material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(await texture(model, checks))
      material
        .setRoughnessFactor(1)
        .setMetallicFactor(1)
        .setMetallicRoughnessTexture(await texture(model, bands))
      material
        .getBaseColorTextureInfo()!
        .setExtension('KHR_texture_transform', extension.createTransform().setScale([2, 2]))
      material
        .getMetallicRoughnessTextureInfo()!
        .setExtension('KHR_texture_transform', extension.createTransform().setRotation(0.8).setOffset([0.3, 0]))
    }),
  },
  {
    name: 'Wrap modes',
    as: '`wrapS`, `wrapT`',
    how: 'exact',
    glb: painted(async (material, model) => {
      const moved = model.document
        .createExtension(KHRTextureTransform)
        .createTransform()
        .setScale([3, 3])
        .setOffset([-1, -1])
      material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(await texture(model, checks))
      const info = material.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', moved)
      info.setWrapS(33648).setWrapT(33071)
    }),
  },
  {
    name: 'One image as colour and as data',
    as: 'two files where their pixels differ',
    how: 'exact',
    unjudged: 'GLTFLoader reads the data as colours too',
    glb: painted(async (material, model) => {
      const image = await texture(model, holed)
      material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(image).setOcclusionTexture(image)
      material.setRoughnessFactor(1).setMetallicRoughnessTexture(image)
    }),
  },
]
