import { attempt } from './attempt.ts'
import { mutants } from './mutants.ts'
import { seeds } from './seeds.ts'

/** A request of the parent: the number and seed of a mutant. */
export type Task = { seed: number; index: number }
/** The result. `fault` should never occur; the memory is the peak of this process, in megabytes. */
export type Outcome = { index: number; name: string; kind: string; seconds: number; megabytes: number; fault?: string }

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
