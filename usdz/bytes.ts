/** Returns the characters of bytes, one for each byte (ISO 8859-1). */
export function latin1(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = ''
  for (let at = from; at < to; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + 4096, to)))
  }
  return text
}

/** Returns the bytes of characters up to U+00FF, one for each. */
export function bytesOfLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** Decodes base64, also its variant for URLs. As most readers do, it skips other characters and ends at the first `=`. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const plain = text.replace(/=.*$/s, '').replaceAll('-', '+').replaceAll('_', '/')
  const known = /[^A-Za-z0-9+/]/.test(plain) ? plain.replace(/[^A-Za-z0-9+/]/g, '') : plain
  return bytesOfLatin1(atob(known.length % 4 === 1 ? known.slice(0, -1) : known))
}

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Copies parts behind each other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export function haveEqualBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}
