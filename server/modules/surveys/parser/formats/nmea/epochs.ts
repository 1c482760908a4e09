import type { SurveyTable } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import type { Line } from '../records/lines.ts'
import { type Found, faultOf, isNumber } from '../records/point-table.ts'
import { clockOf, dateIn, degreesOf, isDamaged, type Sentence, sentencesOf } from './sentences.ts'

/** Quality of a GGA fix (NMEA 0183, GGA field 6). */
const qualities: Record<string, string> = {
  1: 'autonomous',
  2: 'differential',
  3: 'PPS',
  4: 'RTK fixed',
  5: 'RTK float',
  6: 'estimated',
  7: 'entered by hand',
}
/** Modes of a GNS fix, one for each satellite system; the best one counts. */
const modes: [letter: string, quality: string][] = [
  ['R', 'RTK fixed'],
  ['F', 'RTK float'],
  ['P', 'precise'],
  ['D', 'differential'],
  ['A', 'autonomous'],
  ['E', 'estimated'],
  ['M', 'entered by hand'],
]

/** `others` are further records of the epoch, in file order. */
type Epoch = { time: string; found?: Found; others: Found[]; accuracies?: Found['cells'] }

/** Maximum sentences of one epoch; no receiver writes more. */
const MAX_OTHERS = 16

export function epochReader() {
  let date: string | undefined
  let leftOut = 0

  return {
    async *read(lines: AsyncIterable<Line>): AsyncGenerator<Found, void, undefined> {
      let epoch: Epoch = { time: '', others: [] }
      for await (const { text, number } of lines) {
        const sentences = sentencesOf(text)
        const isRemains = sentences.length === 0 && isDamaged(text)
        // Proprietary and encapsulated sentences are ignored; anything else is not NMEA.
        if (sentences.length === 0 && !isRemains && !/^\s{0,20}[$!]/.test(text)) leftOut++
        if (isRemains) epoch.others.push(broken(text, number))
        for (const sentence of sentences) {
          const isFix = sentence.kind === 'GGA' || sentence.kind === 'GNS'
          if (!sentence.isIntact) {
            if (!isFix) leftOut++
            else epoch.others.push(broken(sentence.text, number))
            continue
          }
          date = dateIn(sentence) ?? date
          if (!isFix && sentence.kind !== 'GST') continue
          const time = sentence.fields[0] ?? ''
          if (time !== epoch.time || time === '') {
            yield* ended(epoch)
            epoch = { time, others: [] }
          }
          if (!isFix) epoch.accuracies = accuraciesOf(sentence)
          else take(epoch, fixOf(sentence, number))
        }
        if (epoch.others.length < MAX_OTHERS) continue
        yield* ended(epoch)
        epoch = { time: epoch.time, others: [] }
      }
      yield* ended(epoch)
    },

    notices: (): ReturnType<NonNullable<SurveyTable['notices']>> =>
      leftOut === 0
        ? []
        : [
            {
              code: 'RECORDS_LEFT_OUT',
              message: `${leftOut} ${leftOut === 1 ? 'line was' : 'lines were'} left out: not NMEA, or damaged sentences without a position`,
            },
          ],
  }

  /** GGA and GNS repeat the same position; one with a fix is preferred. */
  function take(epoch: Epoch, found: Found) {
    if (!epoch.found) epoch.found = found
    else if (!epoch.found.fault && !found.fault) epoch.others.push({ ...found, isRepeat: true })
    else epoch.others.push(found)
  }

  function* ended({ found, others, accuracies }: Epoch): Generator<Found> {
    for (const one of found ? [found, ...others] : others) {
      one.title = date && one.title !== '' ? `${date} ${one.title}` : one.title
      if (!one.fault) Object.assign(one.cells, accuracies)
      yield one
    }
  }
}

function fixOf({ kind, fields }: Sentence, line: number): Found {
  const [time = '', lat = '', latSide = '', lon = '', lonSide = '', state = '', satellites = '', hdop = ''] = fields
  const title = clockOf(time)
  const failed = (code: 'NO_FIX' | 'NOT_A_NUMBER', message: string): Found => ({
    line,
    title,
    cells: {},
    fault: faultOf(code, message),
  })
  const quality = kind === 'GGA' ? qualities[state] : modes.find(([letter]) => state.includes(letter))?.[1]
  if (!quality)
    return failed(
      'NO_FIX',
      `the receiver had no fix (${kind === 'GGA' ? 'quality' : 'mode'} ${truncate(state, 10) || 'absent'})`,
    )
  const [latitude, longitude] = [degreesOf(lat, latSide), degreesOf(lon, lonSide)]
  if (!latitude || !longitude || !'NS'.includes(latSide) || !'EW'.includes(lonSide))
    return failed(
      'NOT_A_NUMBER',
      `"${truncate(`${lat},${latSide},${lon},${lonSide}`, 60)}" is not a latitude and longitude`,
    )
  const altitude = fields[8] ?? ''
  const separation = fields[kind === 'GGA' ? 10 : 9] ?? ''
  const unit =
    kind === 'GGA'
      ? [fields[9], fields[11]].find((letter) => /^\p{L}/u.test(letter ?? '') && !/^M$/i.test(letter!))
      : undefined
  if (unit)
    return failed(
      'NOT_A_NUMBER',
      `the heights are in "${truncate(unit, 20)}", and in metres (M) in every NMEA sentence`,
    )
  const isKnown = isNumber(altitude) && isNumber(separation)
  return {
    line,
    title,
    cells: {
      latitude,
      longitude,
      altitude,
      ellipsoidalHeight: isKnown ? (Number(altitude) + Number(separation)).toFixed(4) : '',
      description: [quality, satellites && `${Number(satellites)} satellites`, hdop && `HDOP ${hdop}`]
        .filter(Boolean)
        .join(', '),
    },
  }
}

function accuraciesOf({ fields }: Sentence): Found['cells'] {
  const [accuracyNorthing = '', accuracyEasting = '', accuracyV = ''] = fields.slice(5, 8)
  return { accuracyNorthing, accuracyEasting, accuracyV }
}

const broken = (text: string, line: number): Found => ({
  line,
  title: '',
  cells: {},
  fault: faultOf('BAD_CHECKSUM', 'the sentence is damaged: its checksum is wrong, or it ends early', text),
})
