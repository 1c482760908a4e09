import { rm, writeFile } from 'node:fs/promises'
import { openEmbeddedDatabase } from '../../server/platform/database/embedded/embedded-database.ts'
import { newFolder, ROOT, startProcess } from '../../server/test/process.ts'
import { postmasterOf } from '../databases/postmaster.ts'
import { serviceCpu } from '../measure/service-cpu.ts'
import { type Share, sharesOf } from './cpu-profile.ts'
import { openInspector } from './inspector.ts'
import { closedLoad, type Load, openLoad } from './load.ts'
import { mixedOperations } from './operations.ts'
import { type Sample, slopeOf, takeSamples } from './samples.ts'
import { withoutLimits } from './without-limits.ts'
import { makeWorld } from './world.ts'

const CLIENTS = 32
/** Share of the closed loop's rate: below saturation. */
const OPEN_SHARE = 0.6
const PROFILE_SECONDS = 15

type Heap = { heap: number; outside: number }
export type Mixed = {
  minutes: number
  closed: Load
  open: Load & { asked: number }
  /** CPU a request, from the closed loop. */
  cpu: { serviceMicroseconds: number; postgresMicroseconds: number }
  memory: {
    samples: Sample[]
    /** Growth of the resident memory in the second half, by linear regression. */
    megabytesAnHour: { service: number; database: number }
    /** Memory in use after a collection, after the warm-up and at the end. */
    heap: { before: Heap; after: Heap; megabytesAnHour: number }
  }
  profile: { functions: Share[]; packages: Share[] }
}

/**
 * Runs a mix of requests against the service as `npm start` runs it, with its own database: 100,000 players on 10 boards,
 * 200,000 pins. First at full capacity, then at a fixed rate below it.
 * @param minutes of both together, including the warm-up @param profileFile for the whole profile, for flame graphs
 */
export async function benchMixed({ minutes = 10, profileFile = '' } = {}): Promise<Mixed> {
  const folder = await newFolder()
  const world = await makeWorld(folder)
  console.error('  data inserted')
  const service = await startProcess(folder, {
    command: [process.execPath, '--inspect=127.0.0.1:0', `${ROOT}/server/main.ts`],
    settings: withoutLimits,
  })
  try {
    const { url } = await openEmbeddedDatabase({ dataDir: folder })
    const [pid, postmaster] = [service.child.pid!, await postmasterOf(url)]
    const inspector = await openInspector(service.output())
    const operations = mixedOperations(service.url, world)
    const seconds = minutes * 60

    await closedLoad(operations, CLIENTS, seconds * 0.15)
    const before = await inspector.heapAfterCollection()
    const samples = takeSamples(pid, postmaster)
    const began = performance.now()
    const first = await serviceCpu(pid, postmaster)
    const closed = await closedLoad(operations, CLIENTS, seconds * 0.4)
    const spent = await serviceCpu(pid, postmaster)
    const each = (part: 'service' | 'postgres') => (spent[part] - first[part]) / closed.all.count
    const asked = Math.round(closed.perSecond * OPEN_SHARE)
    const open = await openLoad(operations, asked, seconds * 0.4)
    const hours = (performance.now() - began) / 3_600_000
    const taken = await samples.stop()
    const after = await inspector.heapAfterCollection()
    const profile = await inspector.profileDuring(() => closedLoad(operations, CLIENTS, PROFILE_SECONDS))
    inspector.close()
    if (profileFile) await writeFile(profileFile, JSON.stringify(profile))
    return {
      minutes,
      closed,
      open: { ...open, asked },
      cpu: { serviceMicroseconds: each('service'), postgresMicroseconds: each('postgres') },
      memory: {
        samples: taken,
        megabytesAnHour: { service: slopeOf(taken, 'service'), database: slopeOf(taken, 'database') },
        heap: { before, after, megabytesAnHour: (after.heap - before.heap) / hours },
      },
      profile: sharesOf(profile),
    }
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
    await rm(folder, { recursive: true, force: true })
  }
}
