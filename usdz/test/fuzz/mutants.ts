import { putTogether, takeApart } from './glb-parts.ts'
import { mutateAnywhere, mutatePayload } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'
import { type Random, randomFrom } from './random.ts'

export type Seed = { name: string; glb: Uint8Array }
export type Mutant = { name: string; glb: Uint8Array }

/** Damaged models, deterministic for a seed and seed models: number `index` can be recreated alone. */
export function mutants(seeds: readonly Seed[], seed: number) {
  return (index: number): Mutant => {
    const random = randomFrom(seed * 1_000_003 + index)
    // Seed models in turn, so that each has its share.
    const { name, glb } = seeds[index % seeds.length]!
    return { name, glb: mutate(glb, random) }
  }
}

/** Applies one to four kinds of damage to a model. */
export function mutate(glb: Uint8Array, random: Random): Uint8Array {
  let damaged = glb
  for (let n = 1 + random(4); n > 0; n--) damaged = once(damaged, random)
  return damaged
}

function once(glb: Uint8Array, random: Random): Uint8Array {
  const parts = takeApart(glb)
  const kind = random(10)
  if (!parts || kind === 0) return mutateAnywhere(glb, random)
  if (kind < 4) return putTogether(mutatePayload(parts, random))
  return putTogether({ ...parts, text: mutateJson(parts.text, random) })
}
