import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../read/json.ts'
import type { Notes } from '../../report.ts'
import { fromZero } from './from-zero.ts'
import type { Interpolation, Path, Track } from './track.ts'

const interpolations: readonly unknown[] = ['LINEAR', 'STEP', 'CUBICSPLINE'] satisfies Interpolation[]

/** The largest distance of a key from zero, one day: other times lack the precision for single frames. */
const maxSeconds = 86_400

/**
 * Reads and validates the keys of an animation sampler: ascending times, one finite value for each, unit rotations. Of
 * several keys at one time the last is used. Keys before zero, which programs write and players do not reach, give way to
 * one at zero.
 * @param values reads an accessor.
 * @param size components for each value; morph weights are stored as scalars, `size` of them for each key.
 */
export function readSampler(
  { input, output, interpolation = 'LINEAR' }: JsonObject,
  values: (accessor: unknown, what: string, size: number) => Float32Array,
  path: Path,
  size: number,
  where: string,
  notes: Notes,
): Omit<Track, 'node' | 'path'> {
  if (!interpolations.includes(interpolation)) {
    throw malformed(`${where}: its interpolation is ${JSON.stringify(interpolation)}.`)
  }
  const times = values(input, 'input', 1)
  const found = values(output, 'output', path === 'weights' ? 1 : size)
  const perKey = size * (interpolation === 'CUBICSPLINE' ? 3 : 1)
  if (times.length === 0) throw malformed(`${where}: it has no keys.`)
  if (found.length !== times.length * perKey) {
    throw malformed(`${where}: it has ${times.length} keys but values for ${found.length / perKey}.`)
  }
  checkTimes(times, where)
  const bad = found.findIndex((value) => !Number.isFinite(value))
  if (bad >= 0) throw malformed(`${where}: the value of key ${Math.floor(bad / perKey)} is not a finite number.`)
  const track = { interpolation: interpolation as Interpolation, times, values: found, size }
  const distinct = dropRepeatedTimes(track, perKey, notes)
  const whole = path === 'rotation' ? { ...distinct, values: normalizeRotations(distinct, where, notes) } : distinct
  if (whole.times[0]! >= 0) return whole
  notes.changed('animation_keys', 'Keys before 0 seconds are left out: animations begin at 0.')
  return { ...whole, ...fromZero(whole, path) }
}

function checkTimes(times: Float32Array, where: string): void {
  for (const [index, time] of times.entries()) {
    if (!(Math.abs(time) <= maxSeconds)) {
      throw malformed(`${where}: key ${index} is at ${time} seconds; keys are at most ${maxSeconds} seconds from 0.`)
    }
    if (index > 0 && time < times[index - 1]!) throw malformed(`${where}: key ${index} is before the key it follows.`)
  }
}

type Sampled = Omit<Track, 'node' | 'path'>

function dropRepeatedTimes(track: Sampled, perKey: number, notes: Notes): Sampled {
  const { times, values } = track
  const kept = [...times.keys()].filter((index) => times[index] !== times[index + 1])
  if (kept.length === times.length) return track
  notes.changed('animation_keys', 'Of several keys at the same time, the last one is used.', times.length - kept.length)
  const rest = new Float32Array(kept.length * perKey)
  for (const [to, from] of kept.entries()) rest.set(values.subarray(from * perKey, (from + 1) * perKey), to * perKey)
  return { ...track, times: Float32Array.from(kept, (index) => times[index]!), values: rest }
}

/** Normalises rotations; quantized ones are never exact unit quaternions. */
function normalizeRotations({ interpolation, values, times }: Sampled, where: string, notes: Notes): Float32Array {
  const isCubic = interpolation === 'CUBICSPLINE'
  const out = values.slice()
  for (let index = 0; index < times.length; index++) {
    const at = isCubic ? index * 12 + 4 : index * 4
    const length = Math.hypot(out[at]!, out[at + 1]!, out[at + 2]!, out[at + 3]!)
    if (length === 0) throw malformed(`${where}: the rotation of key ${index} has length zero.`)
    if (Math.abs(length - 1) > 0.02)
      notes.changed('animation_rotations', 'Rotations that are not unit quaternions are normalised.')
    // The tangents of a cubic track match its unnormalised values, so normalisation happens on evaluation.
    if (!isCubic) for (let k = at; k < at + 4; k++) out[k] = out[k]! / length
  }
  return out
}
