import type { Mesh, Primitive } from '@gltf-transform/core'
import { tooLarge } from '../../errors.ts'
import { affineMatrix, type Linear, linearPart } from '../../motion/math/affine.ts'
import type { Settings } from '../../options/options.ts'
import type { Notes } from '../../report.ts'
import type { SplatMeshes } from '../../splats/read-splat-meshes.ts'
import { describePrimitive, withErrorContext } from '../error-context.ts'
import type { Color, Material, MaterialSource, NormalSigns, TextureRef } from '../materials/material.ts'
import { determinant, type Matrix, multiply } from '../matrix.ts'
import { type Origin, originOf } from '../origin.ts'
import type { UniqueNames } from '../prim-names.ts'
import type { Geometry, MeshPart } from '../scene.ts'
import { separateCorners } from './flat-shading.ts'
import { flattenGeometry } from './flattened-geometry.ts'
import { readGeometry } from './geometry.ts'
import { mirrorGeometry, mirrorX } from './mirrored-geometry.ts'
import { morphGeometry } from './morphed-geometry.ts'
import type { Simplify } from './simplify.ts'
import { normalMapSigns } from './tangent-frames.ts'
import { minTriangles } from './triangle-indices.ts'

/** The largest number of mesh prims: each instance needs one, and viewers slow down long before this number. */
const maxParts = 25_000
/** The largest ratio of drawn to stored triangles. Instances share arrays, but a viewer draws each. */
const maxInstanceRatio = 10

/**
 * Builds mesh parts, one for each primitive. Nodes that share a primitive share its arrays. Enforces the limits on
 * triangles and parts.
 */
export function meshPartBuilder(
  settings: Settings,
  materials: MaterialSource,
  splats: SplatMeshes,
  simplify: Simplify | undefined,
  notes: Notes,
) {
  const shared = new Map<Primitive, Geometry | undefined>()
  const shaped = new Map<Geometry, Map<string, Geometry>>()
  const flipped = new Map<Geometry, Geometry>()
  const flat = new Map<Geometry, Map<string, Geometry>>()
  const origins = new Map<Mesh, Origin | undefined>()
  const stored = new Set<Geometry>()
  let triangles = 0
  let drawn = 0
  let parts = 0

  const geometryFor = (primitive: Primitive): Geometry | undefined => {
    // Checked before memory is allocated.
    if (shared.has(primitive)) return shared.get(primitive)
    assertTriangles(triangles + minTriangles(primitive))
    const geometry = readGeometry(primitive, notes, simplify?.reduce)
    shared.set(primitive, geometry)
    return geometry
  }
  /** Applies constant weights, and separates the corners of a mesh whose vertices move; the same once. */
  const formOf = (primitive: Primitive, geometry: Geometry, { weights, moves }: DrawnMesh): Geometry => {
    const forms = shaped.get(geometry) ?? new Map<string, Geometry>()
    shaped.set(geometry, forms)
    const key = JSON.stringify([weights, moves])
    const form = forms.get(key) ?? formed(primitive, geometry, weights, moves)
    forms.set(key, form)
    return form
  }
  const mirroredOnce = (geometry: Geometry): Geometry => {
    const known = flipped.get(geometry) ?? mirrorGeometry(geometry)
    flipped.set(geometry, known)
    return known
  }
  const flattenedOnce = (geometry: Geometry, linear: Linear): Geometry => {
    const ones = flat.get(geometry) ?? new Map<string, Geometry>()
    flat.set(geometry, ones)
    const key = linear.join(' ')
    const one = ones.get(key) ?? flattenGeometry(geometry, affineMatrix(linear))
    ones.set(key, one)
    return one
  }
  const assertTriangles = (count: number) => {
    const most = settings.limits.triangles
    if (count > most) throw tooLarge(`The model has more than ${most} triangles.`)
  }
  const count = (geometry: Geometry) => {
    if (!stored.has(geometry)) triangles += geometry.indices.length / 3
    stored.add(geometry)
    drawn += geometry.indices.length / 3
    parts++
    const most = settings.limits.triangles
    assertTriangles(triangles)
    if (drawn > most * maxInstanceRatio) {
      throw tooLarge(`The model draws more than ${most * maxInstanceRatio} triangles, including all instances.`)
    }
    if (parts > maxParts) throw tooLarge(`The model draws more than ${maxParts} separate meshes.`)
  }

  const signs = new Map<Geometry, Map<TextureRef, NormalSigns | undefined>>()
  const signsOf = (ref: TextureRef, primitive: Primitive, geometry: Geometry): NormalSigns | undefined => {
    const known = signs.get(geometry) ?? new Map<TextureRef, NormalSigns | undefined>()
    signs.set(geometry, known)
    if (!known.has(ref)) known.set(ref, normalMapSigns(primitive, geometry, ref, notes))
    return known.get(ref)
  }

  /** Builds the parts of a mesh, with geometries mapped by `shape`. */
  const each = (
    drawn: DrawnMesh,
    shape: (geometry: Geometry, primitive: Primitive) => Geometry,
    uniqueName: UniqueNames,
  ): ShapedPart[] =>
    drawn.mesh.listPrimitives().flatMap((primitive) => {
      const { mesh, world, tint, moves } = drawn
      if (splats.has(primitive)) {
        if (moves) notes.leftOut('splats', 'Gaussian splats of meshes with a skin or morph targets are left out.')
        return []
      }
      const plain = geometryFor(primitive)
      if (!plain) return []
      const unshaped = formOf(primitive, plain, drawn)
      const geometry = shape(unshaped, primitive)
      count(geometry)
      const scale = Math.cbrt(Math.abs(determinant(world)))
      const adapted = (material: Material) => {
        const { normalTexture: normal } = material
        return materials.adapt(material, { normalSigns: normal && signsOf(normal, primitive, unshaped), scale, tint })
      }
      const { variants } = materials.variants(primitive)
      const surfaces = {
        material: adapted(materials.get(primitive)),
        ...(variants && { variants: variants.map(adapted) }),
      }
      if (!origins.has(mesh)) origins.set(mesh, originOf(mesh, notes))
      const origin = origins.get(mesh)
      const part = { name: uniqueName(mesh.getName(), 'Mesh'), ...(origin && { origin }), ...surfaces, geometry }
      return [{ part, primitive, unshaped }]
    })

  return {
    each,
    /** Builds the parts of a rigid mesh. */
    rigid(drawn: Omit<DrawnMesh, 'moves'>, uniqueName: UniqueNames): MeshPart[] {
      const mirrors = settings.profile !== 'spec' && determinant(drawn.world) < 0
      const shape = mirrors ? mirroredOnce : (geometry: Geometry) => geometry
      return each({ ...drawn, moves: false }, shape, uniqueName).map(({ part }) =>
        mirrors ? { ...part, matrix: mirrorX } : part,
      )
    },
    /**
     * Builds the parts of a rigid mesh that its transform `world` flattens, in the space of that transform.
     * @param mirrors whether the transform above mirrors, which shall not turn the front of the mesh.
     */
    flattened(drawn: Omit<DrawnMesh, 'moves'>, mirrors: boolean, uniqueName: UniqueNames): MeshPart[] {
      const linear = linearPart(mirrors ? multiply(mirrorX, drawn.world) : drawn.world)
      const shape = (geometry: Geometry) => flattenedOnce(geometry, linear)
      return each({ ...drawn, moves: false }, shape, uniqueName).map(({ part }) =>
        mirrors ? { ...part, matrix: mirrorX } : part,
      )
    },
  }
}
export type MeshPartBuilder = ReturnType<typeof meshPartBuilder>

/**
 * A mesh as a node draws it: its matrix, its constant morph weights, the colour of an instance. `moves`: its vertices
 * move by themselves.
 */
export type DrawnMesh = {
  mesh: Mesh
  world: Matrix
  weights: readonly number[]
  tint?: Color | undefined
  moves: boolean
}

function formed(primitive: Primitive, geometry: Geometry, weights: readonly number[], moves: boolean): Geometry {
  const morphed = withErrorContext(
    () => describePrimitive(primitive),
    () => morphGeometry(primitive, geometry, weights),
  )
  return moves ? separateCorners(morphed) : morphed
}

/** A part, its primitive, and its geometry before mapping. */
type ShapedPart = { part: MeshPart; primitive: Primitive; unshaped: Geometry }
