import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mutants } from './mutants.ts'
import { seeds } from './seeds.ts'
import { fuzz } from './watch.ts'

const usage = `Converts damaged models, each kind of damage drawn from a seed, and says which were not refused as they should.

  npm run fuzz -- [--count 10000] [--from 0] [--seed 1] [--lanes 2] [--out folder]

--out    where the models that went wrong are written
`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '10000' },
      from: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      lanes: { type: 'string', default: '2' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const [count, from, seed, lanes] = [values.count, values.from, values.seed, values.lanes].map(Number)
  const { counts, wrong, slowest } = await fuzz({
    count: count!,
    from: from!,
    seed: seed!,
    lanes: lanes!,
    onProgress: (done) => process.stderr.write(`${done} converted\n`),
  })
  const sooner = slowest.map(({ index, name, seconds }) => ({ index, name, seconds: Number(seconds.toFixed(2)) }))
  process.stdout.write(`${JSON.stringify({ counts, wrong, slowest: sooner }, null, 2)}\n`)
  if (values.out && wrong.length > 0) {
    mkdirSync(values.out, { recursive: true })
    const mutantAt = mutants(await seeds(), seed!)
    for (const { index, kind } of wrong) {
      writeFileSync(join(values.out, `${kind}-${seed}-${index}.glb`), mutantAt(index).glb)
    }
  }
  return wrong.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = await main()
