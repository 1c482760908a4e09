import { heightDatumIn } from './datum-aliases.ts'
import type { Heights } from './heights.ts'

const MAX_NAME = 200
/** Names of heights above no sea. */
const LOCAL = /\b(?:local|assumed|arbitrary|site|none|unknown|undefined)\b/i

/**
 * The height datum that a file names in a field of its own, in words that `Heights.find` accepts: by its code, its name
 * in the register, or that of its geoid, also beside others, as in `NAVD88 (Geoid18)`.
 */
export function datumNamed(heights: Pick<Heights, 'find'>, name: string): string | undefined {
  if (name.length > MAX_NAME) return undefined
  const isEllipsoid = /ellips/i.test(name)
  const known = (text: string | undefined): boolean => {
    const datum = text?.trim() ? heights.find(text) : undefined
    // WGS84 may be the name of the plane's datum.
    return typeof datum === 'object' && datum.name !== 'unknown' && (datum.name !== 'ellipsoid' || isEllipsoid)
  }
  if (known(name)) return name
  if (LOCAL.test(name)) return undefined
  if (isEllipsoid) return 'ellipsoid'
  return [heightDatumIn(name), name.replace(/\([^()]*\)/g, ''), /\(([^()]*)\)/.exec(name)?.[1]].find(known)
}
