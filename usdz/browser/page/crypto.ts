import { utf8 } from '../../bytes.ts'

/** The function of `node:crypto` that the converter uses to find equal values: SHA-1 (FIPS 180-4), whatever is named. */
export function createHash(_name: string) {
  let bytes = new Uint8Array()
  return {
    update(data: Uint8Array | string) {
      bytes = typeof data === 'string' ? utf8(data) : (data as Uint8Array<ArrayBuffer>)
      return this
    },
    digest: (_encoding: string): string => sha1(bytes),
  }
}

const turned = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))

function sha1(bytes: Uint8Array): string {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  blocks.set(bytes)
  blocks[bytes.length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(blocks.length - 4, (bytes.length * 8) >>> 0)
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)
  const words = new Int32Array(80)
  for (let at = 0; at < blocks.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4)
    for (let i = 16; i < 80; i++) {
      words[i] = turned(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1)
    }
    addBlock(state, words)
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function addBlock(state: Int32Array, words: Int32Array): void {
  let [a, b, c, d, e] = state as unknown as [number, number, number, number, number]
  for (let i = 0; i < 80; i++) {
    const [mixed, constant] =
      i < 20
        ? [(b & c) | (~b & d), 0x5a827999]
        : i < 40
          ? [b ^ c ^ d, 0x6ed9eba1]
          : i < 60
            ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
            : [b ^ c ^ d, 0xca62c1d6]
    const next = (turned(a, 5) + mixed + e + constant + words[i]!) | 0
    ;[e, d, c, b, a] = [d, c, turned(b, 30), a, next]
  }
  for (const [i, value] of [a, b, c, d, e].entries()) state[i]! += value
}
