import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { collector } from '../../platform/process/garbage.ts'
import { setup } from '../runner/postgres.ts'
import { inconsistencies } from './consistency.ts'
import { attack, type Failure } from './suite.ts'
import { startWorld } from './world.ts'

/**
 * Attacks the whole service with requests generated from its OpenAPI document, and reports unexpected responses.
 * `npm run attack -- --count 20000 --seed 1` reproduces a run. Exits with 1 if anything was found. Runs of 20,000 or more
 * are stored in bench/results/attack.json.
 */

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, seed: { type: 'string' } },
})
const count = Number(values.count)
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
/** Maximum growth of memory in use after a collection, relative to the first requests. Uncollected memory does not count. */
const GROWTH_MB = 50
/** Code loaded and compiled on first use does not count as growth. */
const WARM_AFTER = 1000
const KEPT_FROM = 20_000
const RESULT = fileURLToPath(new URL('../../../bench/results/attack.json', import.meta.url))

const collect = collector()
/** Memory of the service and the attacker, which share a process: in use after a collection, and resident. */
function megabytes() {
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { inUse: (heapUsed + external) / 1e6, resident: rss / 1e6 }
}

const show = ({ number, operation, faults, changes, curl }: Failure) =>
  console.log(`\n${operation}, request ${number} of seed ${seed} (${changes.join('; ') || 'unspoiled'})
  ${faults.join('\n  ')}
  ${curl}`)

console.log(`${count} requests with seed ${seed}`)
const endDatabase = await setup()
const world = await startWorld()
const began = performance.now()
const memory: ReturnType<typeof megabytes>[] = []
const outcome = await attack(world, {
  count,
  seed,
  onFailure: show,
  onProgress: (sent) => {
    if (sent % WARM_AFTER !== 0) return
    const { inUse, resident } = megabytes()
    memory.push({ inUse, resident })
    console.log(
      `${sent} sent, ${Math.round(inUse)} MB in use, ${Math.round(resident)} resident, ${Math.round(process.cpuUsage().user / 1e6)} s of CPU time`,
    )
  },
})
const broken = await inconsistencies(world.service)
await world.stop()
await endDatabase()

const rows = [...outcome.reached].map(([name, { sent, succeeded }]) => ({ name, sent, succeeded }))
const missed = rows.filter(({ sent, succeeded }) => sent > 0 && succeeded === 0)
const total = rows.reduce((sum, { succeeded }) => sum + succeeded, 0)
console.log(`\n${'answered 2xx'.padStart(13)}  operation`)
for (const { name, sent, succeeded } of rows.toSorted((a, b) => a.succeeded / a.sent - b.succeeded / b.sent))
  console.log(`${`${Math.round((100 * succeeded) / Math.max(1, sent))} %`.padStart(13)}  ${name}`)
console.log(`\n${outcome.sent} requests, ${Math.round((100 * total) / outcome.sent)} % answered 2xx, seed ${seed}`)
const ofAll = (what: 'inUse' | 'resident') => ({
  first: Math.round(memory[0]?.[what] ?? 0),
  most: Math.round(Math.max(0, ...memory.map((one) => one[what]))),
})
const [inUse, resident] = [ofAll('inUse'), ofAll('resident')]
console.log(
  `MB after ${WARM_AFTER} and at most: in use ${inUse.first}, ${inUse.most}; resident ${resident.first}, ${resident.most}`,
)
const verdicts = [
  ...(outcome.failures.length > 0 ? [`${outcome.failures.length} kinds of unexpected responses`] : []),
  ...missed.map(({ name }) => `never answered 2xx: ${name}`),
  ...broken.map((what) => `inconsistent rows: ${what}`),
  ...(inUse.most - inUse.first > GROWTH_MB ? [`grew by ${inUse.most - inUse.first} MB`] : []),
]
if (count >= KEPT_FROM) {
  const kept = {
    at: new Date().toISOString(),
    machine: `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`,
    seconds: Math.round((performance.now() - began) / 1000),
    seed,
    sent: outcome.sent,
    operations: rows.length,
    succeeded: total,
    found: verdicts,
    megabytes: { inUse, resident },
  }
  await writeFile(RESULT, `${JSON.stringify(kept, null, 2)}\n`)
}
console.log(verdicts.length === 0 ? 'Nothing found.' : verdicts.join('\n'))
process.exitCode = verdicts.length === 0 ? 0 : 1
