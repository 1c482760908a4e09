import type { Material } from '../scene/materials/material.ts'
import { type MaterialVariants, shownVariant } from '../scene/materials/material-variants.ts'
import type { MeshPart } from '../scene/scene.ts'
import { attribute, type Metadatum, type Prim, type Property, relationship, type Value } from './prim.ts'

/** The name of the variant set on the default prim. */
const setName = 'materialVariant'

/** A Mesh prim and its part, if variants change it. */
export type VariantMeshPrim = Prim & { varied?: MeshPart }

/**
 * Removes the opinions that variants override from a Mesh prim: local opinions would be stronger.
 * @param mesh the Mesh prim of the part without variants.
 */
export function variantMesh(mesh: Prim, part: MeshPart): VariantMeshPrim {
  if (!part.variants) return mesh
  const ownProperties = new Set(['material:binding', 'doubleSided'])
  return { ...mesh, properties: mesh.properties.filter(({ name }) => !ownProperties.has(name)), varied: part }
}

/** The legal names of the variants, those in the GLB, and the requested one. */
export type VariantNames = Pick<MaterialVariants, 'names' | 'titles' | 'selected'>

type PathOf = (material: Material | undefined) => string | undefined

/**
 * Adds the variant set to the default prim: each variant binds materials to the meshes it changes. Quick Look lets its
 * users choose among the variants of the default prim (Apple, "Validating feature support for USD files"). The default
 * look of the GLB is added as a variant when none equals it, and is selected unless a variant is requested.
 * @param root the default prim with the meshes below it.
 */
export function withVariants(root: Prim, variantNames: VariantNames, pathOf: PathOf): Prim {
  const parts = variedBelow(root)
  const { names } = variantNames
  const plainVariant = shownVariant(parts, { names })
  const shown = shownVariant(parts, variantNames)
  if (shown === undefined) return root
  const variantOf = (name: string, materialOf: (part: MeshPart) => Material | undefined) => ({
    name,
    properties: [],
    children: root.children.flatMap((child) => overs(child, (part) => bindings(materialOf(part), pathOf))),
  })
  const variants = names.map((name, variant) => variantOf(name, ({ variants }) => variants![variant]))
  const plain = unusedName(names, 'Default')
  if (plainVariant === -1) variants.unshift(variantOf(plain, ({ material }) => material))
  const metadata = [...(root.metadata ?? []), ...titleMetadata(variantNames)]
  return {
    ...root,
    ...(metadata.length > 0 && { metadata }),
    variantSets: [{ name: setName, selected: names[shown] ?? plain, variants }],
  }
}

/**
 * Keeps the names in the GLB of variants that have others here. They are metadata of the prim: those of a variant would
 * become that too, when it is selected.
 */
function titleMetadata({ names, titles }: VariantNames): Metadatum[] {
  const kept = names.flatMap((name, at): [string, Value][] => {
    const title = titles[at] ?? ''
    return title === '' || title === name ? [] : [[name, { type: 'string', value: title }]]
  })
  if (kept.length === 0) return []
  const variants: Value = { type: 'dictionary', value: Object.fromEntries(kept) }
  return [{ name: 'customData', value: { type: 'dictionary', value: { gltfVariants: variants } } }]
}

const variedBelow = (prim: VariantMeshPrim): MeshPart[] => [
  ...(prim.varied ? [prim.varied] : []),
  ...prim.children.flatMap(variedBelow),
]

function bindings(material: Material | undefined, pathOf: PathOf): Property[] {
  const path = pathOf(material)
  return [
    attribute('doubleSided', 'bool', material?.doubleSided ?? false, { uniform: true }),
    ...(path ? [relationship('material:binding', path)] : []),
  ]
}

/** Returns the `over` of a prim and its descendants; nothing when no mesh changes. */
function overs(prim: VariantMeshPrim, bind: (part: MeshPart) => Property[]): Prim[] {
  const children = prim.children.flatMap((child) => overs(child, bind))
  if (!prim.varied && children.length === 0) return []
  const properties = prim.varied ? bind(prim.varied) : []
  return [{ name: prim.name, typeName: '', specifier: 'over', properties, children }]
}

function unusedName(names: readonly string[], wanted: string): string {
  const taken = new Set(names.map((name) => name.toLowerCase()))
  let name = wanted
  for (let n = 1; taken.has(name.toLowerCase()); n++) name = `${wanted}_${n}`
  return name
}
