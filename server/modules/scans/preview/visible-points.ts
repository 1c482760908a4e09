import type { Picture } from './picture.ts'

/** Size of the sample that decides the extent of a picture. */
const MOST = 200_000
/** Quantiles beyond which outliers are looked for, and their distance in widths of the rest. */
const CLOUD_STRAYS = { share: 0.005, off: 0.5 }
const SPLAT_STRAYS = { share: 0.06, off: 0.15 }

/** An even sample of the points of a picture, x y z each. Omits outliers of clouds, so that the main content fills the picture. */
export function visiblePoints({ meshes, pointClouds, splats }: Picture): Float64Array {
  const parts: Part[] = [
    ...meshes.map(({ points, indices, transforms }) => ({ points, indices, transforms })),
    ...pointClouds.map(({ points, transforms }) => ({ points, indices: undefined, transforms })),
  ]
  if (splats)
    parts.push({ points: splats.points.subarray(0, splats.count * 3), indices: undefined, transforms: [splats.place] })
  const total = parts.reduce((sum, part) => sum + countOf(part) * part.transforms.length, 0)
  const step = Math.max(1, total / MOST)
  const out: number[] = []
  let next = 0
  let before = 0
  for (const part of parts) {
    const count = countOf(part)
    for (const place of part.transforms) {
      for (; next < before + count; next += step) add(part, Math.floor(next - before), place, out)
      before += count
    }
  }
  const all = Float64Array.from(out)
  return splats
    ? withoutStrays(all, SPLAT_STRAYS)
    : pointClouds.length > 0 && meshes.length === 0
      ? withoutStrays(all, CLOUD_STRAYS)
      : all
}

type Part = { points: Float32Array; indices: Uint32Array | undefined; transforms: readonly (readonly number[])[] }
const countOf = ({ points, indices }: Part) => indices?.length ?? points.length / 3

function add({ points, indices }: Part, index: number, m: readonly number[], out: number[]): void {
  const at = (indices ? indices[index]! : index) * 3
  const [x, y, z] = [points[at]!, points[at + 1]!, points[at + 2]!]
  const moved = [0, 1, 2].map((k) => m[k]! * x + m[4 + k]! * y + m[8 + k]! * z + m[12 + k]!)
  if (moved.every(Number.isFinite)) out.push(...moved)
}

function withoutStrays(points: Float64Array, { share, off }: typeof CLOUD_STRAYS): Float64Array {
  const count = points.length / 3
  if (count < 100) return points
  const within = [0, 1, 2].map((axis) => {
    const values = Float64Array.from({ length: count }, (_, i) => points[i * 3 + axis]!).sort()
    const [low, high] = [values[Math.floor(count * share)]!, values[Math.ceil(count * (1 - share)) - 1]!]
    return [low - off * (high - low), high + off * (high - low)] as const
  })
  const out: number[] = []
  for (let i = 0; i < points.length; i += 3) {
    if (within.every(([low, high], axis) => points[i + axis]! >= low && points[i + axis]! <= high))
      out.push(points[i]!, points[i + 1]!, points[i + 2]!)
  }
  return out.length > 0 ? Float64Array.from(out) : points
}
