import { setImmediate } from 'node:timers/promises'
import { type Gdal, GdalError, type Layer, type Opening, openGdal } from '../../../../gdal/gdal.ts'
import { SurveyFileError } from '../../faults.ts'
import type { FormatOptions, SurveyRecord, SurveyTable } from '../../table.ts'
import { type Feature, readFeatures } from './features.ts'
import { attributeWords, type LayerSystem, systemOfLayer } from './geometry-header.ts'
import { namesOf, whichLayer } from './which-layer.ts'

/** A kind of file that GDAL reads. */
export type LayeredFormat = {
  /** As the report names it. */
  name: string
  /** As people call it. */
  title: string
  opening: Opening
  /** Picks the layer where the file's own kind says which; else it must be the only one with points. */
  choose?: (layers: readonly Layer[]) => Layer | undefined
  /** Whether a layer is one of the file's own; all are unless said. */
  isLayer?: (layer: Layer) => boolean
  /** More arguments of ogr2ogr. */
  args?: readonly string[]
  /** Changes columns and rows before they are a table. */
  refine?: (attributes: Attributes, features: () => Iterable<Feature>) => Attributes
}

/** The fields of the features, apart from their geometry. */
export type Attributes = {
  names: string[]
  valuesOf: (feature: Feature) => (string | undefined)[]
  /** What a feature is instead, although its geometry is a point, such as a text of a drawing. */
  otherThanPoint?: (feature: Feature) => string | undefined
}

const NOTHING: SurveyRecord['fault'] = undefined
/** Records between which the event loop turns. */
const STRETCH = 1000

/** Runs calls of GDAL on a file. @throws SurveyFileError UNREADABLE_FILE with what GDAL says of it */
export async function withGdal<T>(title: string, work: (gdal: Gdal) => T): Promise<T> {
  const gdal = await openGdal()
  try {
    return work(gdal)
  } catch (error) {
    if (!(error instanceof GdalError)) throw error
    throw new SurveyFileError('UNREADABLE_FILE', `the file cannot be read as ${title}: ${error.message.slice(0, 300)}`)
  } finally {
    gdal.remove('/in')
    gdal.remove('/out')
  }
}

const AS_FLATGEOBUF = [
  '-f',
  'FlatGeobuf',
  '-lco',
  'SPATIAL_INDEX=NO',
  '-mapFieldType',
  'IntegerList=String,Integer64List=String,RealList=String,StringList=String,Binary=String',
]

/** A layer of any geometry may hold points with and without a height. FlatGeobuf writes 0 for the missing one. */
const AS_3D = ['-nlt', 'GEOMETRYZ']
const isMixed = ({ geometryType }: Layer): boolean => /^(?:Geometry|Unknown)/.test(geometryType ?? '')

/** A layer of a file of GDAL's as a table. @param files by name; the first, or the folder if there are several, is opened */
export async function layerTable(
  format: LayeredFormat,
  files: ReadonlyMap<string, Uint8Array>,
  { layer: asked, maxColumns }: FormatOptions,
): Promise<SurveyTable> {
  const { layers, layer, written } = await withGdal(format.title, (gdal) => {
    for (const [name, bytes] of files) gdal.write(`/in/${name}`, bytes)
    const path = files.size === 1 ? `/in/${[...files.keys()][0]}` : '/in'
    const layers = gdal.layersOf(path, format.opening).filter(format.isLayer ?? (() => true))
    const layer = (asked === undefined && format.choose?.(layers)) || whichLayer(layers, asked, 'layer')
    gdal.translate(
      path,
      '/out/layer.fgb',
      [...AS_FLATGEOBUF, ...(isMixed(layer) ? AS_3D : []), ...(format.args ?? []), '-nln', 'layer', layer.name],
      format.opening,
    )
    return { layers, layer, written: gdal.take('/out/layer.fgb') }
  })
  const { columns, features } = readFeatures(written)
  const own: Attributes = { names: columns, valuesOf: ({ values }) => values }
  const attributes = format.refine?.(own, features) ?? own
  const system = systemOfLayer(layer)
  const isPlain = layer.geometryType === undefined || layer.geometryType === 'None'
  const table = isPlain
    ? plainTable(attributes)
    : placedTable(attributes, { ...system, isMixed: isMixed(layer) }, features)
  if (table.header.length > maxColumns)
    throw new SurveyFileError('TOO_MANY_COLUMNS', `the layer has more than ${maxColumns} fields`)
  const unread = asked === undefined ? layers.filter((other) => other !== layer && other.count > 0) : []
  return {
    source: {
      format: format.name,
      delimiter: null,
      encoding: null,
      layer: layers.length > 1 ? layer.name : null,
      layers: layers.length > 1 ? layers.map(({ name }) => name) : [],
    },
    systems: isPlain ? { crs: undefined, crsLine: undefined, titles: [] } : system.systems,
    records: recordsOf(table, features),
    notices: () =>
      unread.length === 0
        ? []
        : [
            {
              code: 'LAYERS_NOT_READ',
              message: `the file also has ${namesOf(unread)}, which ${unread.length === 1 ? 'was' : 'were'} not read: import it again with layer=${unread[0]!.name.slice(0, 60)} for that`,
            },
          ],
  }
}

type Table = {
  header: string[]
  fieldsOf: (feature: Feature) => string[]
  faultOf: (feature: Feature) => SurveyRecord['fault']
}

/** A table without geometry: its columns hold whatever they say. */
const plainTable = ({ names, valuesOf }: Attributes): Table => ({
  header: names,
  fieldsOf: (feature) => valuesOf(feature).map((value) => value ?? ''),
  faultOf: () => NOTHING,
})

/** Coordinates first, heights if any point has one, then the fields that are filled anywhere. */
function placedTable(
  { names, valuesOf, otherThanPoint }: Attributes,
  { words, isMixed }: LayerSystem & { isMixed: boolean },
  features: () => Iterable<Feature>,
): Table {
  const heightOf = ({ position }: Feature) => (isMixed && position?.z === 0 ? undefined : position?.z)
  const filled = new Set<number>()
  let [hasZ, isFlat] = [false, true]
  for (const feature of features()) {
    for (const [index, value] of valuesOf(feature).entries()) if (value !== undefined && value !== '') filled.add(index)
    const z = heightOf(feature)
    if (z !== undefined) hasZ = true
    if (z !== undefined && z !== 0) isFlat = false
  }
  const kept = names.flatMap((_, index) => (filled.has(index) ? [index] : []))
  const attributes = attributeWords(kept.map((index) => names[index]!))
  // Programs that need a third coordinate write 0, and what this service exported has each height in a field.
  const withZ = hasZ && !attributes.isExported && !(isFlat && attributes.hasHeights)
  return {
    header: [words.y, words.x, ...(withZ ? [words.z] : []), ...attributes.words],
    fieldsOf(feature) {
      const { position } = feature
      const values = valuesOf(feature)
      const place = [position?.y, position?.x, ...(withZ ? [heightOf(feature)] : [])]
      return [
        ...place.map((value) => (value === undefined ? '' : String(value))),
        ...kept.map((index) => values[index] ?? ''),
      ]
    },
    faultOf(feature) {
      const other = otherThanPoint?.(feature)
      return feature.position && other === undefined ? NOTHING : notAPoint(other ?? feature.kind)
    },
  }
}

/** The fault of a row that has another geometry, or none. */
export const notAPoint = (kind: string | undefined): SurveyRecord['fault'] => ({
  column: null,
  value: kind ?? null,
  code: 'NOT_A_POINT',
  message:
    kind === undefined ? 'the row has no position' : `the row is a ${kind} and not one point: only points are imported`,
})

async function* recordsOf(
  { header, fieldsOf, faultOf }: Table,
  features: () => Iterable<Feature>,
): AsyncGenerator<SurveyRecord, void, undefined> {
  yield { fields: header, line: 1 }
  let line = 1
  for (const feature of features()) {
    const fault = faultOf(feature)
    yield { fields: fieldsOf(feature), line, ...(fault && { fault }) }
    if (line++ % STRETCH === 0) await setImmediate()
  }
}
