import { interpolateSegment, keyValue, type Path, type Track } from './track.ts'

type Keys = Pick<Track, 'interpolation' | 'times' | 'values' | 'size'>

/** Cuts off the part of a track before zero seconds. The rest keeps its shape; a track that has ended keeps its last value. */
export function fromZero(track: Keys, path: Path): Pick<Track, 'times' | 'values'> {
  const { interpolation, times, values, size } = track
  const perKey = interpolation === 'CUBICSPLINE' ? size * 3 : size
  const found = times.findIndex((time) => time >= 0)
  const next = found < 0 ? times.length : found
  if (times[next] === 0) return { times: times.slice(next), values: values.slice(next * perKey) }
  const first = next === times.length ? held(track) : cut(track, path, next - 1)
  return {
    times: joined([0], times.subarray(next)),
    values: joined(first, values.subarray(next * perKey)),
  }
}

/** Puts values before others: of as many as a track has, calls cannot have each as an argument. */
function joined(first: readonly number[], rest: Float32Array): Float32Array {
  const out = new Float32Array(first.length + rest.length)
  out.set(first)
  out.set(rest, first.length)
  return out
}

/** The last key, with level tangents. */
function held(track: Keys): readonly number[] {
  const value = keyValue(track, track.times.length - 1)
  const level = Array.from(value, () => 0)
  return track.interpolation === 'CUBICSPLINE' ? [...level, ...value, ...level] : [...value]
}

/** The key that divides a segment at zero seconds. */
function cut(track: Keys, path: Path, index: number): readonly number[] {
  const { times, interpolation, size } = track
  const seconds = times[index + 1]! - times[index]!
  const u = -times[index]! / seconds
  if (interpolation !== 'CUBICSPLINE') return interpolateSegment({ ...track, path }, index, u)
  // Tangents match values that are not normalised.
  const value = interpolateSegment({ ...track, path: 'translation' }, index, u)
  const [from, to] = [keyValue(track, index), keyValue(track, index + 1)]
  const out = track.values.subarray((index * 3 + 2) * size, (index * 3 + 3) * size)
  const into = track.values.subarray((index + 1) * 3 * size, ((index + 1) * 3 + 1) * size)
  const slope = value.map(
    (_, k) =>
      ((6 * u * u - 6 * u) * (from[k]! - to[k]!)) / seconds +
      (3 * u * u - 4 * u + 1) * out[k]! +
      (3 * u * u - 2 * u) * into[k]!,
  )
  return [...slope, ...value, ...slope]
}
