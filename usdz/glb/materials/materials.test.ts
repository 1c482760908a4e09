import { createHash } from 'node:crypto'
import { type Material, NodeIO, type Texture, type TextureInfo } from '@gltf-transform/core'
import { ALL_EXTENSIONS, type Transform } from '@gltf-transform/extensions'
import { expect, test } from 'vitest'
import { convert, convertToGlb } from '../../index.ts'
import { sampleModel } from '../../test/content/sample-models.ts'

const read = async (glb: Uint8Array) => await new NodeIO().registerExtensions(ALL_EXTENSIONS).readBinary(glb)
const rounded = (values: readonly number[]) => values.map((value) => Number(value.toFixed(5)))

function described(texture: Texture | null, info: TextureInfo | null) {
  if (!texture || !info) return undefined
  const transform = info.getExtension<Transform>('KHR_texture_transform')
  return {
    image: createHash('sha1').update(texture.getImage()!).digest('hex'),
    wrap: [info.getWrapS(), info.getWrapT()],
    set: transform?.getTexCoord() ?? info.getTexCoord(),
    ...(transform && {
      transform: rounded([...transform.getOffset(), transform.getRotation(), ...transform.getScale()]),
    }),
  }
}

const looks = (material: Material) => ({
  name: material.getName(),
  doubleSided: material.getDoubleSided(),
  alpha: [material.getAlphaMode(), material.getAlphaMode() === 'MASK' ? material.getAlphaCutoff() : 0],
  factors: rounded([
    ...material.getBaseColorFactor(),
    material.getMetallicFactor(),
    material.getRoughnessFactor(),
    ...material.getEmissiveFactor(),
    material.getNormalScale(),
    material.getOcclusionStrength(),
  ]),
  baseColor: described(material.getBaseColorTexture(), material.getBaseColorTextureInfo()),
  metallicRoughness: described(material.getMetallicRoughnessTexture(), material.getMetallicRoughnessTextureInfo()),
  normal: described(material.getNormalTexture(), material.getNormalTextureInfo()),
  occlusion: described(material.getOcclusionTexture(), material.getOcclusionTextureInfo()),
  emissive: described(material.getEmissiveTexture(), material.getEmissiveTextureInfo()),
})

test.each(['bio_01_alpha_blend', 'bio_01_principled_material', 'bio_12_orm_two_uvmaps', 'bio_13_texture_wrapping'])(
  'the materials of %s are the same after USDZ and back, with their images unchanged',
  async (name) => {
    const source = sampleModel(name)
    const { glb } = await convertToGlb((await convert(source, { profile: 'spec' })).usdz)
    const [before, after] = [await read(source), await read(glb)].map((document) =>
      document
        .getRoot()
        .listMaterials()
        .map(looks)
        .sort((a, b) => a.name.localeCompare(b.name)),
    )
    expect(after).toEqual(before)
  },
)

test('transforms of texture coordinates are those of the source', async () => {
  const source = sampleModel('bio_09_texture_transform')
  const { glb } = await convertToGlb((await convert(source, { profile: 'spec' })).usdz)
  const [before, after] = [await read(source), await read(glb)].map((document) =>
    looks(document.getRoot().listMaterials()[0]!),
  )
  for (const slot of ['baseColor', 'metallicRoughness', 'normal', 'occlusion'] as const) {
    expect(after![slot], slot).toEqual(before![slot])
  }
})
