import type { Material as GltfMaterial, Primitive } from '@gltf-transform/core'
import type { KHRMaterialsVariants, MappingList, Variant } from '@gltf-transform/extensions'
import type { Profile } from '../../options.ts'
import type { Model } from '../../read/read-glb.ts'
import type { Notes } from '../../report.ts'
import { uniqueNames } from '../prim-names.ts'
import type { MeshPart } from '../scene.ts'

const extension = 'KHR_materials_variants'

/**
 * The material variants of a model (KHR_materials_variants): their names, legal and unique, and the materials of each.
 */
export type MaterialVariants = {
  names: readonly string[]
  /**
   * The material of a primitive in each variant, undefined where a variant does not change it; undefined when none
   * does.
   */
  materialsOf(primitive: Primitive): readonly (GltfMaterial | undefined)[] | undefined
}

/**
 * Reads the material variants of a model. Quick Look has no variant selection: for it the default materials are
 * written, with a note.
 */
export function readVariants({ document }: Model, profile: Profile, notes: Notes): MaterialVariants {
  const found = document
    .getRoot()
    .listExtensionsUsed()
    .find(({ extensionName }) => extensionName === extension) as KHRMaterialsVariants | undefined
  const variants = found?.listVariants() ?? []
  if (variants.length > 0 && profile === 'quicklook') {
    notes.leftOut(
      'variants',
      'Quick Look does not support material variants: only the default materials are written.',
      variants.length,
    )
    return { names: [], materialsOf: () => undefined }
  }
  const uniqueName = uniqueNames()
  const places = new Map<Variant, number>(variants.map((variant, index) => [variant, index]))
  return {
    names: variants.map((variant) => uniqueName(variant.getName(), 'Variant')),
    materialsOf(primitive) {
      const mappings = primitive.getExtension<MappingList>(extension)?.listMappings() ?? []
      if (mappings.length === 0) return undefined
      const materials = new Array<GltfMaterial | undefined>(variants.length).fill(undefined)
      for (const mapping of mappings) {
        for (const variant of mapping.listVariants()) {
          materials[places.get(variant)!] ??= mapping.getMaterial() ?? undefined
        }
      }
      return materials
    },
  }
}

/** Notes vertex colours that variants do not show: they are multiplied by the colour of the default material. */
export function noteVariantVertexColors(parts: readonly MeshPart[], notes: Notes): void {
  for (const { geometry, material, variants = [] } of parts) {
    if (!geometry.colors || !variants.some((variant) => variant !== material)) continue
    notes.leftOut('variant_colors', 'Vertex colours are shown with the default materials, not in the other variants.')
  }
}
