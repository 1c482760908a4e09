import type { Document, Material, Primitive } from '@gltf-transform/core'
import { KHRMaterialsVariants, type Variant } from '@gltf-transform/extensions'
import type { Notes } from '../../report.ts'
import type { ComposedStage } from '../../stage/compose-stage.ts'
import type { UsdPrim } from '../../stage/usd-prim.ts'
import { isDoubleSided, type MeshShape } from '../geometry/mesh-shape.ts'
import type { LookStage } from '../look-stages.ts'
import { boundMaterial } from './binding.ts'
import { materialKey } from './material-key.ts'
import type { MaterialWriter, WrittenMaterial } from './material-writer.ts'

/** A material variant of a GLB; of those of a set, the selected one shows the same as the default materials. */
export type GlbVariant = { name: string; index: number; selected: boolean }

/** The materials of one part of a mesh. */
export type PartMaterials = {
  /** The one that is shown first, with the texture coordinates that all of them read. */
  shown: WrittenMaterial
  /** Those of variants, where they are others. */
  ofVariants: ReadonlyMap<Material, Variant[]>
}

/** Writes the materials of the parts of meshes, and those that variants show in place of them. */
export function partMaterials(
  stage: ComposedStage,
  looks: readonly LookStage[],
  write: MaterialWriter,
  document: Document,
  notes: Notes,
) {
  const extension = looks.length > 0 ? document.createExtension(KHRMaterialsVariants) : undefined
  const variants = looks.map((look) => ({ ...look, variant: extension!.createVariant(look.name), isUsed: false }))

  return {
    /** A value that is the same for parts with the same materials in all variants. */
    keyOf: (part: UsdPrim): unknown =>
      [{ stage }, ...looks].map((look) => {
        const there = look.stage.primAt(part.path)
        const bound = there && boundMaterial(look.stage, there)
        return [bound && materialKey(look.stage, bound), there && isDoubleSided(there)]
      }),

    async write(mesh: UsdPrim, subset: UsdPrim | undefined, shape: MeshShape): Promise<PartMaterials> {
      const { path } = subset ?? mesh
      const isTranslucent = shape.opacities !== undefined
      const materialIn = (there: ComposedStage, uvNames?: readonly string[]) => {
        const bound = boundMaterial(there, there.primAt(path)!)
        const use = { isDoubleSided: isDoubleSided(there.primAt(mesh.path)!), isTranslucent }
        return write(there, bound, uvNames ? { ...use, uvNames } : use)
      }
      const shown = await materialIn(stage)
      let { uvNames } = shown
      const ofVariants = new Map<Material, Variant[]>()
      for (const look of variants) {
        let other = await materialIn(look.stage)
        if (other === shown) continue
        if (!areAligned(other.uvNames, uvNames)) other = await materialIn(look.stage, uvNames)
        if (other.uvNames.length > uvNames.length) uvNames = other.uvNames
        if (colorsOf(other, shape) !== colorsOf(shown, shape)) {
          notes.changed('variant_colors', 'Vertex colours are those of the selected materials, in all variants.')
        }
        ofVariants.set(other.material, [...(ofVariants.get(other.material) ?? []), look.variant])
        look.isUsed = true
      }
      return { shown: { ...shown, uvNames }, ofVariants }
    },

    /** Lets variants change the material of a primitive. */
    addTo(primitive: Primitive, { ofVariants }: PartMaterials): void {
      if (ofVariants.size === 0) return
      const list = extension!.createMappingList()
      for (const [material, of] of ofVariants) {
        const mapping = extension!.createMapping().setMaterial(material)
        for (const variant of of) mapping.addVariant(variant)
        list.addMapping(mapping)
      }
      primitive.setExtension('KHR_materials_variants', list)
    },

    /** Removes the sets that change nothing, and materials that no primitive has. @returns the variants. */
    finish(): GlbVariant[] {
      const used = new Set(variants.filter(({ isUsed }) => isUsed).map(({ set }) => set))
      for (const { set, variant } of variants) if (!used.has(set)) variant.dispose()
      if (used.size === 0) extension?.dispose()
      const root = document.getRoot()
      for (const material of root.listMaterials()) {
        if (material.listParents().every((parent) => parent === root)) material.dispose()
      }
      const kept = variants.filter(({ set }) => used.has(set))
      const selected = [...used].map((set) => kept.find((each) => each.set === set && !each.isUsed))
      return kept.map((each, index) => ({ name: each.name, index, selected: selected.includes(each) }))
    },
  }
}

/** Whether the sets of texture coordinates that one material reads are the first ones of those of the other. */
const areAligned = (some: readonly string[], others: readonly string[]): boolean =>
  some.slice(0, others.length).every((name, i) => name === others[i])

/** What a material shows of the colours and opacities of a mesh. */
function colorsOf({ colors, readsOpacities }: WrittenMaterial, shape: MeshShape): string {
  const shown = colors && (shape.colors.has(colors.name) ? colors.name : colors.fallback.join())
  return `${shown ?? '1,1,1'} ${readsOpacities && shape.opacities !== undefined}`
}
