import type { Pointer, Proj } from './library.ts'
import { areaOf, type System, systemAt } from './systems.ts'

/** Maximum length of a definition. */
export const MAX_TEXT = 32 * 1024
/** Maximum nesting: PROJ parses by recursion. */
const MAX_DEPTH = 40

/** Datums in PROJ strings whose shift in PROJ's own list is coarser than the registered one, which is used instead. */
const datums: Record<string, string> = {
  OSGB36: 'EPSG:4277',
  potsdam: 'EPSG:4314',
  carthage: 'EPSG:4223',
  hermannskogel: 'EPSG:4312',
  ire65: 'EPSG:4299',
  nzgd49: 'EPSG:4272',
  GGRS87: 'EPSG:4121',
}

/** A code, a URN or address of one, a PROJ string, a WKT or a PROJJSON: PROJ looks for other texts among similar names. */
const DEFINITION = /^(?:\w+:\S|\+|\{|[a-z]\w{3,20}\s*\[)/i

/**
 * Parses a code (`EPSG:25832`, `EPSG:25832+7837`, `ESRI:102100`), a WKT of any version, a PROJJSON or a PROJ string. A
 * text's own definition takes precedence over its code. @returns undefined if PROJ cannot read it
 */
export function readSystem(proj: Proj, text: string): System | undefined {
  if (text.length > MAX_TEXT || depthOf(text) > MAX_DEPTH || !DEFINITION.test(text.trimStart())) return undefined
  const compound = /^([A-Z_]+:\w+)\+(?:([A-Z_]+):)?(\w+)$/.exec(text)
  const pointer = compound
    ? joined(proj, compound[1]!, `${compound[2] ?? compound[1]!.split(':')[0]}:${compound[3]}`)
    : text.startsWith('+')
      ? fromProjText(proj, text)
      : proj.number('proj_create', proj.context, text)
  return pointer === 0 || proj.number('proj_is_crs', pointer) !== 1 ? undefined : systemAt(proj, pointer)
}

function joined(proj: Proj, plane: string, vertical: string): Pointer {
  const [first, second] = [plane, vertical].map((code) => proj.number('proj_create', proj.context, code))
  if (!first || !second) return 0
  const name = [first, second].map((part) => proj.text('proj_get_name', part)).join(' + ')
  return proj.number('proj_create_compound_crs', proj.context, name, first, second)
}

function fromProjText(proj: Proj, text: string): Pointer {
  const named = /\+datum=(\w+)/.exec(text)?.[1]
  const code = Object.entries(datums).find(([name]) => name.toLowerCase() === named?.toLowerCase())?.[1]
  const own = proj.number('proj_create', proj.context, `${text.replace(/\+type=\w+/, '')} +type=crs`)
  if (!own || !code) return own
  const datum = proj.number('proj_create', proj.context, code)
  if (/\+proj=(?:longlat|latlong)/.test(text)) return datum
  const base = proj.number('proj_get_type', own) === 19 ? proj.number('proj_get_source_crs', proj.context, own) : own
  return proj.number('proj_crs_alter_geodetic_crs', proj.context, base, datum)
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const sign of text) {
    if ('[({'.includes(sign)) deepest = Math.max(deepest, ++depth)
    else if ('])}'.includes(sign)) depth--
  }
  return deepest
}

/** PJ_TYPE, and the confidence in percent from which two definitions are the same system. */
const SURE = 90

/** The registered code of a definition, and its area of use, for a text without a code. */
function identified(proj: Proj, pointer: Pointer): System | undefined {
  const { module, context } = proj
  const confidences = module._malloc(4)
  try {
    const list = proj.number('proj_identify', context, pointer, 'EPSG', 0, confidences)
    if (!list) return undefined
    const count = proj.number('proj_list_get_count', list)
    const values = module.getValue(confidences, 'i32')
    const isSure = count > 0 && module.getValue(values, 'i32') >= SURE
    const found = isSure ? systemAt(proj, proj.number('proj_list_get', context, list, 0)) : undefined
    if (values) proj.run('proj_int_list_destroy', values)
    proj.run('proj_list_destroy', list)
    return found
  } finally {
    module._free(confidences)
  }
}

/** The area of use of the registered system that a definition without a code identifies. */
export function identifiedArea(proj: Proj, { pointer, id }: System): number[] | undefined {
  const found = id === undefined ? identified(proj, pointer) : undefined
  return found && (found.area ?? areaOf(proj, found.pointer))
}
