import { SurveyFileError } from '../../errors.ts'
import type { NamedSystems, SurveyFormat } from '../../table.ts'
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
        'the chunks of the file have several reference systems: export each chunk',
      )
    const [crs] = systems
    return pointTable(
      'metashape',
      {
        text,
        records: inOrder(found),
        none: `the file has no markers with coordinates${cameras > 0 ? `, but those of ${cameras} cameras` : ''}: export the markers from the Reference pane`,
        shape: () => ({ columns: columnsIn(crs), systems: { ...noSystem(), crs } satisfies NamedSystems }),
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

/** The meaning of x and y, by the kind of the system: Metashape writes the longitude or easting first. */
function columnsIn(crs: string | undefined): FieldColumn[] {
  const plane: FieldColumn[] =
    crs === undefined || /^GEOCCS|^GEODCRS/i.test(crs)
      ? ['x', 'y']
      : /PROJ(?:CS|CRS)/i.test(crs)
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
