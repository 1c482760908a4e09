import { SaxesParser } from 'saxes'
import { SurveyFileError } from '../../errors.ts'
import { xmlText } from '../text/xml-text.ts'

/** A placemark of the file. */
export type Placemark = {
  line: number
  /** The names of its geometries, including each inside a MultiGeometry. */
  kinds: string[]
  coordinates: string
  altitudeMode: string
  /** `name`, `description` and its extended data. */
  values: Map<string, string>
}

const GEOMETRIES = new Set(['Point', 'LineString', 'LinearRing', 'Polygon', 'Model', 'Track', 'MultiTrack'])
const MAX_DEPTH = 200
const MAX_TEXT = 256 * 1024
const MAX_VALUES = 200

/**
 * Parses the placemarks of a KML file (OGC 12-007r2) in all folders.
 * @throws SurveyFileError UNREADABLE_FILE for XML that is not well-formed or nested too deeply
 */
export function* placemarksIn(file: Uint8Array): Generator<Placemark, void> {
  const parser = new SaxesParser()
  const path: string[] = []
  const ready: Placemark[] = []
  let fault: SurveyFileError | undefined
  let mark: Placemark | undefined
  let field: string | undefined
  let text = ''

  const refuse = (what: string) => {
    fault ??= new SurveyFileError(
      'UNREADABLE_FILE',
      `the file is not valid KML: line ${parser.line}: ${what}`,
      parser.line,
    )
  }
  const take = (part: string) => {
    if (mark && text.length < MAX_TEXT) text += part
  }
  parser.on('error', ({ message }) => refuse(message.replace(/^\d+:\d+: /, '').slice(0, 200)))
  parser.on('text', take)
  parser.on('cdata', take)
  parser.on('opentag', ({ name: full, attributes }) => {
    const name = bare(full)
    path.push(name)
    if (path.length > MAX_DEPTH) refuse(`elements are nested more than ${MAX_DEPTH} deep`)
    text = ''
    if (name === 'Placemark')
      mark = { line: parser.line, kinds: [], coordinates: '', altitudeMode: '', values: new Map() }
    if (name === 'Data' || name === 'SimpleData') field = attributes.name
    if (mark && GEOMETRIES.has(name) && !inside(path, 'Polygon') && !inside(path, 'MultiTrack')) mark.kinds.push(name)
  })
  parser.on('closetag', ({ name: full }) => {
    const name = bare(full)
    path.pop()
    const parent = path.at(-1)
    if (name === 'Placemark' && mark) {
      ready.push(mark)
      mark = undefined
    } else if (mark && parent === 'Placemark' && (name === 'name' || name === 'description')) put(mark, name, text)
    else if (mark && parent === 'Point' && name === 'coordinates') mark.coordinates = text
    else if (mark && parent === 'Point' && name === 'altitudeMode') mark.altitudeMode = text.trim()
    else if (mark && field !== undefined && (name === 'SimpleData' || (name === 'value' && parent === 'Data')))
      put(mark, /^(?:name|description)$/i.test(field) && mark.values.has(field) ? `data ${field}` : field, text)
    text = ''
  })

  for (const piece of xmlText(file)) {
    parser.write(piece)
    if (fault) throw fault
    yield* ready.splice(0)
  }
  parser.close()
  if (fault) throw fault
}

const bare = (name: string): string => name.slice(name.indexOf(':') + 1)
const inside = (path: readonly string[], name: string): boolean => path.slice(0, -1).includes(name)

function put({ values }: Placemark, name: string, value: string): void {
  if (values.size < MAX_VALUES) values.set(name, value)
}
