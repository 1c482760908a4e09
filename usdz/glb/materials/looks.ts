import type { Document, Material, Primitive } from '@gltf-transform/core'
import { KHRMaterialsVariants, type Mapping, type Variant } from '@gltf-transform/extensions'
import { textOf } from '../../layers/read-values.ts'
import type { StagePrim } from '../../layers/stage.ts'
import { createNotes, type Notes } from '../../report.ts'
import { type ComposedStage, composeStage } from '../../stage/compose-stage.ts'
import type { OpenPackage } from '../../stage/open-package.ts'
import { type VariantSet, variantOf } from '../../stage/opinions.ts'
import type { PackageLayer, UsdPrim } from '../../stage/usd-prim.ts'
import type { WrittenMaterial } from './material-writer.ts'

/** The largest number of variants, and of prims of all stages that they make. */
const maxVariants = 64
const maxPrims = 200_000

/** What a variant may say: the rest is not a matter of materials. */
const ownProperties = new Set(['material:binding', 'doubleSided'])
const otherFields = ['references', 'payload', 'inheritPaths', 'specializes', 'active', 'variantSetNames']

/** The variant set of the default prim, if it has one that binds materials and says nothing else. */
export type MaterialVariantSet = VariantSet & { names: readonly string[] }

/** Finds the variants that KHR_materials_variants can carry: those of the default prim, in which viewers offer a choice. */
export function materialVariantSet({ stage }: PackageLayer): MaterialVariantSet | undefined {
  const { crate, prims, metadata } = stage
  const path = `/${textOf(crate, metadata.get('defaultPrim')) ?? ''}`
  const within = new Set<StagePrim>()
  const names = new Map<string, string[]>()
  for (const prim of prims) {
    const isVariant = crate.paths.name(prim.number).startsWith('{')
    if (!isVariant && !(prim.parent && within.has(prim.parent))) continue
    within.add(prim)
    const { set, name } = isVariant ? variantOf(crate, prim) : {}
    if (isVariant && (prim.base?.path !== path || set === undefined || name === undefined)) return undefined
    if (set !== undefined) names.set(set, [...(names.get(set) ?? []), name!])
    // Without a prim outside that it overrides, a prim is only in this variant.
    if (!prim.base || otherFields.some((field) => prim.fields.has(field))) return undefined
    if ([...prim.own.keys()].some((property) => !ownProperties.has(property))) return undefined
  }
  const [[set, found] = []] = names
  return names.size === 1 && found!.length <= maxVariants ? { path, set: set!, names: found! } : undefined
}

/** A variant and the stage with it. */
export type Look = { name: string; stage: ComposedStage }

/** Composes the stage once more for each variant; none, with a note, where that takes too long. */
export function looksOf(
  opened: OpenPackage,
  { names, ...set }: MaterialVariantSet,
  shown: ComposedStage,
  notes: Notes,
): Look[] {
  if (countOf(shown.tops) * names.length > maxPrims) {
    notes.leftOut('variants', 'Variants that are not selected are left out.', names.length - 1)
    return []
  }
  // What is noted of the stage is noted of the one that is shown.
  const silent = createNotes()
  return names.map((name) => ({
    name,
    stage: composeStage(opened, silent, { carried: set, selected: { ...set, name } }),
  }))
}

const countOf = (prims: readonly UsdPrim[]): number =>
  prims.reduce((sum, { children }) => sum + 1 + countOf(children), 0)

/** Writes which materials the variants give to primitives: those that differ from the one that is shown. */
export function lookWriter(document: Document, looks: readonly Look[]) {
  let variants: Variant[] | undefined
  return (primitive: Primitive, materials: readonly WrittenMaterial[]): void => {
    if (materials.every(({ material }) => material === primitive.getMaterial())) return
    const extension = document.createExtension(KHRMaterialsVariants)
    variants ??= looks.map(({ name }) => extension.createVariant(name))
    const mappings = new Map<Material, Mapping>()
    for (const [index, { material }] of materials.entries()) {
      if (material === primitive.getMaterial()) continue
      const mapping = mappings.get(material) ?? extension.createMapping().setMaterial(material)
      mappings.set(material, mapping.addVariant(variants[index]!))
    }
    const list = extension.createMappingList()
    for (const mapping of mappings.values()) list.addMapping(mapping)
    primitive.setExtension('KHR_materials_variants', list)
  }
}

/**
 * Returns the material of a primitive with the texture coordinates of all that variants give it.
 * @returns undefined when they read different values of the mesh, so that no primitive serves all.
 */
export function sharedBy(shown: WrittenMaterial, others: readonly WrittenMaterial[]): WrittenMaterial | undefined {
  const all = [shown, ...others]
  const { uvNames } = all.reduce((most, each) => (each.uvNames.length > most.uvNames.length ? each : most))
  const reads = ({ colors, readsOpacities }: WrittenMaterial) => JSON.stringify([colors, readsOpacities])
  const isShared = all.every(
    (each) => reads(each) === reads(shown) && each.uvNames.every((name, i) => name === uvNames[i]),
  )
  return isShared ? { ...shown, uvNames } : undefined
}
