import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { attempt } from './attempt.ts'
import { coverage } from './coverage.ts'
import { mutate } from './mutants.ts'
import { pick, randomFrom } from './random.ts'
import { seeds } from './seeds.ts'

const usage = `Damages models and goes on with those that reach code no model reached before.

  node usdz/test/fuzz/guided.ts [--minutes 10] [--seed 1] [--out folder]

--out    where each model is written before it is converted, and kept when it goes wrong
`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: 'fuzz-out' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  mkdirSync(values.out, { recursive: true })
  const random = randomFrom(Number(values.seed))
  const corpus = await seeds()
  const newBlocks = await coverage()
  let blocks = 0
  for (const { glb } of corpus) {
    await attempt(glb)
    blocks += await newBlocks()
  }
  const [sound, end] = [corpus.length, performance.now() + Number(values.minutes) * 60_000]
  process.stdout.write(`${sound} models reach ${blocks} blocks\n`)

  const wrong = new Map<string, string>()
  let tried = 0
  let told = performance.now()
  while (performance.now() < end) {
    // The latest finds are near new code.
    const from = random(2) === 0 ? corpus.slice(-40) : corpus
    const parent = pick(from, random)
    const glb = mutate(parent.glb, random)
    // Stored first, in case it ends the process.
    writeFileSync(join(values.out, 'last.glb'), glb)
    const start = performance.now()
    const { kind, fault } = await attempt(glb)
    const seconds = (performance.now() - start) / 1000
    tried++
    const trouble = fault ?? (seconds > 10 ? `${seconds} s` : undefined)
    if (trouble) {
      const where = trouble.split('\n').slice(0, 3).join(' ')
      if (!wrong.has(where)) writeFileSync(join(values.out, `wrong-${wrong.size}.glb`), glb)
      if (!wrong.has(where)) process.stdout.write(`WRONG ${kind} ${parent.name}: ${trouble}\n`)
      wrong.set(where, trouble)
    }
    const found = await newBlocks()
    blocks += found
    if (found > 0 && glb.length < 1_000_000) corpus.push({ name: parent.name, glb })
    if (performance.now() - told < 30_000) continue
    told = performance.now()
    const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
    process.stdout.write(`${tried} tried, ${corpus.length - sound} kept, ${blocks} blocks, ${megabytes} MB\n`)
  }
  process.stdout.write(
    `${tried} tried, ${corpus.length - sound} kept, ${blocks} blocks, ${wrong.size} kinds of wrong\n`,
  )
  return wrong.size > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = await main()
