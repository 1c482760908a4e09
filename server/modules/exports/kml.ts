import { writtenAddresses } from '../surveys/reading/rows/exported.ts'
import type { ExportedGcp } from './schema.ts'

/**
 * Points as KML 2.2 (OGC 07-147r2). Points lie on the ground, since KML counts heights from the sea: the third
 * coordinate is kept for programs that read it, and all figures stand in the data of the place.
 */
export async function* kmlOf(name: string, batches: AsyncIterable<ExportedGcp[]>): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n<name>${xml(name)}</name>\n`
  for await (const gcps of batches) yield gcps.map(placemark).join('')
  yield '</Document>\n</kml>\n'
}

function placemark({ title, description, latitude, longitude, ...rest }: ExportedGcp): string {
  const height = rest.altitude ?? rest.h
  const coordinates = [longitude, latitude, ...(height === null ? [] : [height])].join(',')
  // An import knows an export by its heightDatum, which stands there without a value too.
  const data = Object.entries({ ...rest, photoUrls: writtenAddresses(rest.photoUrls) })
    .filter(([key, value]) => value !== null || key === 'heightDatum')
    .map(([key, value]) => `<Data name="${key}"><value>${xml(String(value ?? ''))}</value></Data>`)
  return [
    `<Placemark id="gcp-${rest.id}"><name>${xml(title)}</name>`,
    description ? `<description>${xml(description)}</description>` : '',
    `<ExtendedData>${data.join('')}</ExtendedData>`,
    latitude === null ? '' : `<Point><coordinates>${coordinates}</coordinates></Point>`,
    '</Placemark>\n',
  ].join('')
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }
/** What XML 1.0 has no way to write: control characters, and two that are none at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const xml = (text: string): string => text.replace(unwritable, '\ufffd').replace(/[&<>"\r]/g, (mark) => marks[mark]!)
