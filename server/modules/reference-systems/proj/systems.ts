import type { Pointer, Proj } from './library.ts'

/** An axis as registered. `unit` is metres (for angles, degrees) per unit. */
export type Axis = { name: string; abbreviation: string; direction: string; unit: number; unitName: string }

/** A reference system of PROJ. */
export type System = {
  /** The object to search operations from: including the transformation to WGS84 in its text, if any. */
  pointer: Pointer
  kind: 'geographic' | 'projected' | 'geocentric' | 'vertical' | 'compound'
  /** Its code such as `EPSG:25833`, if it has one. */
  id: string | undefined
  name: string
  axes: Axis[]
  /** Area of use: west, south, east, north; west > east crosses the antimeridian. */
  area: number[] | undefined
  /** The name of its projection, such as `UTM zone 33N`, and its method. */
  projection: { name: string; method: string } | undefined
  /** The name of the ellipsoid. */
  ellipsoid: string | undefined
  /** Whether its text defines the transformation to WGS84. */
  isBound: boolean
  /** The horizontal and vertical parts of a compound system. */
  parts: Pointer[]
}

/** PJ_TYPE of proj.h. */
const kinds: Record<number, System['kind']> = {
  10: 'geocentric',
  12: 'geographic',
  13: 'geographic',
  14: 'vertical',
  15: 'projected',
  16: 'compound',
}
const BOUND = 19
/** PJ_TYPE_DERIVED_PROJECTED_CRS */
const DERIVED_PROJECTED = 29

/** Reads a reference system from PROJ; undefined for kinds without a position on earth (engineering, time). */
export function systemAt(proj: Proj, pointer: Pointer): System | undefined {
  const { context } = proj
  const isBound = proj.number('proj_get_type', pointer) === BOUND
  const base = isBound ? proj.number('proj_get_source_crs', context, pointer) : pointer
  const type = proj.number('proj_get_type', base)
  const kind = type === DERIVED_PROJECTED ? 'projected' : kinds[type]
  if (!kind) return undefined
  const parts =
    kind === 'compound' ? [0, 1].map((index) => proj.number('proj_crs_get_sub_crs', context, base, index)) : []
  if (parts.includes(0)) return undefined
  return {
    pointer,
    kind,
    id: idOf(proj, base),
    name: proj.text('proj_get_name', base) ?? 'unnamed',
    axes: kind === 'compound' ? [] : axesOf(proj, base),
    area: areaOf(proj, base),
    projection: kind === 'projected' ? projectionOf(proj, base) : undefined,
    ellipsoid: kind === 'compound' || kind === 'vertical' ? undefined : ellipsoidOf(proj, base),
    isBound,
    parts,
  }
}

function idOf(proj: Proj, pointer: Pointer): string | undefined {
  const [authority, code] = [proj.text('proj_get_id_auth_name', pointer, 0), proj.text('proj_get_id_code', pointer, 0)]
  return authority && code ? `${authority}:${code}` : undefined
}

function axesOf(proj: Proj, pointer: Pointer): Axis[] {
  const system = proj.number('proj_crs_get_coordinate_system', proj.context, pointer)
  if (!system) return []
  const count = Math.max(0, proj.number('proj_cs_get_axis_count', proj.context, system))
  const axes = Array.from({ length: count }, (_, index): Axis => {
    const outputs = ['text', 'text', 'text', 'double', 'text'] as const
    // Two unused outputs: authority and code of the unit.
    const found = proj.outputs('proj_cs_get_axis_info', [proj.context, system, index], [...outputs, 'text', 'text'])
    const [name, abbreviation, direction, factor, unitName] = found as [string, string, string, number, string]
    const isAngle = /degree|grad|radian|gon|arc/i.test(unitName)
    return { name, abbreviation, direction, unit: isAngle ? factor * (180 / Math.PI) : factor, unitName }
  })
  proj.run('proj_destroy', system)
  return axes
}

export function areaOf(proj: Proj, pointer: Pointer): number[] | undefined {
  const kinds = ['double', 'double', 'double', 'double', 'text'] as const
  const area = proj.outputs('proj_get_area_of_use', [proj.context, pointer], kinds)?.slice(0, 4) as number[] | undefined
  // PROJ writes -1000 for unknown values.
  return area?.every((degrees) => degrees > -1000) ? area : undefined
}

function projectionOf(proj: Proj, pointer: Pointer): System['projection'] {
  const conversion = proj.number('proj_crs_get_coordoperation', proj.context, pointer)
  if (!conversion) return undefined
  const name = proj.text('proj_get_name', conversion) ?? ''
  const method = proj.outputs(
    'proj_coordoperation_get_method_info',
    [proj.context, conversion],
    ['text', 'text', 'text'],
  )
  proj.run('proj_destroy', conversion)
  return { name, method: String(method?.[0] ?? '') }
}

function ellipsoidOf(proj: Proj, pointer: Pointer): string | undefined {
  const ellipsoid = proj.number('proj_get_ellipsoid', proj.context, pointer)
  if (!ellipsoid) return undefined
  const name = proj.text('proj_get_name', ellipsoid)
  proj.run('proj_destroy', ellipsoid)
  return name
}
