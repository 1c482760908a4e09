/** The parts of a GLB; `text` is the JSON chunk. */
export type GlbParts = { text: string; binary: Uint8Array }

const headLength = 20
const binaryChunk = 0x004e4942

/** Splits a GLB into its parts. @returns undefined if damage left no chunks. */
export function takeApart(glb: Uint8Array): GlbParts | undefined {
  if (glb.length < headLength) return undefined
  const jsonLength = new DataView(glb.buffer, glb.byteOffset, glb.byteLength).getUint32(12, true)
  if (headLength + jsonLength > glb.length) return undefined
  const text = Buffer.from(glb.subarray(headLength, headLength + jsonLength)).toString()
  return { text, binary: glb.subarray(Math.min(glb.length, headLength + jsonLength + 8)) }
}

/** Assembles a GLB with correct lengths. */
export function putTogether({ text, binary }: GlbParts): Uint8Array {
  const json = Buffer.from(text)
  const padded = Buffer.concat([json, Buffer.alloc(-json.length & 3, 0x20)])
  const chunk = binary.length > 0 ? Buffer.concat([binary, Buffer.alloc(-binary.length & 3)]) : undefined
  const size = headLength + padded.length + (chunk ? 8 + chunk.length : 0)
  const out = new Uint8Array(size)
  const view = new DataView(out.buffer)
  view.setUint32(0, 0x46546c67, true)
  view.setUint32(4, 2, true)
  view.setUint32(8, size, true)
  view.setUint32(12, padded.length, true)
  view.setUint32(16, 0x4e4f534a, true)
  out.set(padded, headLength)
  if (chunk) {
    view.setUint32(headLength + padded.length, chunk.length, true)
    view.setUint32(headLength + padded.length + 4, binaryChunk, true)
    out.set(chunk, headLength + padded.length + 8)
  }
  return out
}
