import { type Found, faultOf } from '../records/point-table.ts'
import type { XmlElement } from '../records/xml.ts'

/** The start of a definition of a reference system (WKT 1 or 2). */
const WKT = /^(?:GEOGCS|PROJCS|COMPD_CS|GEOCCS|LOCAL_CS|GEOGCRS|GEODCRS|PROJCRS|COMPOUNDCRS|ENGCRS)\s*\[/i
const MAX_SYSTEMS = 10

/** Reads the markers of one file, and remembers the reference systems of its chunks. */
export function markerReader() {
  const systems = { markers: new Set<string>(), cameras: new Set<string>(), chunk: new Set<string>() }
  const given = new WeakMap<XmlElement, Record<string, string>>()
  let cameras = 0

  return {
    /** The number of cameras, and the systems that the markers may have: their own, otherwise those of the chunks. */
    seen: () => ({ cameras, systems: [...(systems.markers.size > 0 ? systems.markers : systems.chunk)] }),

    /** The record of a closed marker; undefined for other elements, and for markers in photos, which have no label. */
    read(element: XmlElement): Found | undefined {
      const { name, parent, attributes, text } = element
      if (name === 'reference' && parent?.name === 'marker') given.set(parent, attributes)
      else if (name === 'reference' && parent?.name === 'camera' && attributes.x !== undefined) cameras++
      else if (WKT.test(text.trimStart().slice(0, 20))) {
        const own = systems[ownerOf(element)]
        if (own.size < MAX_SYSTEMS) own.add(text.trim())
      }
      if (name === 'marker' && attributes.label !== undefined) return recordOf(element, given.get(element))
      return undefined
    },
  }
}

/** What a reference system is for: cameras and markers may each have one. */
function ownerOf({ name, parent }: XmlElement): 'markers' | 'cameras' | 'chunk' {
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
