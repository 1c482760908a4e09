import { SurveyFileError } from '../../errors.ts'
import { isGeocentric } from '../../layout/axes.ts'
import type { NamedSystems, SurveyFormat } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import { type FieldColumn, type Found, noSystem, pointTable } from '../records/point-table.ts'
import { readXml, rootName } from '../records/xml.ts'
import { headText, openText } from '../text/open-text.ts'
import { markerReader } from './markers.ts'

/**
 * XML of Agisoft Metashape, of its markers (`document`) or of its Reference pane (`reference`): the coordinates given for
 * the markers, not those estimated. The system may follow the markers, so all of them are read first.
 */
export const metashape: SurveyFormat = {
  name: 'metashape',
  detects: (head) => {
    const text = headText(head)
    return (
      /^(?:document|reference)$/.test(rootName(text) ?? '') &&
      /<(?:chunk|cameras|markers|marker|camera)[\s>/]/.test(text)
    )
  },
  async read(bytes, { maxBytes, maxRows }) {
    const text = await openText(bytes, maxBytes)
    const markers = markerReader()
    const found: Found[] = []
    for await (const record of readXml(text.text, { closed: markers.read })) {
      if (found.length === maxRows) throw new SurveyFileError('TOO_MANY_ROWS', `the file has more than ${maxRows} rows`)
      found.push(record)
    }
    const { cameras, systems } = markers.seen()
    if (systems.length > 1)
      throw new SurveyFileError(
        'NOT_A_TABLE',
        `the file names several reference systems, ${systems.map(nameIn).join(' and ')}, and not which of them its markers have: export each chunk alone, or the markers from the Reference pane as text, and import that with crs=`,
      )
    const [crs] = systems
    return pointTable(
      'metashape',
      {
        text,
        records: inOrder(found),
        none: `the file has no markers with coordinates${cameras > 0 ? `, but those of ${cameras} cameras` : ''}: export the markers from the Reference pane`,
        shape: (sample) => ({
          columns: columnsIn(crs, sample),
          systems: { ...noSystem(), crs } satisfies NamedSystems,
        }),
      },
      () =>
        cameras === 0
          ? []
          : [
              {
                code: 'RECORDS_LEFT_OUT',
                message: `the positions of ${cameras} cameras were not read: they are not points`,
              },
            ],
    )
  },
}

async function* inOrder(found: readonly Found[]): AsyncGenerator<Found, void, undefined> {
  yield* found
}

/** The name of a system in its definition. */
const nameIn = (wkt: string | undefined): string =>
  wkt === undefined ? 'none' : `"${truncate(/"([^"]*)"/.exec(wkt)?.[1] ?? wkt, 60)}"`

/** Larger numbers are not degrees. */
const DEGREES = 360

/** Whether x and y are metres of a grid, in a file without a system. */
function areGrid(sample: readonly Found[]): boolean {
  const places = sample.flatMap(({ cells: { x, y, z }, fault }) => (fault ? [] : [[x, y, z].map(Number)]))
  return places.some(([x, y]) => Math.max(Math.abs(x!), Math.abs(y!)) > DEGREES) && !isGeocentric(places)
}

/** The meaning of x and y, by the kind of the system: Metashape writes the longitude or easting first. */
function columnsIn(crs: string | undefined, sample: readonly Found[]): FieldColumn[] {
  const isGrid = crs === undefined ? areGrid(sample) : /PROJ(?:CS|CRS)/i.test(crs)
  const plane: FieldColumn[] =
    (crs === undefined && !isGrid) || /^GEOCCS|^GEODCRS/i.test(crs ?? '')
      ? ['x', 'y']
      : isGrid
        ? [
            { field: 'x', as: 'easting' },
            { field: 'y', as: 'northing' },
          ]
        : [
            { field: 'x', as: 'longitude' },
            { field: 'y', as: 'latitude' },
          ]
  return [...plane, 'z', 'title', 'accuracyH', 'accuracyEasting', 'accuracyNorthing', 'accuracyV']
}
