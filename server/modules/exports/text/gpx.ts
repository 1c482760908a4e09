import { writtenAddresses } from '../../surveys/parser/rows/cairn-export.ts'
import type { Export, PlacedGcp } from '../schema.ts'
import { xml } from './xml.ts'

/**
 * Points as waypoints of GPX 1.1 (https://www.topografix.com/GPX/1/1/). `ele` is above the sea, so only known heights above
 * the sea have one. All values are in extensions with GDAL's prefix, which GDAL and QGIS read as fields. Points without a
 * position are named in comments.
 */
export async function* gpxOf({ name, batches }: Export): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Cairn" xmlns="http://www.topografix.com/GPX/1/1" xmlns:ogr="http://osgeo.org/gdal">\n<metadata><name>${xml(name)}</name></metadata>\n`
  for await (const gcps of batches) yield gcps.map(waypoint).join('')
  yield '</gpx>\n'
}

const extensions = [
  'gcpType',
  'aprilTagId',
  'h',
  'altitude',
  'heightDatum',
  'heightOperation',
  'heightAccuracy',
  'accuracyH',
  'accuracyV',
  'yaw',
  'pitch',
  'roll',
  'photoUrls',
  'createdAt',
  'updatedAt',
] as const

function waypoint(gcp: PlacedGcp): string {
  if (gcp.latitude === null) return `<!-- ${xml(gcp.title).replace(/-(?=-|$)/g, '- ')} has no coordinates -->\n`
  const values = { ...gcp, photoUrls: writtenAddresses(gcp.photoUrls) }
  const fields = extensions.flatMap((key) =>
    values[key] === null && !['heightDatum', 'h', 'altitude'].includes(key)
      ? []
      : `<ogr:${key}>${xml(String(values[key] ?? ''))}</ogr:${key}>`,
  )
  return [
    `<wpt lat="${gcp.latitude}" lon="${gcp.longitude}">`,
    isAboveSea(gcp) ? `<ele>${gcp.altitude}</ele>` : '',
    `<name>${xml(gcp.title)}</name>`,
    // GDAL guesses the types of extensions, and would read the text 007 as a number.
    gcp.gcpData ? `<cmt>${xml(gcp.gcpData)}</cmt>` : '',
    gcp.description ? `<desc>${xml(gcp.description)}</desc>` : '',
    `<extensions>${fields.join('')}</extensions></wpt>\n`,
  ].join('')
}

/** If a point has one height, altitude and h are equal, and its datum defines the reference. */
const isAboveSea = ({ altitude, h, heightDatum }: PlacedGcp): boolean =>
  altitude !== null && (altitude !== h || !(heightDatum === null || ['ellipsoid', 'unknown'].includes(heightDatum)))
