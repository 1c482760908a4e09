import { ConversionError, type ConvertOptions, checkPackage, convert } from '../../index.ts'

/** Limits low enough that a model within them converts quickly. */
const limits = { triangles: 100_000, texturePixels: 4_000_000 }

/** Options that differ from model to model, and are the same for the same bytes. */
function optionsFor(glb: Uint8Array): ConvertOptions {
  let hash = 2_166_136_261
  for (const byte of glb) hash = Math.imul(hash ^ byte, 16_777_619) >>> 0
  const pick = <T>(...values: T[]): T => {
    const value = values[hash % values.length]!
    hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0
    return value
  }
  return defined({
    profile: pick('quicklook', 'spec', 'realitykit'),
    animations: pick(undefined, 'sequence', 'together'),
    onlyClip: pick(undefined, true),
    loop: pick(undefined, true, false),
    scale: pick(undefined, undefined, 0.01, 1000),
    maxTextureSize: pick(undefined, undefined, 16, 512),
    maxTriangles: pick(undefined, 100, 1000),
    anchor: pick(undefined, undefined, 'plane', 'face'),
    preferredIblVersion: pick(undefined, 1),
    variant: pick(...new Array<undefined>(7), 0),
    clip: pick(...new Array<undefined>(7), 0),
    label: pick(undefined, undefined, 'A "chair" \\ \u{1fa91}'),
    description: pick(undefined, undefined, 'Two\nlines'),
  })
}

const defined = (options: object): ConvertOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** Converts a model. @returns the outcome; `fault` is anything except a valid package or a ConversionError with a message. */
export async function attempt(glb: Uint8Array, options = optionsFor(glb)): Promise<{ kind: string; fault?: string }> {
  const before = glb.slice()
  try {
    const { usdz } = await convert(glb, { ...options, limits })
    const problems = checkPackage(usdz)
    if (Buffer.compare(before, glb) !== 0) return { kind: 'fault', fault: 'The bytes of the model were modified.' }
    return problems.length > 0 ? { kind: 'fault', fault: JSON.stringify(problems) } : { kind: 'converted' }
  } catch (error) {
    if (error instanceof ConversionError && error.message.length > 10) return { kind: error.code }
    return { kind: 'fault', fault: error instanceof Error ? `${error.stack}` : String(error) }
  }
}
