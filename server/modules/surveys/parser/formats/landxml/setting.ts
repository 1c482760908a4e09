import type { NamedSystems } from '../../table.ts'
import type { Field, FieldColumn, Found } from '../records/point-table.ts'
import { isIn, type XmlElement } from '../records/xml.ts'

/**
 * Units of LandXML as words of `rows/values/units.ts`. `foot` is the international one, but programs also write it for
 * systems in US survey feet: there it means those, as `(ft)` does in a table.
 */
const units: Record<string, string> = {
  millimeter: 'mm',
  centimeter: 'cm',
  meter: 'm',
  kilometer: 'km',
  foot: 'ft',
  ussurveyfoot: 'US survey foot',
}

const nameAttributes = [
  'name',
  'projectedCoordinateSystemName',
  'horizontalCoordinateSystemName',
  'compoundCoordinateSystemName',
  'desc',
]

/** The units and the reference system at the head of a LandXML file. */
export function setting() {
  let linear: string | undefined
  let elevation: string | undefined
  let system: Record<string, string> | undefined

  return {
    /** Whether an element has settings, so that its content is kept. */
    reads(element: XmlElement): boolean {
      const { name, attributes } = element
      if ((name === 'Metric' || name === 'Imperial') && isIn(element, 'Units', 'LandXML')) {
        linear = unitOf(attributes.linearUnit, name)
        // The elevation unit has one word for both feet.
        elevation = /^feet$/i.test(attributes.elevationUnit ?? '')
          ? linear
          : (unitOf(attributes.elevationUnit, undefined) ?? linear)
        return true
      }
      if (name === 'CoordinateSystem' && isIn(element, 'LandXML')) {
        system = attributes
        return true
      }
      return false
    },

    systems(): NamedSystems {
      const { epsgCode = '', ogcWktCode = '' } = system ?? {}
      const code = /^\s*(?:EPSG:)?(\d{4,6})\s*$/i.exec(epsgCode.slice(0, 40))?.[1]
      const isWkt = /^\s*[A-Z_]{4,20}\s*\[/.test(ogcWktCode.slice(0, 60))
      const crs = code ? `EPSG:${code}` : isWkt ? ogcWktCode.trim() : undefined
      const names = nameAttributes.map((attribute) => system?.[attribute]?.trim() ?? '').filter((name) => name !== '')
      const titles = crs ? [] : names.map((name) => `Coordinate system: ${name.slice(0, 400)}`)
      const vertical = verticalOf(system)
      return { crs, crsLine: crs, titles, ...(vertical && { vertical }) }
    },

    /** Elevations are of the vertical datum that the file names, otherwise of an unknown one. */
    columns(sample: readonly Found[]): FieldColumn[] {
      const inUnit = (field: Field): FieldColumn => ({ field, unit: linear })
      const isUsed = (field: Field) => sample.some(({ cells }) => cells[field] !== undefined)
      const more: Field[] = ['accuracyNorthing', 'accuracyEasting', 'accuracyV']
      return [
        inUnit('northing'),
        inUnit('easting'),
        { field: 'z', unit: elevation },
        'title',
        'description',
        ...more.filter(isUsed).map(inUnit),
      ]
    },
  }
}

const verticalOf = (system: Record<string, string> | undefined): string =>
  system?.verticalDatum?.trim() || system?.verticalCoordinateSystemName?.trim() || ''

function unitOf(word: string | undefined, system: 'Metric' | 'Imperial' | undefined): string | undefined {
  const known = units[(word ?? '').trim().toLowerCase()]
  return known ?? (system === 'Metric' && !word ? 'm' : undefined)
}
