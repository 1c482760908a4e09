const POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`))
const [ZERO, NINE, PLUS, MINUS, DOT] = [0x30, 0x39, 0x2b, 0x2d, 0x2e]
/** Integers up to here and powers of ten up to 22 are exact, so that the result is rounded once. */
const MAX_DIGITS = 15

/** Parses a number from ASCII bytes; NaN if they are none. Creates a string only for unusual numbers. */
export function numberIn(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  const isNegative = bytes[at] === MINUS
  if (isNegative || bytes[at] === PLUS) at++
  let whole = 0
  let digits = 0
  let behindDot = 0
  let hasDot = false
  for (; at < to; at++) {
    const byte = bytes[at]!
    if (byte >= ZERO && byte <= NINE) {
      whole = whole * 10 + (byte - ZERO)
      digits++
      if (hasDot) behindDot++
    } else if (byte === DOT && !hasDot) hasDot = true
    else break
  }
  if (at < to || digits === 0 || digits > MAX_DIGITS) return unusual(bytes, from, to)
  const value = whole / POWERS[behindDot]!
  return isNegative ? -value : value
}

/** Numbers with an exponent or with more digits than are exact. */
function unusual(bytes: Uint8Array, from: number, to: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?$/.test(text) ? Number(text) : Number.NaN
}

/** Space, tab, line feed, vertical tab, form feed, carriage return. */
export const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
