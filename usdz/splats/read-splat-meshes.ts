import type { Mesh, Primitive } from '@gltf-transform/core'
import { malformed, tooLarge } from '../errors.ts'
import type { Settings } from '../options/options.ts'
import { isObject, type JsonObject } from '../read/json.ts'
import type { Model } from '../read/read-glb.ts'
import type { Notes } from '../report.ts'
import { describePrimitive, withErrorContext } from '../scene/error-context.ts'
import { readFloats } from '../scene/geometry/accessor-floats.ts'
import type { Splats } from './splats.ts'

const extension = 'KHR_gaussian_splatting'

/**
 * Finds the primitives with KHR_gaussian_splatting, and reads them for the profile `spec`. The others leave them out,
 * with a note, and so does `spec` where they are compressed.
 */
export function splatMeshes({ document, json }: Model, settings: Settings, notes: Notes) {
  const extensions = new Map<Primitive, JsonObject>()
  for (const [index, mesh] of document.getRoot().listMeshes().entries()) {
    const primitives = json.meshes[index]?.primitives as JsonObject[] | undefined
    for (const [at, primitive] of mesh.listPrimitives().entries()) {
      const own = primitives?.[at]?.extensions
      if (isObject(own) && isObject(own[extension])) extensions.set(primitive, own[extension])
    }
  }
  const known = new Map<Primitive, Splats>()
  let count = 0

  const read = (primitive: Primitive, { colorSpace, extensions: more }: JsonObject): Splats[] => {
    if (settings.profile !== 'spec') {
      notes.leftOut('splats', 'Gaussian splats are left out: only the profile spec writes them, for OpenUSD 26.03.')
      return []
    }
    // A note of the extension itself says it.
    if (isObject(more) && Object.keys(more).some((name) => name.includes('compression'))) return []
    if (colorSpace === 'lin_rec709_display') {
      notes.changed('splats', 'Gaussian splats with linear colours are written without their colour space.')
    }
    const splats =
      known.get(primitive) ??
      withErrorContext(
        () => describePrimitive(primitive),
        () => splatsOf(primitive, notes),
      )
    if (!known.has(primitive)) count += splats.opacities.length
    known.set(primitive, splats)
    const most = settings.limits.triangles
    if (count > most) throw tooLarge(`The model has more than ${most} splats.`)
    return [splats]
  }
  return {
    has: (primitive: Primitive): boolean => extensions.has(primitive),
    /** Reads the splats of a mesh; those of meshes that several nodes draw once. */
    of: (mesh: Mesh): Splats[] =>
      mesh.listPrimitives().flatMap((primitive) => {
        const own = extensions.get(primitive)
        return own ? read(primitive, own) : []
      }),
  }
}
export type SplatMeshes = ReturnType<typeof splatMeshes>

/** Source: KHR_gaussian_splatting as ratified. Drafts had logarithms for scales, of which most are negative. */
function splatsOf(primitive: Primitive, notes: Notes): Splats {
  const count = primitive.getAttribute('POSITION')?.getCount() ?? 0
  const find = (semantic: string) => primitive.getAttribute(`${extension}:${semantic}`)
  const read = (name: string, size: number) => {
    const accessor = primitive.getAttribute(name)
    if (!accessor) throw malformed(`its splats have no ${name}.`)
    if (accessor.getCount() !== count) throw malformed(`it has ${count} splats but ${accessor.getCount()} of ${name}.`)
    return readFloats(accessor, size)
  }
  const degree = [1, 2, 3].filter((d) => find(`SH_DEGREE_${d}_COEF_0`)).length
  const coefficients = new Float32Array(count * 3 * (degree + 1) ** 2)
  for (let d = 0, place = 0; d <= degree; d++) {
    for (let k = 0; k <= 2 * d; k++, place++) {
      const values = read(`${extension}:SH_DEGREE_${d}_COEF_${k}`, 3)
      for (let i = 0; i < count; i++) {
        coefficients.set(values.subarray(i * 3, i * 3 + 3), (i * (degree + 1) ** 2 + place) * 3)
      }
    }
  }
  const scales = read(`${extension}:SCALE`, 3)
  const areLogarithms = scales.some((scale) => scale < 0)
  if (areLogarithms) {
    notes.changed(
      'splats',
      'Negative scales of Gaussian splats are read as logarithms, as drafts of the extension had.',
    )
  }
  return {
    positions: read('POSITION', 3),
    scales: areLogarithms ? scales.map(Math.exp) : scales,
    orientations: normalised(read(`${extension}:ROTATION`, 4)),
    opacities: read(`${extension}:OPACITY`, 1),
    degree,
    coefficients,
    sorting: 'cameraDistance',
  }
}

function normalised(turns: Float32Array): Float32Array {
  const out = new Float32Array(turns.length)
  for (let at = 0; at < turns.length; at += 4) {
    const length = Math.hypot(turns[at]!, turns[at + 1]!, turns[at + 2]!, turns[at + 3]!)
    for (let k = 0; k < 4; k++) out[at + k] = length > 0 ? turns[at + k]! / length : k === 3 ? 1 : 0
  }
  return out
}
