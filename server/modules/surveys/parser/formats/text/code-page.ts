import { headerWordsIn } from '../../layout/columns.ts'
import { codePageDecoder } from './dos-pages.ts'

/** What spreadsheets write by default. */
const USUAL = 'windows-1252'

/** Code pages of spreadsheets and receivers, by their names in the WHATWG Encoding standard, and those of DOS; the more common first. */
const CODE_PAGES = [
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'euc-jp',
  'koi8-u',
  'ibm866',
  'macintosh',
  'ibm850',
  'ibm852',
  'ibm437',
]

const MAX_LINES = 60

/**
 * The code page of a file that is not UTF-8: the one in which a line at its beginning has the most words of headers,
 * and windows-1252 without such a line.
 */
export function codePageOf(head: Uint8Array): string {
  let [best, most] = [USUAL, wordsIn(head, USUAL)]
  for (const page of CODE_PAGES) {
    const words = wordsIn(head, page)
    if (words > most) [best, most] = [page, words]
  }
  return best
}

/** Whether the header has more words in UTF-8 than in any code page, although other bytes follow. */
export const isMostlyUtf8 = (head: Uint8Array): boolean => wordsIn(head, 'utf-8') > wordsIn(head, codePageOf(head))

function wordsIn(head: Uint8Array, page: string): number {
  const lines = codePageDecoder(page)(head).split(/\r\n?|\n/, MAX_LINES)
  return Math.max(...lines.map(headerWordsIn))
}
