import type { Material as GltfMaterial, Primitive } from '@gltf-transform/core'
import type { KHRMaterialsVariants, MappingList, Variant } from '@gltf-transform/extensions'
import { unsupported } from '../../errors.ts'
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
  /** The names in the GLB. */
  titles: readonly string[]
  /** The index of the requested variant. */
  selected?: number
  /**
   * The material of a primitive in each variant, undefined where a variant does not change it; undefined when none
   * does.
   */
  materialsOf(primitive: Primitive): readonly (GltfMaterial | undefined)[] | undefined
}

/**
 * Reads the material variants of a model.
 * @param wanted the name or index of the variant to select.
 * @throws ConversionError `unsupported` when there is no such variant.
 */
export function readVariants({ document }: Model, wanted?: string | number): MaterialVariants {
  const found = document
    .getRoot()
    .listExtensionsUsed()
    .find(({ extensionName }) => extensionName === extension) as KHRMaterialsVariants | undefined
  const variants = found?.listVariants() ?? []
  const titles = variants.map((variant) => variant.getName())
  const selected = wanted === undefined ? -1 : titles.findIndex((title, index) => wanted === title || wanted === index)
  if (wanted !== undefined && selected < 0) throw noSuchVariant(wanted, titles)
  const uniqueName = uniqueNames()
  const places = new Map<Variant, number>(variants.map((variant, index) => [variant, index]))
  return {
    names: titles.map((title) => uniqueName(title, 'Variant')),
    titles,
    ...(selected >= 0 && { selected }),
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

function noSuchVariant(wanted: string | number, titles: readonly string[]) {
  const asked = typeof wanted === 'string' ? `named "${wanted}"` : `number ${wanted}`
  const others = titles.map((title, index) => (title ? `"${title}"` : `number ${index}`)).join(', ')
  return unsupported(
    `There is no variant ${asked}; ${others ? `available: ${others}` : 'the GLB has no material variants'}.`,
  )
}

/**
 * Tells which variant the package shows first: the requested one, otherwise the one that equals the default look; -1 if
 * none does, undefined if no part has variants.
 */
export function shownVariant(
  parts: readonly MeshPart[],
  { names, selected }: Pick<MaterialVariants, 'names' | 'selected'>,
): number | undefined {
  const varied = parts.filter(({ variants }) => variants !== undefined)
  if (names.length === 0 || varied.length === 0) return undefined
  if (selected !== undefined) return selected
  return names.findIndex((_, variant) => varied.every(({ variants, material }) => variants![variant] === material))
}

/** Notes vertex colours that variants do not show: they are multiplied by the colour of the default material. */
export function noteVariantVertexColors(parts: readonly MeshPart[], notes: Notes): void {
  for (const { geometry, material, variants = [] } of parts) {
    if (!geometry.colors || geometry.colors.every((value) => value === 1)) continue
    if (!variants.some((variant) => variant !== material)) continue
    notes.leftOut('variant_colors', 'Vertex colours are shown with the default materials, not in the other variants.')
  }
}
