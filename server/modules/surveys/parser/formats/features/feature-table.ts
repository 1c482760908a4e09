import { setImmediate } from 'node:timers/promises'
import { writtenText } from '../../rows/cairn-export.ts'
import type { NamedSystems, SurveyRecord } from '../../table.ts'
import { attributeWords, marksExport, saysExported } from './attribute-aliases.ts'
import type { Feature } from './feature.ts'

/** Records between which the event loop turns. */
const STRETCH = 1000
const NOTHING: SurveyRecord['fault'] = undefined

/** What a file's reference system says of its figures. */
export type PlaceSystem = {
  systems: NamedSystems
  /** What x, y and z of a geometry are, as words of a header. */
  words: { x: string; y: string; z: 'h' | 'altitude' | 'altitude (EGM96)' | 'z' }
}

/** The fields of the features, apart from their geometry. */
export type Attributes = {
  names: string[]
  valuesOf: (feature: Feature) => (string | undefined)[]
  /** What a feature is instead, although its geometry is a point, such as a text of a drawing. */
  otherThanPoint?: (feature: Feature) => string | undefined
}

export type Table = {
  header: string[]
  fieldsOf: (feature: Feature) => string[]
  faultOf: (feature: Feature) => SurveyRecord['fault']
}

/** A table without geometry: its columns hold whatever they say. */
export const plainTable = ({ names, valuesOf }: Attributes): Table => ({
  header: names,
  fieldsOf: (feature) => valuesOf(feature).map((value) => value ?? ''),
  faultOf: () => NOTHING,
})

/** Coordinates first, heights if any point has one, then the fields that are filled anywhere. */
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
        ...kept.map((index, column) => cellOf(values[index], attributes.texts.has(column))),
      ]
    },
    faultOf(feature) {
      const other = otherThanPoint?.(feature)
      return feature.position && other === undefined ? NOTHING : notAPoint(other ?? feature.kind)
    },
  }
}

const cellOf = (value: string | undefined, isExportedText: boolean): string =>
  (isExportedText ? writtenText(value ?? null) : value) ?? ''

/** The fault of a row that has another geometry, or none. */
const notAPoint = (kind: string | undefined): SurveyRecord['fault'] => ({
  column: null,
  value: kind ?? null,
  code: 'NOT_A_POINT',
  message:
    kind === undefined || kind === 'Point'
      ? 'the row has no position'
      : `the row is a ${kind} and not one point: only points are imported`,
})

/** The records of a table: its header, then a record for each feature. */
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
