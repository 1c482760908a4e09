/**
 * A word of a block: its two-digit index, the digit of its unit (position 6), its sign and its data (8 or 16
 * characters).
 */
export type Word = { index: string; unit: string; sign: '+' | '-'; data: string; text: string }

/** Units of length and their number of decimals: metres and feet. */
const lengths: Record<string, { unit: 'm' | 'ft'; digits: number }> = {
  0: { unit: 'm', digits: 3 },
  1: { unit: 'ft', digits: 3 },
  6: { unit: 'm', digits: 4 },
  7: { unit: 'ft', digits: 4 },
  8: { unit: 'm', digits: 5 },
}

/** The words of a block; undefined for an invalid line. A `*` before the block means 16 characters of data. */
export function wordsOf(line: string): Word[] | undefined {
  const text = line.trim()
  const isLong = text.startsWith('*')
  const size = isLong ? 16 : 8
  const words: Word[] = []
  // Texts may have spaces: split words by length.
  for (let at = isLong ? 1 : 0; at < text.length; ) {
    const word = text.slice(at, at + 7 + size)
    if (!/^\d\d[\d.]{4}[+-]/.test(word) || word.length < (at + 7 + size > text.length ? 8 : 7 + size)) return undefined
    words.push({ index: word.slice(0, 2), unit: word[5]!, sign: word[6] as '+' | '-', data: word.slice(7), text: word })
    at += 7 + size
    while (text[at] === ' ') at++
  }
  return words.length > 0 ? words : undefined
}

/** The exact length of a word; undefined for another unit or invalid data. */
export function decimalIn({ unit, sign, data }: Word): { unit: 'm' | 'ft'; figure: string } | undefined {
  const known = lengths[unit]
  // A truncated line would otherwise give a smaller number.
  if (!known || !/^(?:\d{8}|\d{16})$/.test(data)) return undefined
  const all = data.padStart(known.digits + 1, '0')
  const whole = all.slice(0, -known.digits).replace(/^0+(?=\d)/, '')
  return { unit: known.unit, figure: `${sign === '-' ? '-' : ''}${whole}.${all.slice(-known.digits)}` }
}
