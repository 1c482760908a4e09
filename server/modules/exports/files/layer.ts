import type { Export, PlacedGcp } from '../schema.ts'
import { reversed } from '../text/table-columns.ts'
import { xml } from '../text/xml.ts'
import type { Field, FieldValue } from './fields.ts'

/** A chunk of an intermediate file. */
export type Piece = { file: string; text: string }

/** The intermediate files from which every layer is written. */
export const FEATURES = 'points.geojsonl'
export const LAYER = 'points.vrt'

const WGS84 = 'EPSG:4326'

/**
 * Points as lines of GeoJSON, and their layer with explicit field types and reference system
 * (https://gdal.org/drivers/vector/vrt.html), so that GDAL guesses no type.
 */
export async function* layerOf(
  { system, batches }: Export,
  fields: readonly Field[],
  cellOf: (field: Field, gcp: PlacedGcp) => FieldValue = (field, gcp) => field.value(gcp),
): AsyncGenerator<Piece> {
  const types = fields.map(({ name, type }) => `<Field name="${name}" type="${type}"/>`).join('')
  yield {
    file: LAYER,
    text: `<OGRVRTDataSource><OGRVRTLayer name="points"><SrcDataSource>/in/${FEATURES}</SrcDataSource><OpenOptions><OOI key="DATE_AS_STRING">YES</OOI></OpenOptions><SrcLayer>points</SrcLayer><GeometryType>wkbPoint</GeometryType><LayerSRS>${xml(system?.wkt ?? WGS84)}</LayerSRS>${types}</OGRVRTLayer></OGRVRTDataSource>`,
  }
  for await (const gcps of batches) {
    const lines = gcps.map((gcp) => {
      const values = fields.map((field) => [field.name, cellOf(field, gcp)] as const)
      return `${JSON.stringify({
        type: 'Feature',
        geometry: gcp.x === null ? null : { type: 'Point', coordinates: figuresOf(system, gcp) },
        properties: Object.fromEntries(values.filter(([, value]) => value !== null)),
      })}\n`
    })
    yield { file: FEATURES, text: lines.join('') }
  }
}

/** GDAL expects x to the east and y to the north, except for axes to the west and south, which it expects as registered. */
function figuresOf(system: Export['system'], { x, y }: PlacedGcp): (number | null)[] {
  if (!system?.isReversed) return [x, y]
  return system.northFirst ? [reversed(y), reversed(x)] : [reversed(x), reversed(y)]
}
