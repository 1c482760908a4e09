import type { Material } from '../scene/material.ts'
import type { SceneNode } from '../scene/scene.ts'
import type { Layer, Prim } from './prim.ts'
import type { Surface } from './surface.ts'
import { meshWriter, transformOps } from './write-mesh.ts'
import { materialPrim } from './write-surface.ts'

const rootName = 'Root'
export const materialsName = 'Materials'

/**
 * The layer of a scene. Everything, materials too, is below the default prim, so that the file can be referenced into
 * another one whole. y is up and a unit is a metre, as in glTF.
 */
export function sceneLayer(nodes: readonly SceneNode[], surfaces: ReadonlyMap<Material, Surface>): Layer {
  const materialsPath = `/${rootName}/${materialsName}`
  const writeMesh = meshWriter()
  const nodePrim = (node: SceneNode): Prim => ({
    name: node.name,
    typeName: 'Xform',
    properties: transformOps(node.matrix),
    children: [
      ...node.parts.map((part) => {
        const surface = part.material && surfaces.get(part.material)
        return writeMesh(part, surface && `${materialsPath}/${surface.name}`, surface?.primvars ?? [])
      }),
      ...node.children.map(nodePrim),
    ],
  })
  const materials: Prim = {
    name: materialsName,
    typeName: 'Scope',
    properties: [],
    children: [...surfaces.values()].map((surface) => materialPrim(surface, materialsPath)),
  }
  const root: Prim = {
    name: rootName,
    typeName: 'Xform',
    properties: [],
    children: [...(surfaces.size > 0 ? [materials] : []), ...nodes.map(nodePrim)],
  }
  return {
    metadata: [
      { name: 'defaultPrim', value: { type: 'token', value: rootName } },
      { name: 'metersPerUnit', value: { type: 'double', value: 1 } },
      { name: 'upAxis', value: { type: 'token', value: 'Y' } },
    ],
    prims: [root],
  }
}
