import { setImmediate } from 'node:timers/promises'
import { writtenText } from '../../rows/cairn-export.ts'
import type { NamedSystems, SurveyRecord } from '../../table.ts'
import { attributeWords, marksExport, saysExported } from './attribute-aliases.ts'
import type { Feature } from './feature.ts'

/** Records between two yields to the event loop. */
const STRETCH = 1000
const NOTHING: SurveyRecord['fault'] = undefined

/** The reference system of a file, for its coordinates. */
export type PlaceSystem = {
  systems: NamedSystems
  /** Header words for x, y and z of a geometry. */
  words: { x: string; y: string; z: 'h' | 'altitude' | 'altitude (EGM96)' | 'z' }
}

/** The fields of the features, without the geometry. */
export type Attributes = {
  names: string[]
  valuesOf: (feature: Feature) => (string | undefined)[]
  /** The kind of a feature with a point geometry that is not a point, such as a text of a drawing. */
  otherThanPoint?: (feature: Feature) => string | undefined
}

export type Table = {
  header: string[]
  fieldsOf: (feature: Feature) => string[]
  faultOf: (feature: Feature) => SurveyRecord['fault']
}

/** A table without geometry: its columns have their usual meaning. */
export const plainTable = ({ names, valuesOf }: Attributes): Table => ({
  header: names,
  fieldsOf: (feature) => valuesOf(feature).map((value) => value ?? ''),
  faultOf: () => NOTHING,
})

/** Columns: coordinates, heights if any point has one, then all fields with a value. */
export function featureTable(
  { names, valuesOf, otherThanPoint }: Attributes,
  { words, isMixed }: PlaceSystem & { isMixed?: boolean },
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
  const isExport = names.some(saysExported)
  const kept = names.flatMap((name, index) => (filled.has(index) || (isExport && marksExport(name)) ? [index] : []))
  const attributes = attributeWords(kept.map((index) => names[index]!))
  // Programs that need a third coordinate write 0, and exports of this service have heights in fields.
  const withZ = hasZ && !attributes.isExported && !(isFlat && attributes.hasHeights)
  return {
    header: [words.y, words.x, ...(withZ ? [words.z] : []), ...attributes.words],
    fieldsOf(feature) {
      const { position } = feature
      const values = valuesOf(feature)
      const place = [position?.y, position?.x, ...(withZ ? [heightOf(feature)] : [])]
      return [
        ...place.map((value) => (value === undefined ? '' : String(value))),
        ...kept.map((index, column) => cellOf(values[index], attributes.texts.has(column))),
      ]
    },
    faultOf(feature) {
      const other = otherThanPoint?.(feature)
      if (feature.position && other === undefined) return NOTHING
      return feature.fault ?? notAPoint(other ?? feature.kind)
    },
  }
}

const cellOf = (value: string | undefined, isExportedText: boolean): string =>
  (isExportedText ? writtenText(value ?? null) : value) ?? ''

/** The error of a row with another geometry, or none. */
const notAPoint = (kind: string | undefined): SurveyRecord['fault'] => ({
  column: null,
  value: kind ?? null,
  code: 'NOT_A_POINT',
  message:
    kind === undefined || kind === 'Point'
      ? 'the row has no position'
      : `the row is a ${kind} and not one point: only points are imported${kind === 'MultiPoint' ? ', so split it into one row for each point ("Multipart to singleparts" in QGIS)' : ''}`,
})

/** Yields the records of a table: the header, then one record a feature. */
export async function* recordsOf(
  { header, fieldsOf, faultOf }: Table,
  features: () => Iterable<Feature>,
): AsyncGenerator<SurveyRecord, void, undefined> {
  yield { fields: header, line: 1 }
  let line = 1
  for (const feature of features()) {
    const fault = faultOf(feature)
    yield { fields: fieldsOf(feature), line: feature.line ?? line, ...(fault && { fault }) }
    if (line++ % STRETCH === 0) await setImmediate()
  }
}
