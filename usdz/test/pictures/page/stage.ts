import { USDCParser } from 'three/examples/jsm/loaders/usd/USDCParser.js'

type Specs = Record<string, { specType: number; fields: Record<string, unknown> }>
type Samples = { times: ArrayLike<number>; values: unknown[] }

/** The root layer of a package, read by three's crate reader: prims by path, and attributes at a time. */
export function readStage(layer: ArrayBuffer) {
  const specsByPath = selected(new USDCParser().parseData(layer).specsByPath)
  const fieldsOf = (path: string) => specsByPath[path]?.fields
  const targets = (path: string, key: string): string[] => (fieldsOf(path)?.[key] as string[] | undefined) ?? []
  return {
    paths: Object.keys(specsByPath),
    typeOf: (path: string) => fieldsOf(path)?.typeName as string | undefined,
    /** An attribute's value: interpolated at a time code if it has samples, otherwise its default. */
    value<T>(path: string, timeCode?: number): T | undefined {
      const fields = fieldsOf(path)
      const samples = fields?.timeSamples as Samples | undefined
      if (timeCode !== undefined && samples && samples.times.length > 0) {
        return sampled(samples, timeCode, isQuaternion(fields!.typeName as string)) as T
      }
      return fields?.default as T | undefined
    },
    isAnimated: (path: string) => fieldsOf(path)?.timeSamples !== undefined,
    field: <T>(path: string, name: string) => fieldsOf(path)?.[name] as T | undefined,
    /** The prim and property that an attribute is connected to. */
    connection(path: string): { prim: string; property: string } | undefined {
      const [first] = targets(path, 'connectionPaths')
      const dot = first?.indexOf('.') ?? -1
      return dot < 0 ? undefined : { prim: first!.slice(0, dot), property: first!.slice(dot + 1) }
    },
    targets: (path: string) => targets(path, 'targetPaths'),
  }
}
/** Merges the selected variants of variant sets ("/Root/{set=name}/Box") into their prims, as weaker opinions. */
function selected(specs: Specs): Specs {
  const chosen = { ...specs }
  for (const [path, spec] of Object.entries(specs)) {
    const [whole, prim, set, name] = /^(.*?)\/?\{(.+?)=(.*?)\}/.exec(path) ?? []
    if (whole === undefined || !name) continue
    const selection = specs[prim!]?.fields.variantSelection as Record<string, string> | undefined
    const place = prim! + path.slice(whole.length)
    if (selection?.[set!] === name && place !== prim) {
      chosen[place] = { ...spec, fields: { ...spec.fields, ...specs[place]?.fields } }
    }
  }
  return chosen
}

export type Stage = ReturnType<typeof readStage>

const isQuaternion = (typeName: string | undefined) => typeName?.startsWith('quat') === true

/** UsdStage's linear interpolation; slerp for quaternions. Values that are not numbers are held. */
function sampled({ times, values }: Samples, at: number, quaternion: boolean): unknown {
  const last = times.length - 1
  if (at <= times[0]!) return values[0]
  if (at >= times[last]!) return values[last]
  let after = 1
  while (times[after]! < at) after++
  const share = (at - times[after - 1]!) / (times[after]! - times[after - 1]!)
  const [from, to] = [values[after - 1], values[after]]
  if (typeof from === 'number') return from + share * ((to as number) - from)
  if (!isNumbers(from) || !isNumbers(to)) return from
  const out = Float64Array.from(from, (value, i) => value + share * (to[i]! - value))
  if (quaternion) for (let i = 0; i < out.length; i += 4) turn(out, from, to, i, share)
  return out
}

const isNumbers = (value: unknown): value is ArrayLike<number> =>
  ArrayBuffer.isView(value) || (Array.isArray(value) && typeof value[0] === 'number')

/** Spherical interpolation (GfSlerp) of one quaternion in arrays of them. */
function turn(out: Float64Array, from: ArrayLike<number>, to: ArrayLike<number>, i: number, share: number): void {
  let dot = 0
  for (let k = 0; k < 4; k++) dot += from[i + k]! * to[i + k]!
  const sign = dot < 0 ? -1 : 1
  const angle = Math.acos(Math.min(1, Math.abs(dot)))
  if (angle < 1e-6) return
  const [a, b] = [Math.sin((1 - share) * angle) / Math.sin(angle), (sign * Math.sin(share * angle)) / Math.sin(angle)]
  for (let k = 0; k < 4; k++) out[i + k] = a * from[i + k]! + b * to[i + k]!
}
