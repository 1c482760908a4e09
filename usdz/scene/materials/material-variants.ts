import type { Material as GltfMaterial, Primitive } from '@gltf-transform/core'
import type { KHRMaterialsVariants, MappingList, Variant } from '@gltf-transform/extensions'
import type { Profile } from '../../options.ts'
import type { Model } from '../../read/read-glb.ts'
import type { Notes } from '../../report.ts'
import { uniqueNames } from '../prim-names.ts'
import type { MeshPart } from '../scene.ts'

const extension = 'KHR_materials_variants'

/** The looks a model may be given (KHR_materials_variants): their names, legal and unique, and what each changes. */
export type MaterialVariants = {
  names: readonly string[]
  /** The material of a primitive in each look, undefined where a look leaves it as it is; none when all do. */
  materialsOf(primitive: Primitive): readonly (GltfMaterial | undefined)[] | undefined
}

/**
 * Reads the looks of a model. For Quick Look, which shows no choice, there are none: it gets the model as it is shown
 * before one is chosen, and a note.
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
      'Quick Look shows no choice of materials: of the variants only the look the GLB begins with is written.',
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

/** Vertex colours are made for the material a mesh begins with: they are multiplied by its colour. */
export function noteVariantVertexColors(parts: readonly MeshPart[], notes: Notes): void {
  for (const { geometry, material, variants = [] } of parts) {
    if (!geometry.colors || !variants.some((variant) => variant !== material)) continue
    notes.leftOut(
      'variant_colors',
      'Vertex colours are shown in the look the GLB begins with, not in its other variants.',
    )
  }
}
