import type { NamedSystems } from '../../table.ts'
import { isIn, type XmlElement } from '../records/xml.ts'

const MAX_NAME = 200

/** Reads `Environment/CoordinateSystem` of a JobXML file. */
export function coordinateSystem() {
  const parts: Record<string, string> = {}
  let vertical = ''
  const scaling: Record<string, string> = {}

  return {
    read(element: XmlElement) {
      if (isIn(element, 'CoordinateSystem', 'Environment')) parts[element.name] = element.text.trim().slice(0, MAX_NAME)
      if (element.name === 'Type' && isIn(element, 'VerticalAdjustment', 'CoordinateSystem'))
        vertical = element.text.trim()
      for (const parent of ['LocalSite', 'Projection'])
        if (isIn(element, parent, 'CoordinateSystem')) scaling[`${parent}/${element.name}`] = element.text.trim()
      if (element.name === 'GeoidModel') vertical ||= element.text.trim()
    },

    /** Whether elevations refer to a geoid or to benchmarks; otherwise they may be ellipsoidal. */
    hasVerticalAdjustment: (): boolean => vertical !== '' && !/^(?:none|noadjustment|unknown)$/i.test(vertical),

    systems(): NamedSystems {
      const code = /^(?:EPSG:)?(\d{4,6})$/i.exec(parts.EPSGCode ?? parts.EPSG ?? '')?.[1]
      const crs = code ? `EPSG:${code}` : utmOf(parts)
      const ground = isScaled(scaling) ? ['Coordinate type: ground'] : []
      const zone = [parts.SystemName, parts.ZoneName].filter(Boolean).join(' ')
      // Include the datum: a UTM zone alone would be read as WGS84.
      const name = zone && `${zone}, ${parts.DatumName || 'no datum named'}`
      return { crs, crsLine: crs, titles: crs || name === '' ? ground : [`Coordinate system: ${name}`, ...ground] }
    },
  }
}

/** Whether the coordinates of the job are multiplied by a scale factor: of its site on the ground, or instead of a projection. */
const isScaled = (scaling: Record<string, string>): boolean =>
  (/ground/i.test(scaling['LocalSite/Type'] ?? '') && Number(scaling['LocalSite/GroundScaleFactor'] || 1) !== 1) ||
  (/scale/i.test(scaling['Projection/Type'] ?? '') && Number(scaling['Projection/Scale'] || 1) !== 1)

/** UTM of WGS84 and ETRS89, which Trimble names by system, zone and datum. Undefined for other datums. */
function utmOf({ SystemName = '', ZoneName = '', DatumName = '' }: Record<string, string>): string | undefined {
  const zone = /^(\d{1,2}) ?(North|South)$/i.exec(ZoneName)
  const number = Number(zone?.[1])
  if (!zone || !/^UTM$/i.test(SystemName) || !(number >= 1 && number <= 60)) return undefined
  const isSouth = /south/i.test(zone[2]!)
  if (/^(?:WGS ?-?(?:19)?84|ITRF)/i.test(DatumName)) return `EPSG:${(isSouth ? 32700 : 32600) + number}`
  return !isSouth && number >= 28 && number <= 38 && /^ETRS ?-?(?:19)?89/i.test(DatumName)
    ? `EPSG:${25800 + number}`
    : undefined
}
