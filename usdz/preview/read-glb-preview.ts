import { type Mesh, type Node, Primitive } from '@gltf-transform/core'
import { tooLarge } from '../errors.ts'
import { type ConvertOptions, type Limits, resolveOptions } from '../options/options.ts'
import { type Model, readGlb } from '../read/read-glb.ts'
import { createNotes, type Notes } from '../report.ts'
import { describePrimitive, withErrorContext } from '../scene/error-context.ts'
import { readFloats } from '../scene/geometry/accessor-floats.ts'
import { separateCorners } from '../scene/geometry/flat-shading.ts'
import { readGeometry } from '../scene/geometry/geometry.ts'
import { minTriangles } from '../scene/geometry/triangle-indices.ts'
import { instanceMatrices } from '../scene/instancing.ts'
import type { Material } from '../scene/materials/material.ts'
import { readVariants } from '../scene/materials/material-variants.ts'
import { materialSource } from '../scene/materials/read-materials.ts'
import { identity, type Matrix, multiply } from '../scene/matrix.ts'
import { type NodeTransforms, nodeTransforms } from '../scene/node-transforms.ts'
import type { Geometry } from '../scene/scene.ts'
import { sceneRoots, visibleMeshNodes } from '../scene/visible-nodes.ts'
import { deformMesh } from './deform-mesh.ts'
import { previewMaterials, uvsOf } from './gltf-materials.ts'
import type { PointCloud, Preview, PreviewMesh } from './preview.ts'

/**
 * Reads a GLB for a preview: the default scene at rest, with skins, morph targets and instances applied. Points are
 * included, lines are not.
 * @throws ConversionError when the GLB is malformed, unsupported or exceeds a limit.
 */
export async function readGlbPreview(glb: Uint8Array, limits: ConvertOptions['limits'] = {}): Promise<Preview> {
  const { limits: most } = resolveOptions({ limits })
  const notes = createNotes()
  return previewOf(await readGlb(glb, most, notes), most, notes)
}

/**
 * Prepares a model for rendering.
 * @throws ConversionError when it is malformed or exceeds a limit.
 */
export function previewOf(model: Model, most: Limits, notes: Notes): Preview {
  const transforms = nodeTransforms(model)
  const materials = materialSource(model, readVariants(model), createNotes())
  const materialOf = previewMaterials(most.texturePixels)

  const geometries = new Map<Primitive, Geometry | undefined>()
  let triangles = 0
  const geometryFor = (primitive: Primitive) => {
    if (geometries.has(primitive)) return geometries.get(primitive)
    if (triangles + minTriangles(primitive) > most.triangles)
      throw tooLarge(`The model has more than ${most.triangles} triangles.`)
    const read = readGeometry(primitive, createNotes())
    const geometry = read && separateCorners(read)
    triangles += (geometry?.indices.length ?? 0) / 3
    geometries.set(primitive, geometry)
    return geometry
  }

  const meshes: PreviewMesh[] = []
  const clouds: PointCloud[] = []
  const shared = new Map<Primitive, Matrix[]>()
  for (const node of visibleMeshNodes(sceneRoots(model, createNotes()), notes)) {
    const mesh = node.getMesh()!
    const instances = instanceTransforms(node, transforms)
    for (const primitive of mesh.listPrimitives()) {
      if (primitive.getMode() === Primitive.Mode.POINTS) {
        const cloud = cloudOf(primitive, instances)
        if (cloud) clouds.push(cloud)
        continue
      }
      const known = shared.get(primitive)
      if (known && !deforms(node, mesh)) {
        known.push(...instances)
        continue
      }
      const geometry = geometryFor(primitive)
      if (!geometry) continue
      const surface = surfaceOf(geometry, materials.adapt(materials.get(primitive), {}), materialOf, instances)
      if (deforms(node, mesh)) meshes.push(deformMesh(surface, geometry, primitive, node, transforms))
      else {
        shared.set(primitive, instances)
        meshes.push(surface)
      }
    }
  }
  return { meshes, pointClouds: clouds, up: 'y', notes: notes.list().map(({ message }) => message) }
}

const deforms = (node: Node, mesh: Mesh): boolean =>
  node.getSkin() !== null || mesh.listPrimitives().some((primitive) => primitive.listTargets().length > 0)

function instanceTransforms(node: Node, transforms: NodeTransforms): Matrix[] {
  // Joints alone place a skinned mesh.
  if (node.getSkin()) return [identity]
  const world = transforms.worldMatrix(node)
  return instanceMatrices(node)?.map((instance) => multiply(world, instance)) ?? [world]
}

function surfaceOf(
  geometry: Geometry,
  material: Material,
  materialOf: ReturnType<typeof previewMaterials>,
  transforms: readonly Matrix[],
): PreviewMesh {
  const { points, indices, normals, colors, opacities } = geometry
  const uvs = uvsOf(geometry, material)
  return {
    points,
    indices,
    normals,
    ...(uvs && { uvs }),
    ...(colors && { colors }),
    ...(opacities && { opacities }),
    material: materialOf(material, uvs !== undefined),
    transforms,
  }
}

function cloudOf(primitive: Primitive, transforms: readonly Matrix[]): PointCloud | undefined {
  const position = primitive.getAttribute('POSITION')
  if (!position) return undefined
  return withErrorContext(
    () => describePrimitive(primitive),
    () => {
      const color = primitive.getAttribute('COLOR_0')
      const linear = color?.getCount() === position.getCount() ? readFloats(color, 3) : undefined
      return { points: readFloats(position, 3), ...(linear && { colors: encoded(linear) }), transforms }
    },
  )
}

/** Encodes linear colours as sRGB (IEC 61966-2-1). */
function encoded(linear: Float32Array): Uint8Array {
  const out = new Uint8Array(linear.length)
  for (let i = 0; i < linear.length; i++) {
    const value = Math.min(1, Math.max(0, linear[i]!))
    out[i] = Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055))
  }
  return out
}
