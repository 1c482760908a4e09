import { truncate } from '../surveys/parser/truncate.ts'
import type { Proj } from './proj/library.ts'
import { systemNames } from './proj/names.ts'

const MAX_NAME = 255
/**
 * `ETRS89 / UTM zone 33N + DHHN2016 height`: a system and its heights, but not `CH1903+ LV95`, a plus in brackets, PROJ
 * text or WKT.
 */
const PARTS = /^([^+"[{][^"[{]*?) ?(?<!CH1903)\+ ?(?! ?\/|[^(]*\))([^+"[{]{3,})$/i
const PLANE_CODE = /^[A-Z]+:\w+$/
const VERTICAL_CODE = /^(?:EPSG:)?(\d{4,6})$/i

const partsOf = (text: string): string[] => (text.length > MAX_NAME ? [] : (PARTS.exec(text)?.slice(1) ?? []))

/** Finds the code of a system by its name, with that of a known vertical one after a plus: `EPSG:25833+7837`. */
export function codeOf(library: Proj, name: string): string | undefined {
  if (name.length > MAX_NAME) return undefined
  const [plane = name, height] = partsOf(name)
  const code = height && PLANE_CODE.test(plane) ? plane : systemNames(library).plane(plane)
  return code && ((height && joined(library, code, height)) ?? code)
}

/**
 * The code of a system with that of the heights that the text names beside it, if any; undefined if they are not known.
 * Other definitions are returned unchanged.
 */
export function withHeights(library: Proj, text: string, system: string): string | undefined {
  const [, height] = PLANE_CODE.test(system) ? partsOf(text) : []
  return height === undefined ? system : joined(library, system, height)
}

/** Why heights that a text names beside a system cannot be used. */
export function unknownHeights(text: string): string {
  const [, height = ''] = partsOf(text)
  return `"${truncate(text, 80)}" names heights (${truncate(height, 60)}) that are not in the register: name both systems by code, as in EPSG:25833+7837, or the heights with heightDatum=`
}

function joined(library: Proj, plane: string, height: string): string | undefined {
  const names = systemNames(library)
  const code = VERTICAL_CODE.exec(height)?.[1] ?? names.vertical(height) ?? names.verticalDatum(height)
  return code && `${plane}+${code.replace('EPSG:', '')}`
}
