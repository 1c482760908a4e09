import { valuesOf } from './accessors.ts'
import type { GltfFile, GltfSampler } from './gltf.ts'
import { slerp, unit } from './matrices.ts'

/**
 * The value of an animation sampler at a time in seconds, by glTF 2.0 §3.11 and appendix C: before its first key the first
 * value, after its last the last, between them by its interpolation. Quaternions are normalized.
 * @param width the number of components of a value.
 */
export function sampledAt(
  file: GltfFile,
  sampler: GltfSampler,
  width: number,
  time: number,
  isRotation: boolean,
): number[] {
  const { keys, values } = curveOf(file, sampler)
  const isCubic = sampler.interpolation === 'CUBICSPLINE'
  // A cubic key has an in-tangent, a value and an out-tangent, in this order.
  const part = (key: number, which: number) => {
    const start = (isCubic ? key * 3 + which : key) * width
    return [...values.subarray(start, start + width)]
  }
  const finish = (value: number[]) => (isRotation ? unit(value) : value)

  let next = keys.findIndex((key) => key > time)
  if (next < 0) next = keys.length
  if (next === 0) return finish(part(0, 1))
  if (next === keys.length) return finish(part(keys.length - 1, 1))
  const before = next - 1
  const span = keys[next]! - keys[before]!
  const t = (time - keys[before]!) / span
  const [from, to] = [part(before, 1), part(next, 1)]
  if (sampler.interpolation === 'STEP') return finish(from)
  if (!isCubic)
    return isRotation ? slerp(unit(from), unit(to), t) : from.map((value, i) => value + (to[i]! - value) * t)
  const [leave, arrive] = [part(before, 2), part(next, 0)]
  return finish(
    from.map(
      (value, i) =>
        (2 * t ** 3 - 3 * t ** 2 + 1) * value +
        span * (t ** 3 - 2 * t ** 2 + t) * leave[i]! +
        (-2 * t ** 3 + 3 * t ** 2) * to[i]! +
        span * (t ** 3 - t ** 2) * arrive[i]!,
    ),
  )
}

type Curve = { keys: Float64Array; values: Float64Array }
const curves = new WeakMap<GltfSampler, Curve>()

/** The keys of a sampler in seconds and its values, cached. */
export function curveOf(file: GltfFile, sampler: GltfSampler): Curve {
  const known = curves.get(sampler)
  if (known) return known
  const curve = { keys: valuesOf(file, sampler.input), values: valuesOf(file, sampler.output) }
  curves.set(sampler, curve)
  return curve
}
