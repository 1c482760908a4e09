import { type Gdal, openGdal } from '../../modules/gdal/gdal.ts'

/** A point of a file written by GDAL. */
export type MadePoint = { at: number[]; properties?: Record<string, unknown> }

export const pointsOf = (points: readonly MadePoint[]) =>
  points.map(({ at, properties = {} }) => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Point', coordinates: at },
  }))

/**
 * A file that GDAL writes from GeoJSON features, by its name and ogr2ogr arguments; for a Shapefile, all of its parts.
 * @param crs the system of the coordinates, if any
 */
export async function gdalFile(
  name: string,
  features: object[],
  { driver, crs, args = [] }: { driver: string; crs?: string; args?: string[] },
): Promise<Record<string, Uint8Array>> {
  const gdal = await openGdal()
  try {
    gdal.write('/in/points.geojson', Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })))
    const system = ['-a_srs', crs ?? 'none']
    gdal.translate('/in/points.geojson', `/out/${name}`, ['-f', driver, ...system, ...args], { drivers: ['GeoJSON'] })
    return taken(gdal)
  } finally {
    gdal.remove('/in')
    gdal.remove('/out')
  }
}

/** A GeoPackage of several layers. */
export async function geopackageOf(layers: Record<string, { features: object[]; crs?: string }>): Promise<Uint8Array> {
  const gdal = await openGdal()
  try {
    for (const [index, [name, { features, crs }]] of Object.entries(layers).entries()) {
      gdal.write('/in/points.geojson', Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })))
      const args = ['-f', 'GPKG', ...(index > 0 ? ['-update'] : []), '-nln', name, '-a_srs', crs ?? 'none']
      gdal.translate('/in/points.geojson', '/out/layers.gpkg', args, { drivers: ['GeoJSON'] })
    }
    return gdal.take('/out/layers.gpkg')
  } finally {
    gdal.remove('/in')
    gdal.remove('/out')
  }
}

const taken = (gdal: Gdal): Record<string, Uint8Array> =>
  Object.fromEntries(gdal.list('/out').map((name) => [name, gdal.take(`/out/${name}`)]))
