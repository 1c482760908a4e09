import { parseArgs } from 'node:util'
import { mutants } from '../../../usdz/test/fuzz/mutants.ts'
import { seeds } from '../../../usdz/test/fuzz/seeds.ts'
import { formOf } from '../multipart.ts'
import { type Answer, type Service, startService } from '../service.ts'

const usage = `Sends damaged models to a service of its own and looks at what it answers.

  node server/test/content/hostile-models.ts [--count 10000] [--from 0] [--seed 1] [--lanes 6]
`

export type Outcome = {
  /** The number of responses of each kind. */
  counts: Record<string, number>
  /** Unexpected responses, with their request. */
  wrong: { index: number; name: string; answer: unknown }[]
  /** Maximum and initial memory of this process, in megabytes. */
  megabytes: { before: number; most: number }
}

type Options = { count: number; from?: number; seed?: number; lanes?: number; onProgress?: (done: number) => void }

/** Sends that many damaged models to POST /api/upload/convert, several at a time. */
export async function sendMutants(service: Service, options: Options): Promise<Outcome> {
  const { count, from = 0, seed = 1, lanes = 6, onProgress = () => {} } = options
  const mutantAt = mutants(await seeds(), seed)
  const megabytes = () => process.memoryUsage().rss / 1e6
  const outcome: Outcome = { counts: {}, wrong: [], megabytes: { before: megabytes(), most: 0 } }
  let next = from
  const lane = async () => {
    while (next < from + count) {
      const index = next++
      const { glb, name } = mutantAt(index)
      const extension = /PLY|OBJ|STL/.exec(name)?.[0] ?? 'glb'
      const form = formOf({ name: `model.${extension.toLowerCase()}`, bytes: glb })
      const answer = await service.anonymous.post('/api/upload/convert', form)
      const kind = kindOf(answer)
      if (!kind) outcome.wrong.push({ index, name, answer: { status: answer.status, body: answer.body } })
      outcome.counts[kind ?? 'wrong'] = (outcome.counts[kind ?? 'wrong'] ?? 0) + 1
      outcome.megabytes.most = Math.max(outcome.megabytes.most, megabytes())
      if ((index + 1 - from) % 1000 === 0) onProgress(index + 1 - from)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return outcome
}

/** @returns undefined for an unexpected response. Expected are 200 with a result, a reason or in progress, or 400 with a reason; a crashed process is not. */
function kindOf({ status, body }: Answer): string | undefined {
  const isReason = (text: unknown) => typeof text === 'string' && text.length > 10
  if (status === 400 && isReason(body.error)) return '400 with the reason'
  if (status !== 200) return undefined
  if (body.convertedFile) return 'converted'
  if (body.status === 'FAILED')
    return isReason(body.error) && !/the converter failed/.test(body.error) ? 'kept, FAILED with the reason' : undefined
  return body.status === 'PENDING' || body.status === 'PROCESSING' ? 'still converting' : undefined
}

async function main() {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '10000' },
      from: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      lanes: { type: 'string', default: '6' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return void process.stdout.write(usage)
  const { setup } = await import('../runner/postgres.ts')
  const teardown = await setup()
  const service = await startService()
  try {
    const { wrong, ...summary } = await sendMutants(service, {
      count: Number(values.count),
      from: Number(values.from),
      seed: Number(values.seed),
      lanes: Number(values.lanes),
      onProgress: (done) => console.error(`${done} sent`),
    })
    console.log(JSON.stringify({ ...summary, wrong: wrong.slice(0, 20) }, null, 2))
    if (wrong.length > 0) process.exitCode = 1
  } finally {
    await service.stop()
    await teardown()
  }
}

if (import.meta.main) await main()
