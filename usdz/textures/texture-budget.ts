import type { Material, TextureRef } from '../scene/materials/material.ts'
import type { TextureFiles } from './texture-files.ts'

/** The limits of Quick Look: sides of 2048 pixels, and 200 MB of decoded images in total, four bytes per pixel. */
const largestSide = 2048
const budget = 200_000_000 / 4

/** Lists the textures of a material. */
export const texturesOf = (material: Material): TextureRef[] =>
  [
    material.baseColorTexture,
    material.metallicRoughnessTexture,
    material.normalTexture,
    material.occlusionTexture,
    material.emissiveTexture,
    material.clearcoatTexture,
    material.clearcoatRoughnessTexture,
    material.clearcoatNormal?.texture,
    material.transmission?.texture,
    material.attenuation?.texture,
    material.specular?.texture,
    material.specular?.colorTexture,
    material.specularGlossiness?.texture,
  ].filter((ref) => ref !== undefined)

/** Returns the largest image side, up to `most`, with which all images stay within the budget. */
export async function maxSideWithinBudget(
  materials: readonly Material[],
  files: TextureFiles,
  most: number = largestSide,
): Promise<number> {
  const sizes = new Map<string, { width: number; height: number; copies: number; fixedSize: boolean }>()
  for (const material of materials) {
    for (const ref of texturesOf(material)) {
      const usable = await files.inspect(ref.image)
      if (!usable) continue
      // Roughness and metallic get separate files.
      const copies = ref === material.metallicRoughnessTexture ? 2 : 1
      const known = sizes.get(usable.hash)
      if (!known || known.copies < copies) {
        sizes.set(usable.hash, { ...usable.header, copies, fixedSize: usable.fixedSize === true })
      }
    }
  }
  let side = most
  const pixels = () =>
    [...sizes.values()].reduce((sum, { width, height, copies, fixedSize }) => {
      const scale = fixedSize ? 1 : Math.min(1, side / Math.max(width, height))
      return sum + width * height * scale * scale * copies
    }, 0)
  while (side > 64 && pixels() > budget) side /= 2
  return side
}
