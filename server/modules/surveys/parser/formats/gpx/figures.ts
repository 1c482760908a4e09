import { SurveyFileError } from '../../errors.ts'

const POINT = /<(?:\w{1,40}:)?(?:wpt|rtept|trkpt)(\s[^<>]{0,2000})>/g
const ELEVATION = /<(ele|geoidheight)>([^<]{0,200})</g
const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

/**
 * Checks that positions and heights are decimal numbers: GDAL reads `52,5` as 52 and other texts as 0.
 * @throws SurveyFileError UNREADABLE_FILE with the line of the first that is not
 */
export function assertFigures(file: Buffer): void {
  const text = file.toString('latin1')
  const refuse = (name: string, value: string, at: number): never => {
    const line = text.slice(0, at).split('\n').length
    throw new SurveyFileError(
      'UNREADABLE_FILE',
      `line ${line}: ${name} "${value.slice(0, 60)}" is not a decimal number: write it as in 52.5200066`,
      line,
    )
  }
  for (const { 1: attributes, index } of text.matchAll(POINT))
    for (const name of ['lat', 'lon']) {
      const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes!)
      const figure = value?.[1] ?? value?.[2] ?? ''
      if (!DECIMAL.test(figure)) refuse(name, figure, index)
    }
  for (const { 1: name, 2: value, index } of text.matchAll(ELEVATION))
    if (value!.trim() !== '' && !DECIMAL.test(value!)) refuse(name!, value!, index)
}
