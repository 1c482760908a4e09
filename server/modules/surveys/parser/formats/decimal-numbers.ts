import { SurveyFileError } from '../errors.ts'

const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

export const isDecimal = (text: string): boolean => DECIMAL.test(text)

/**
 * Checks numbers that GDAL would read: it reads `52,5` as 52 and other texts as 0.
 * @param at where the number, or its element, begins in the text
 * @throws SurveyFileError UNREADABLE_FILE with the line, if it is not a decimal number
 */
export function decimalCheck(text: string) {
  return (name: string, value: string, at: number): void => {
    if (isDecimal(value)) return
    const line = text.slice(0, at).split('\n').length
    throw new SurveyFileError(
      'UNREADABLE_FILE',
      `line ${line}: ${name} "${value.trim().slice(0, 60)}" is not a decimal number: write it as in 52.5200066`,
      line,
    )
  }
}
