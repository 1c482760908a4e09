import { rm } from 'node:fs/promises'
import { openEmbeddedDatabase } from '../../server/platform/database/embedded/embedded-database.ts'
import { newFolder, startProcess } from '../../server/test/process.ts'
import { postmasterOf } from '../databases/postmaster.ts'
import { interleaved } from '../load/interleaved.ts'
import { serviceCpu } from '../measure/service-cpu.ts'
import type { Comparison } from '../record/comparison.ts'
import { closedLoad } from './load.ts'
import { mixedOperations } from './operations.ts'
import { withoutLimits } from './without-limits.ts'
import { makeWorld, sizesFor } from './world.ts'

const CLIENTS = 32
const WARM_UP_SECONDS = 40

/** Players of worlds of about 100,000 and of 10 million rows. */
const [few, many] = [14_000, 1_385_000]

/** Measures the mix with 10 million rows beside that with 100,000, alternately, each on a service and a database of its own. */
export async function benchMixedGrowth(ms = 20_000): Promise<Comparison[]> {
  const folders = [await newFolder(), await newFolder()] as const
  const small = await startWorld(folders[0], few)
  const large = await startWorld(folders[1], many)
  try {
    const { smaller, larger } = await interleaved({ smaller: small.load, larger: large.load }, { ms })
    return [
      {
        name: 'mix, 10 million rows / 100,000 rows: requests a second',
        ours: larger!,
        peer: smaller!,
        ratio: larger!.perSecond / smaller!.perSecond,
        target: '≥ 0.8',
      },
    ]
  } finally {
    for (const { stop } of [small, large]) await stop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }
}

async function startWorld(folder: string, players: number) {
  const world = await makeWorld(folder, sizesFor(players))
  console.error(`  data of ${players} players inserted`)
  const service = await startProcess(folder, { settings: withoutLimits })
  const { url } = await openEmbeddedDatabase({ dataDir: folder })
  const [pid, postmaster] = [service.child.pid!, await postmasterOf(url)]
  const operations = mixedOperations(service.url, world)
  await closedLoad(operations, CLIENTS, WARM_UP_SECONDS)
  return {
    async load(ms: number) {
      const before = await serviceCpu(pid, postmaster)
      const { perSecond, errors, firstErrors, all } = await closedLoad(operations, CLIENTS, ms / 1000)
      if (errors > 0) throw new Error(`${errors} requests failed: ${firstErrors[0]}`)
      const after = await serviceCpu(pid, postmaster)
      return {
        perSecond,
        seconds: ms / 1000,
        p50Ms: all.p50Ms,
        p99Ms: all.p99Ms,
        serviceMicroseconds: (after.service - before.service) / all.count,
        postgresMicroseconds: (after.postgres - before.postgres) / all.count,
      }
    },
    async stop() {
      service.child.kill('SIGTERM')
      await service.ended
    },
  }
}
