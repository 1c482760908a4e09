import { ConversionError, checkPackage, convert } from '../../index.ts'
import { mutants } from './mutants.ts'
import { seeds } from './seeds.ts'

/** What the parent asks for: the mutant of a number, of a seed. */
export type Task = { seed: number; index: number }
/** What became of it. `fault` is what should never happen; the memory is the most this process ever had, in megabytes. */
export type Outcome = { index: number; name: string; kind: string; seconds: number; megabytes: number; fault?: string }

/** Low enough that a model within them is converted in a moment. */
export const limits = { triangles: 100_000, texturePixels: 4_000_000 }

/** Converts. @returns what it came to; `fault` is anything but a sound package or a ConversionError with a sentence. */
export async function attempt(glb: Uint8Array): Promise<{ kind: string; fault?: string }> {
  try {
    const { usdz } = await convert(glb, { profile: glb.length % 2 === 0 ? 'quicklook' : 'spec', limits })
    const problems = checkPackage(usdz)
    return problems.length > 0 ? { kind: 'fault', fault: JSON.stringify(problems) } : { kind: 'converted' }
  } catch (error) {
    if (error instanceof ConversionError && error.message.length > 10) return { kind: error.code }
    return { kind: 'fault', fault: error instanceof Error ? `${error.stack}` : String(error) }
  }
}

async function main(): Promise<void> {
  const models = await seeds()
  process.on('message', async ({ seed, index }: Task) => {
    const { name, glb } = mutants(models, seed)(index)
    const start = performance.now()
    const { kind, fault } = await attempt(glb)
    const seconds = (performance.now() - start) / 1000
    const megabytes = process.resourceUsage().maxRSS / 1024
    process.send!({ index, name, kind, seconds, megabytes, ...(fault && { fault }) } satisfies Outcome)
  })
  process.send!('ready')
}

if (import.meta.main) await main()
