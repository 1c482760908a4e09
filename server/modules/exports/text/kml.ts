import { writtenAddresses } from '../../surveys/parser/rows/cairn-export.ts'
import type { Export, PlacedGcp } from '../schema.ts'
import { xml } from './xml.ts'

/**
 * Points as KML 2.2 (OGC 07-147r2). Points are clamped to the ground, because KML heights are above the sea: the third
 * coordinate is for programs that read it, and all values are in the extended data.
 */
export async function* kmlOf({ name, batches }: Export): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n<name>${xml(name)}</name>\n`
  for await (const gcps of batches) yield gcps.map(placemark).join('')
  yield '</Document>\n</kml>\n'
}

function placemark({ title, description, latitude, longitude, x, y, ...rest }: PlacedGcp): string {
  const height = rest.altitude ?? rest.h
  const coordinates = [longitude, latitude, ...(height === null ? [] : [height])].join(',')
  const data = Object.entries({ ...rest, photoUrls: writtenAddresses(rest.photoUrls) })
    // The presence of these, even if empty, identifies an export to an import.
    .filter(([key, value]) => value !== null || ['heightDatum', 'h', 'altitude'].includes(key))
    .map(([key, value]) => `<Data name="${key}"><value>${xml(String(value ?? ''))}</value></Data>`)
  return [
    `<Placemark id="gcp-${rest.id}"><name>${xml(title)}</name>`,
    description ? `<description>${xml(description)}</description>` : '',
    `<ExtendedData>${data.join('')}</ExtendedData>`,
    latitude === null ? '' : `<Point><coordinates>${coordinates}</coordinates></Point>`,
    '</Placemark>\n',
  ].join('')
}
