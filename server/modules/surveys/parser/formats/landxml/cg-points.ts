import { truncate } from '../../truncate.ts'
import { type Found, faultOf } from '../records/point-table.ts'
import type { XmlElement } from '../records/xml.ts'

/** Maximum number of points that a later `pntRef` may name, and maximum length of a stored text. */
const MAX_KNOWN = 50_000
const MAX_KEPT = 128

/** Reads the `CgPoint` elements of one file in document order. */
export function cgPointReader() {
  const known = new Map<string, string>()

  return {
    /** The record of a closed element; undefined if it is not a `CgPoint`. */
    read({ name, attributes, text, line }: XmlElement): Found | undefined {
      if (name !== 'CgPoint') return undefined
      const own = text.trim()
      const { pntRef } = attributes
      const title = (attributes.name ?? attributes.oID ?? (own === '' ? pntRef : undefined) ?? '').trim()
      if (own === '' && pntRef !== undefined) return referred(title, pntRef.trim(), attributes, line)
      const found = pointOf(title, own, attributes, line)
      if (!found.fault && title.length <= MAX_KEPT && own.length <= MAX_KEPT && known.size < MAX_KNOWN)
        known.set(title, own)
      return found
    },
  }

  function referred(title: string, to: string, attributes: Record<string, string>, line: number): Found {
    const coordinates = known.get(to)
    if (coordinates === undefined) {
      const message = `the point refers to "${truncate(to, 60)}", but no point above it has that name`
      return { line, title, cells: {}, fault: faultOf('NO_COORDINATES', message, to) }
    }
    if (title === to) return { line, title, cells: {}, isRepeat: true }
    return pointOf(title, coordinates, attributes, line)
  }
}

function pointOf(title: string, text: string, attributes: Record<string, string>, line: number): Found {
  const figures = text.length > 400 ? [] : text.split(/\s+/).filter((figure) => figure !== '')
  if (figures.length !== 2 && figures.length !== 3) {
    const what =
      text === '' ? 'the point has no coordinates' : `"${truncate(text, 60)}" is not northing, easting and elevation`
    return { line, title, cells: {}, fault: faultOf('NO_COORDINATES', what, text) }
  }
  const { code, desc, northingStdError, eastingStdError, elevationStdError } = attributes
  const description = [...new Set([code, desc].map((part) => part?.trim()).filter(Boolean))].join(' ')
  return {
    line,
    title,
    cells: {
      northing: figures[0]!,
      easting: figures[1]!,
      z: figures[2] ?? '',
      description,
      ...(northingStdError && { accuracyNorthing: northingStdError }),
      ...(eastingStdError && { accuracyEasting: eastingStdError }),
      ...(elevationStdError && { accuracyV: elevationStdError }),
    },
  }
}
