import { decimalCheck } from '../decimal-numbers.ts'

const POINT = /<(?:\w{1,40}:)?(?:wpt|rtept|trkpt)(\s[^<>]{0,2000})>/g
const COORDINATES = {
  lat: /\slat\s*=\s*(?:"([^"]*)"|'([^']*)')/,
  lon: /\slon\s*=\s*(?:"([^"]*)"|'([^']*)')/,
}
const HEIGHT = /<(?:\w{1,40}:)?(ele|geoidheight)>([^<]{0,200})</g

/**
 * Checks that the latitudes, longitudes (degrees) and heights (metres) of a GPX file are decimal numbers. A point needs
 * both coordinates; an empty height is none.
 * @throws SurveyFileError UNREADABLE_FILE with the line of the first coordinate that is not, otherwise of the first
 * height
 */
export function assertGpxNumbers(file: Buffer): void {
  const text = file.toString('latin1')
  const check = decimalCheck(text)
  for (const { 1: attributes, index } of text.matchAll(POINT))
    for (const [name, pattern] of Object.entries(COORDINATES)) {
      const value = pattern.exec(attributes!)
      check(name, value?.[1] ?? value?.[2] ?? '', index)
    }
  for (const { 1: name, 2: value, index } of text.matchAll(HEIGHT))
    if (value!.trim() !== '') check(name!, value!, index)
}
