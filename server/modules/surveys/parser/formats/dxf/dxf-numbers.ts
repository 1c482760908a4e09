import { decimalCheck } from '../decimal-numbers.ts'

/** A group code and its value, each on a line of its own. */
const GROUP = /[ \t]*(\d{1,4})[ \t]*\r?\n([^\n]*)(?:\n|$)/y
const AXES: Record<string, string> = { 10: 'X', 20: 'Y', 30: 'Z' }

/**
 * Checks that the coordinates of points and inserted blocks are decimal numbers (group codes 10, 20 and 30 of the DXF
 * reference of AutoCAD 2018). @throws SurveyFileError UNREADABLE_FILE with the line of the first that is not
 */
export function assertDxfNumbers(file: Buffer): void {
  const text = file.toString('latin1')
  const check = decimalCheck(text)
  let isPoint = false
  GROUP.lastIndex = text.startsWith('\xef\xbb\xbf') ? 3 : 0
  for (let group = GROUP.exec(text); group; group = GROUP.exec(text)) {
    const [all, code, value] = group
    if (code === '0') isPoint = /^\s*(?:POINT|INSERT)\s*$/.test(value!)
    else if (isPoint && AXES[code!]) check(AXES[code!]!, value!, group.index + all.indexOf('\n') + 1)
  }
}
