import { type Gdal, GdalError, type Layer, type Opening, openGdal } from '../../../../gdal/gdal.ts'
import { SurveyFileError } from '../../errors.ts'
import type { FormatOptions, SurveyTable } from '../../table.ts'
import type { Feature } from '../features/feature.ts'
import { type Attributes, featureTable, plainTable, recordsOf } from '../features/feature-table.ts'
import { readFeatures } from './flatgeobuf.ts'
import { systemOfLayer } from './layer-system.ts'
import { namesOf, selectLayer } from './select-layer.ts'

/** A file format that GDAL reads. */
export type LayeredFormat = {
  /** Its name in the report. */
  name: string
  /** Its name in messages. */
  title: string
  opening: Opening
  /** Selects the layer if the format defines it; otherwise only one layer may have points. */
  choose?: (layers: readonly Layer[]) => Layer | undefined
  /** Whether a layer is part of the format; by default all are. */
  isLayer?: (layer: Layer) => boolean
  /** Layers that must exist: GDAL skips what it cannot read. */
  expects?: (files: ReadonlyMap<string, Uint8Array>) => string[]
  /** Additional arguments of ogr2ogr. */
  args?: readonly string[]
  /** Why a feature that GDAL reads is a failed row. */
  faultOf?: (feature: Feature) => Feature['fault']
  /** Transforms columns and rows of the layer that is read before they become a table. */
  refine?: (attributes: Attributes, features: () => Iterable<Feature>, layer: Layer) => Attributes
}

/** Runs GDAL on a file. @throws SurveyFileError UNREADABLE_FILE with GDAL's message */
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

const hasGeometry = ({ geometryType }: Layer): boolean => geometryType !== undefined && geometryType !== 'None'

/** The geometries of a layer may differ from its type, also in having heights. FlatGeobuf writes 0 for a missing one. */
const AS_3D = ['-nlt', 'GEOMETRYZ']
/** Whether points of a layer may be without a height: its type says nothing of it. */
const isMixed = ({ geometryType = '' }: Layer): boolean =>
  !/ZM?$/.test(geometryType) || /^(?:Geometry|Unknown)/.test(geometryType)

/** Reads a layer of a GDAL format as a table. @param files by name; opens the first, or the folder of several */
export async function layerTable(
  format: LayeredFormat,
  files: ReadonlyMap<string, Uint8Array>,
  { layer: asked, maxColumns, maxRows }: FormatOptions,
): Promise<SurveyTable> {
  const { layers, layer, written } = await withGdal(format.title, (gdal) => {
    for (const [name, bytes] of files) gdal.write(`/in/${name}`, bytes)
    const path = files.size === 1 ? `/in/${[...files.keys()][0]}` : '/in'
    return gdal.withFile(path, format.opening, (file) => {
      const layers = file.layers().filter(format.isLayer ?? (() => true))
      const missing = format
        .expects?.(files)
        .find((name) => !layers.some((found) => found.name === name && hasGeometry(found)))
      if (missing !== undefined) throw new GdalError(`"${missing.slice(0, 60)}" is damaged`)
      const layer = (asked === undefined && format.choose?.(layers)) || selectLayer(layers, asked, 'layer')
      if (layer.count > maxRows)
        throw new SurveyFileError('TOO_MANY_ROWS', `the layer has ${layer.count} rows, ${maxRows} are allowed`)
      file.translate('/out/layer.fgb', [
        ...AS_FLATGEOBUF,
        ...(hasGeometry(layer) ? AS_3D : []),
        ...(format.args ?? []),
        '-nln',
        'layer',
        layer.name,
      ])
      return { layers, layer, written: gdal.take('/out/layer.fgb') }
    })
  })
  const { columns, features: read } = readFeatures(written)
  function* features(): Generator<Feature, void> {
    for (const feature of read()) yield withFault(feature, format.faultOf?.(feature))
  }
  const own: Attributes = { names: columns, valuesOf: ({ values }) => values }
  const attributes = format.refine?.(own, features, layer) ?? own
  const system = systemOfLayer(layer)
  const isPlain = !hasGeometry(layer)
  const table = isPlain
    ? plainTable(attributes)
    : featureTable(attributes, { ...system, isMixed: isMixed(layer) }, features)
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
              message: `the file also has ${namesOf(unread)}, which ${unread.length === 1 ? 'was' : 'were'} not read: import the file again with layer=${unread[0]!.name.slice(0, 60)} for ${unread.length === 1 ? 'it' : 'the first of them'}`,
            },
          ],
  }
}

const withFault = (feature: Feature, fault: Feature['fault']): Feature =>
  fault ? { ...feature, position: undefined, fault } : feature
