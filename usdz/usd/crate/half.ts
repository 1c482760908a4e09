const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/**
 * Rounds a number to half precision, ties to even, and returns its 16 bits. Above 65,519 it is infinite. Source: IEEE
 * 754.
 */
export function halfBits(value: number): number {
  float[0] = value
  const all = bits[0]!
  const sign = (all >>> 16) & 0x8000
  const magnitude = all & 0x7fffffff
  if (magnitude > 0x7f800000) return sign | 0x7e00
  if (magnitude >= 0x477ff000) return sign | 0x7c00
  if (magnitude < 0x38800000) {
    // Subnormal: the number counts steps of 2^-24.
    return sign | roundToEven(Math.abs(float[0]!) * 2 ** 24)
  }
  const kept = (magnitude - 0x38000000) >>> 13
  const rest = magnitude & 0x1fff
  return sign | (kept + (rest > 0x1000 || (rest === 0x1000 && kept % 2 === 1) ? 1 : 0))
}

/** Converts the 16 bits of a half-precision number. */
export function fromHalfBits(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

function roundToEven(value: number): number {
  const low = Math.floor(value)
  const rest = value - low
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low
}
