import { SurveyFileError } from '../../errors.ts'
import type { SurveyFormat } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import { type Line, linesOf } from '../records/lines.ts'
import { type Field, type Found, faultOf, noSystem, pointTable } from '../records/point-table.ts'
import { headText, openText } from '../text/open-text.ts'

const letters: Record<string, Field> = {
  N: 'title',
  X: 'x',
  Y: 'y',
  Z: 'z',
  IX: 'accuracyEasting',
  IY: 'accuracyNorthing',
  IZ: 'accuracyV',
}

/**
 * Control points of MicMac (`GCPConvert AppInFile`, MicMac documentation): the first line is a comment sign and `F=`
 * with the fields in order: N the name, X Y Z the coordinates, Ix Iy Iz their uncertainties, S an ignored text.
 */
export const micMac: SurveyFormat = {
  name: 'micmac',
  detects: (head) => /^[#%!]F= ?[NXYZS]/.test(headText(head).slice(0, 20)),
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(bytes, maxBytes)
    return pointTable('micmac', {
      text,
      records: pointsOf(linesOf(text.text, maxLines)),
      none: 'the file has no points below its first line',
      shape: (sample) => ({
        columns: [
          'x',
          'y',
          'z',
          'title',
          ...(['accuracyEasting', 'accuracyNorthing', 'accuracyV'] as const).filter((field) =>
            sample.some(({ cells }) => cells[field]),
          ),
        ],
        systems: noSystem(),
      }),
    })
  },
}

async function* pointsOf(lines: AsyncIterable<Line>): AsyncGenerator<Found, void, undefined> {
  let fields: (Field | undefined)[] | undefined
  let sign = '#'
  for await (const { text, number } of lines) {
    if (!fields) {
      sign = text[0]!
      const names = text
        .slice(3)
        .trim()
        .split(/[\s_]+/)
      fields = names.map((name) => letters[name.toUpperCase()])
      if (!fields.includes('x') || !fields.includes('y') || names.some((name) => !/^(?:[NXYZS]|I[XYZ])$/i.test(name)))
        throw new SurveyFileError(
          'AMBIGUOUS_COLUMNS',
          `line ${number}: "${truncate(text, 60)}" does not name the fields: write them as in #F=N X Y Z`,
          number,
        )
    } else if (!text.startsWith(sign)) yield pointOf(text, number, fields)
  }
}

function pointOf(text: string, line: number, fields: (Field | undefined)[]): Found {
  const values = text.trim().split(/\s+/)
  const title = values[fields.indexOf('title')] ?? ''
  if (values.length !== fields.length) {
    const message = `the line has ${values.length} fields but the first line names ${fields.length}`
    return { line, title, cells: {}, fault: faultOf('RAGGED_ROW', message) }
  }
  return {
    line,
    title,
    cells: Object.fromEntries(values.flatMap((value, i) => (fields[i] ? [[fields[i], value]] : []))),
  }
}
