import { tooLarge } from '../../errors.ts'

const maxDepth = 200
const maxValues = 5_000_000

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
/** Maps brackets to braces and no other ASCII character to a brace: [ is 0x5b, ] is 0x5d. */
const asBrace = 0x20

/**
 * Limits the nesting and size of JSON before it is parsed: the parser uses many times the memory of the text, outside
 * the heap limit of a thread.
 * @throws ConversionError `too_large`
 */
export function limitJson(text: Uint8Array): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!
    if (byte === quote) at = endOfString(text, at)
    else if (byte === comma) values++
    else if ((byte | asBrace) === openBrace) {
      values++
      if (++depth > maxDepth) throw tooLarge(`The JSON of the GLB is nested more than ${maxDepth} deep.`)
    } else if ((byte | asBrace) === closeBrace) depth--
    if (values > maxValues) throw tooLarge(`The JSON of the GLB has more than ${maxValues} values.`)
  }
}

function endOfString(text: Uint8Array, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1
  return at
}
