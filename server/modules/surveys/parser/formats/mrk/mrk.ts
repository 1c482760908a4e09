import type { SurveyFormat } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import { type Line, linesOf } from '../records/lines.ts'
import { type Found, faultOf, noSystem, pointTable } from '../records/point-table.ts'
import { headText, openText } from '../text/open-text.ts'

const START = /^\s{0,9}\d{1,9}\s{1,9}\d{1,6}\.\d{1,12}\s{1,9}\[\d{1,5}\]\s{1,9}-?\d{1,9}(?:\.\d{1,9})?,N\s/
const PHOTO = /^\s*(\d{1,9})\s+(\d{1,6}\.\d{1,12})\s+\[(\d{1,5})\]/
const LABELLED = /(\S{1,40}),(Lat|Lon|Ellh|Q)(?=\s|$)/g
const ACCURACIES = /,Ellh\s+([\d.]{1,12}),\s*([\d.]{1,12}),\s*([\d.]{1,12})\s/

/**
 * Photos of a DJI drone, `Timestamp.MRK` (DJI Matrice 4 user manual, image log file): a line a photo with its number,
 * time of week and week, the offset from the antenna to the camera, latitude, longitude and ellipsoidal height of the
 * camera with that offset applied, standard deviations to the north, east and up, and the kind of the solution.
 */
export const mrk: SurveyFormat = {
  name: 'mrk',
  detects: (head) => START.test(headText(head).slice(0, 200)),
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(bytes, maxBytes)
    return pointTable('mrk', {
      text,
      records: photos(linesOf(text.text, maxLines)),
      none: 'no photo of the file has a position: the receiver had no solution',
      shape: () => ({
        columns: [
          'latitude',
          'longitude',
          { field: 'ellipsoidalHeight', unit: 'm' },
          'title',
          'description',
          'accuracyNorthing',
          'accuracyEasting',
          'accuracyV',
        ],
        systems: noSystem(),
      }),
    })
  },
}

async function* photos(lines: AsyncIterable<Line>): AsyncGenerator<Found, void, undefined> {
  for await (const { text, number } of lines) yield photoOf(text.slice(0, 500), number)
}

function photoOf(text: string, line: number): Found {
  const [, photo, seconds, week] = PHOTO.exec(text) ?? []
  const values = new Map([...text.matchAll(LABELLED)].map(([, value, label]) => [label!, value!]))
  const value = (label: string): string => values.get(label) ?? ''
  const title = photo === undefined ? '' : `${week} ${seconds}`
  if (photo === undefined || value('Lat') === '' || value('Lon') === '')
    return {
      line,
      title,
      cells: {},
      fault: faultOf('NO_COORDINATES', `"${truncate(text, 60)}" is no photo with Lat and Lon`),
    }
  const quality = Number(value('Q') || Number.NaN)
  if (quality === 0)
    return { line, title, cells: {}, fault: faultOf('NO_FIX', 'the receiver had no position (0,Q)', '0') }
  const kind = quality >= 50 ? ', RTK fixed' : quality >= 32 ? ', RTK float' : quality >= 16 ? ', single' : ''
  const [north = '', east = '', up = ''] = (ACCURACIES.exec(text) ?? [])
    .slice(1)
    .map((metres) => (Number(metres) > 0 ? metres : ''))
  return {
    line,
    title,
    cells: {
      latitude: value('Lat'),
      longitude: value('Lon'),
      ellipsoidalHeight: value('Ellh'),
      description: `camera at photo ${photo}${kind}`,
      accuracyNorthing: north,
      accuracyEasting: east,
      accuracyV: up,
    },
  }
}
