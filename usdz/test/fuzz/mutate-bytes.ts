import type { GlbParts } from './glb-parts.ts'
import { pick, type Random } from './random.ts'

const edges = [0, 1, 0x7f, 0x80, 0xff]
const words = [0, 1, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0x7fc00000, 0xff7fffff]

/** Changes bytes between `from` and `to`, in place. */
function damage(bytes: Uint8Array, from: number, to: number, random: Random): void {
  const length = to - from
  if (length <= 0) return
  const at = from + random(length)
  switch (random(6)) {
    case 0:
      for (let n = 1 + random(20); n > 0; n--) bytes[from + random(length)] = random(256)
      break
    case 1:
      bytes[at] = bytes[at]! ^ (1 << random(8))
      break
    case 2:
      bytes[at] = pick(edges, random)
      break
    case 3: {
      const aligned = Math.min(at - (at % 4), bytes.length - 4)
      if (aligned >= 0) new DataView(bytes.buffer, bytes.byteOffset).setUint32(aligned, pick(words, random), true)
      break
    }
    case 4:
      bytes.copyWithin(at, from + random(length), from + random(length) + random(64))
      break
    default:
      bytes.fill(pick(edges, random), at, Math.min(to, at + random(100)))
  }
}

/** Damages bytes anywhere in a GLB, including its headers. */
export function mutateAnywhere(glb: Uint8Array, random: Random): Uint8Array {
  const out = glb.slice()
  switch (random(4)) {
    case 0:
      damage(out, 0, Math.min(out.length, 28), random)
      return out
    case 1:
      return out.subarray(0, random(out.length + 1))
    default:
      damage(out, 0, out.length, random)
      return out
  }
}

type View = { buffer?: unknown; byteOffset?: unknown; byteLength?: unknown }
type Json = Record<string, unknown[] | undefined>

/** Damages the input of a special decoder: a Draco or meshopt stream, or an image; otherwise any data of the binary chunk. */
export function mutatePayload({ text, binary }: GlbParts, random: Random): GlbParts {
  const out = binary.slice()
  const ranges = payloads(text)
  const range = ranges.length > 0 && random(8) > 0 ? pick(ranges, random) : [0, out.length]
  const [from = 0, to = 0] = range.map((value) => Math.min(Math.max(0, value), out.length))
  // Formats have their structure in the first bytes.
  const head = random(2) === 0 ? Math.min(to, from + 96) : to
  for (let n = 1 + random(3); n > 0; n--) damage(out, from, head, random)
  return { text, binary: out }
}

function payloads(text: string): number[][] {
  try {
    const json = JSON.parse(text) as Json
    const views = (json.bufferViews ?? []) as (View & { extensions?: Record<string, View> })[]
    const coded = views.flatMap((view) => Object.values(view.extensions ?? {}))
    const pictures = ((json.images ?? []) as { bufferView?: number }[]).map(({ bufferView }) => views[bufferView ?? -1])
    const draco = ((json.meshes ?? []) as { primitives?: { extensions?: Record<string, { bufferView?: number }> }[] }[])
      .flatMap(({ primitives }) => primitives ?? [])
      .map(({ extensions }) => views[extensions?.KHR_draco_mesh_compression?.bufferView ?? -1])
    return [...coded, ...pictures, ...draco].flatMap((view) => {
      const [start, length] = [Number(view?.byteOffset ?? 0), Number(view?.byteLength)]
      return Number.isFinite(start + length) ? [[start, start + length]] : []
    })
  } catch {
    return []
  }
}
