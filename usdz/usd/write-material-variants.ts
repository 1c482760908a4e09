import type { Material } from '../scene/materials/material.ts'
import type { MeshPart } from '../scene/scene.ts'
import { attribute, type Prim, type Property, relationship } from './prim.ts'

/** The name of the one variant set, on the default prim. */
const setName = 'materialVariant'

/** A Mesh prim, and the part it shows when variants change it. */
export type VariantMeshPrim = Prim & { varied?: MeshPart }

/**
 * A mesh that variants change: what they say of it must not be said on the mesh itself, as that would be stronger.
 * @param mesh the Mesh prim of the part as it stands alone.
 */
export function variantMesh(mesh: Prim, part: MeshPart): VariantMeshPrim {
  if (!part.variants) return mesh
  const said = new Set(['material:binding', 'doubleSided'])
  return { ...mesh, properties: mesh.properties.filter(({ name }) => !said.has(name)), varied: part }
}

type PathOf = (material: Material | undefined) => string | undefined

/**
 * Lets the default prim choose between variants: each variant binds materials to the meshes it changes. The selected one is
 * what the GLB shows: one of the variants when it is the same, else one more.
 * @param root the default prim, with the varied meshes below it.
 */
export function withVariants(root: Prim, names: readonly string[], pathOf: PathOf): Prim {
  const parts = variedBelow(root)
  if (names.length === 0 || parts.length === 0) return root
  const shown = names.findIndex((_, variant) =>
    parts.every(({ variants, material }) => variants![variant] === material),
  )
  const variantOf = (name: string, materialOf: (part: MeshPart) => Material | undefined) => ({
    name,
    properties: [],
    children: root.children.flatMap((child) => overs(child, (part) => bindings(materialOf(part), pathOf))),
  })
  const variants = names.map((name, variant) => variantOf(name, ({ variants }) => variants![variant]))
  const plain = unusedName(names, 'Default')
  if (shown < 0) variants.unshift(variantOf(plain, ({ material }) => material))
  return { ...root, variantSets: [{ name: setName, selected: names[shown] ?? plain, variants }] }
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

/** What a variant says of a prim and those below it; nothing when no varied mesh is there. */
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
