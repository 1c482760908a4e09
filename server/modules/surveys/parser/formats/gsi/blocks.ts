import { FOOT } from '../../rows/values/units.ts'
import type { SurveyTable } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import type { Line } from '../records/lines.ts'
import { type Found, faultOf } from '../records/point-table.ts'
import { decimalIn, type Word, wordsOf } from './words.ts'

type Group = readonly [east: string, north: string, height: string]
const target: Group = ['81', '82', '83']
const station: Group = ['84', '85', '86']

/**
 * Reads the blocks of one file. The first coordinates decide its unit: metres, or feet of a kind that the format does
 * not define.
 */
export function blockReader() {
  let unit: 'm' | 'ft' | undefined
  let codes = 0

  return {
    unit: () => unit,

    async *read(lines: AsyncIterable<Line>): AsyncGenerator<Found, void, undefined> {
      for await (const { text, number } of lines) {
        const words = wordsOf(text)
        if (words?.[0]?.index === '41') codes++
        else yield words ? blockOf(words, number) : unread(text, number)
      }
    },

    notices: (): ReturnType<NonNullable<SurveyTable['notices']>> =>
      codes === 0
        ? []
        : [
            {
              code: 'RECORDS_LEFT_OUT',
              message: `${codes} code ${codes === 1 ? 'block (word 41) is' : 'blocks (word 41) are'} not a point and ${codes === 1 ? 'was' : 'were'} left out`,
            },
          ],
  }

  function blockOf(words: Word[], line: number): Found {
    const word = (index: string) => words.find((one) => one.index === index)
    const title = word('11') ? withoutNoughts(word('11')!.data) : ''
    const failed = (message: string): Found => ({ line, title, cells: {}, fault: faultOf('NO_COORDINATES', message) })
    const group = [target, station].find(([east, north]) => word(east) && word(north))
    if (!group) return failed('the block has no coordinates (words 81 and 82, or 84 and 85)')
    const [easting, northing, z] = group.map((index) => word(index) && lengthOf(word(index)!))
    if (easting === undefined || northing === undefined || (z === undefined && word(group[2])))
      return failed(
        `a coordinate of the block has a unit or a number that cannot be read: "${truncate(shown(words, group), 100)}"`,
      )
    const description = words
      .filter(({ index }) => index >= '71' && index <= '79')
      .map(({ data }) => withoutNoughts(data))
      .filter((text) => text !== '0')
      .join(' ')
    return { line, title, cells: { easting, northing, z: z ?? '', description } }
  }

  /** A length in the unit of the file; the other unit is converted by the international foot. */
  function lengthOf(word: Word): string | undefined {
    const found = decimalIn(word)
    if (!found) return undefined
    unit ??= found.unit
    if (found.unit === unit) return found.figure
    return String(unit === 'm' ? Number(found.figure) * FOOT : Number(found.figure) / FOOT)
  }
}

const unread = (text: string, line: number): Found => ({
  line,
  title: '',
  cells: {},
  fault: faultOf('NO_COORDINATES', `"${truncate(text.trim(), 60)}" is not a block of GSI words`, text),
})

const shown = (words: Word[], group: Group): string =>
  words
    .filter(({ index }) => group.includes(index))
    .map(({ text }) => text)
    .join(' ')

/** Strips the leading zeros of point numbers and texts. */
const withoutNoughts = (data: string): string => data.trim().replace(/^0+(?=.)/, '')
