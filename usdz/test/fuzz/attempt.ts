import { ConversionError, checkPackage, convert } from '../../index.ts'

/** Limits low enough that a model within them converts quickly. */
const limits = { triangles: 100_000, texturePixels: 4_000_000 }

/** Converts a model. @returns the outcome; `fault` is anything except a valid package or a ConversionError with a message. */
export async function attempt(glb: Uint8Array): Promise<{ kind: string; fault?: string }> {
  const before = glb.slice()
  try {
    const { usdz } = await convert(glb, { profile: glb.length % 2 === 0 ? 'quicklook' : 'spec', limits })
    const problems = checkPackage(usdz)
    if (Buffer.compare(before, glb) !== 0) return { kind: 'fault', fault: 'The bytes of the model were modified.' }
    return problems.length > 0 ? { kind: 'fault', fault: JSON.stringify(problems) } : { kind: 'converted' }
  } catch (error) {
    if (error instanceof ConversionError && error.message.length > 10) return { kind: error.code }
    return { kind: 'fault', fault: error instanceof Error ? `${error.stack}` : String(error) }
  }
}
