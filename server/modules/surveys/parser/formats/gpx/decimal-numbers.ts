import { SurveyFileError } from '../../errors.ts'

const POINT = /<(?:\w{1,40}:)?(?:wpt|rtept|trkpt)(\s[^<>]{0,2000})>/g
const COORDINATES = {
  lat: /\slat\s*=\s*(?:"([^"]*)"|'([^']*)')/,
  lon: /\slon\s*=\s*(?:"([^"]*)"|'([^']*)')/,
}
const HEIGHT = /<(?:\w{1,40}:)?(ele|geoidheight)>([^<]{0,200})</g
const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

/**
 * Checks that the latitudes, longitudes (degrees) and heights (metres) of a GPX file are decimal numbers, because GDAL
 * reads `52,5` as 52 and other texts as 0. A point needs both coordinates; an empty height is none.
 * @throws SurveyFileError UNREADABLE_FILE with the line of the first coordinate that is not, otherwise of the first height
 */
export function assertDecimalNumbers(file: Buffer): void {
  const text = file.toString('latin1')
  const check = (name: string, value: string, at: number) => {
    if (DECIMAL.test(value)) return
    const line = text.slice(0, at).split('\n').length
    throw new SurveyFileError(
      'UNREADABLE_FILE',
      `line ${line}: ${name} "${value.slice(0, 60)}" is not a decimal number: write it as in 52.5200066`,
      line,
    )
  }
  for (const { 1: attributes, index } of text.matchAll(POINT))
    for (const [name, pattern] of Object.entries(COORDINATES)) {
      const value = pattern.exec(attributes!)
      check(name, value?.[1] ?? value?.[2] ?? '', index)
    }
  for (const { 1: name, 2: value, index } of text.matchAll(HEIGHT))
    if (value!.trim() !== '') check(name!, value!, index)
}
