import { type Found, faultOf } from '../records/point-table.ts'
import type { XmlElement } from '../records/xml.ts'

/** The start of a definition of a reference system (WKT 1 or 2). */
const WKT = /^(?:GEOGCS|PROJCS|COMPD_CS|GEOCCS|LOCAL_CS|GEOGCRS|GEODCRS|PROJCRS|COMPOUNDCRS|ENGCRS)\s*\[/i
const MAX_SYSTEMS = 10

/** The systems of one chunk: those of its markers, and those of the chunk itself. */
type Systems = { markers: Set<string>; chunk: Set<string>; cameras: Set<string> }

/** Reads the markers of one file, and remembers the reference systems of its chunks. */
export function markerReader() {
  const systems = new Map<XmlElement, Systems>()
  const marked = new Set<XmlElement>()
  const given = new WeakMap<XmlElement, Record<string, string>>()
  let cameras = 0

  function remember(element: XmlElement, wkt: string): void {
    const chunk = chunkOf(element)
    const known = systems.get(chunk) ?? { markers: new Set(), chunk: new Set(), cameras: new Set() }
    systems.set(chunk, known)
    const own = known[ownerOf(element)]
    if (own.size < MAX_SYSTEMS) own.add(wkt)
  }

  /** The systems that the markers of a chunk may have: their own, otherwise the chunk's, otherwise the document's. */
  function systemsOf(chunk: XmlElement): (string | undefined)[] {
    const { markers, chunk: whole } = systems.get(chunk) ?? {}
    if (markers?.size) return [...markers]
    if (whole?.size) return [...whole]
    return chunk.parent ? systemsOf(rootOf(chunk)) : [undefined]
  }

  return {
    /** The number of cameras, and the systems of the chunks that have markers; undefined for a chunk without one. */
    seen: () => ({ cameras, systems: [...new Set([...marked].flatMap(systemsOf))] }),

    /** The record of a closed marker; undefined for other elements, and for markers in photos, which have no label. */
    read(element: XmlElement): Found | undefined {
      const { name, parent, attributes, text } = element
      if (name === 'reference' && parent?.name === 'marker') given.set(parent, attributes)
      else if (name === 'reference' && parent?.name === 'camera' && attributes.x !== undefined) cameras++
      else if (WKT.test(text.trimStart().slice(0, 20))) remember(element, text.trim())
      if (name !== 'marker' || attributes.label === undefined) return undefined
      const record = recordOf(element, given.get(element))
      if (!record.fault) marked.add(chunkOf(element))
      return record
    },
  }
}

/** The chunk of an element; the root element of a file without chunks. */
function chunkOf(element: XmlElement): XmlElement {
  let found = element
  while (found.name !== 'chunk' && found.parent) found = found.parent
  return found
}

const rootOf = (element: XmlElement): XmlElement => (element.parent ? rootOf(element.parent) : element)

/** What a reference system is for: cameras and markers may each have one. */
function ownerOf({ name, parent }: XmlElement): keyof Systems {
  const words = `${name} ${parent?.name}`
  return /marker/i.test(words) ? 'markers' : /camera/i.test(words) ? 'cameras' : 'chunk'
}

function recordOf({ attributes, line }: XmlElement, reference: Record<string, string> | undefined): Found {
  const title = attributes.label!.trim()
  const { x, y, z = '', sxyz, sxy = sxyz, sx, sy, sz = sxyz } = reference ?? {}
  if (x === undefined || y === undefined)
    return { line, title, cells: {}, fault: faultOf('NO_COORDINATES', 'the marker has no coordinates') }
  return {
    line,
    title,
    cells: {
      x,
      y,
      z,
      ...(sxy && { accuracyH: sxy }),
      ...(sx && { accuracyEasting: sx }),
      ...(sy && { accuracyNorthing: sy }),
      ...(sz && { accuracyV: sz }),
    },
  }
}
