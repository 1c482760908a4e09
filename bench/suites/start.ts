import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbeddedDatabase } from '../../server/platform/database/embedded/embedded-database.ts'
import { newFolder, startProcess } from '../../server/test/process.ts'
import { postmasterOf } from '../databases/postmaster.ts'
import { cpuSecondsOf } from '../measure/process-cpu.ts'
import { memoryOf } from '../measure/process-memory.ts'
import type { Comparison } from '../record/comparison.ts'

const ROUNDS = 3
/** After a start, loading and garbage collection continue for a while: measure memory first, then CPU after a minute. */
const IDLE_MS = 10_000
const SETTLED_MS = 60_000
const WATCHED_SECONDS = 30

type Started = { seconds: number; cpuSeconds: number }

/**
 * The service as `npm start` runs it, until /readyz returns 200: the first start ever (nothing compiled, no database) and a
 * later one, compared with the same starts of its PostgreSQL alone, which is the minimum; and its idle memory and CPU.
 * Medians of three.
 */
export async function benchStart(): Promise<Comparison[]> {
  const first: Started[] = []
  const warm: Started[] = []
  const bare: { first: number; warm: number }[] = []
  const memory: { service: number; database: number }[] = []
  let idleCpu = 0
  for (let round = 0; round < ROUNDS; round++) {
    const folder = await newFolder()
    try {
      const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
      first.push(await started(folder, compiled))
      warm.push(
        await started(folder, compiled, async (pid, postmaster) => {
          if (round > 0) return
          await sleep(IDLE_MS)
          memory.push({ service: (await memoryOf(pid)).own, database: (await memoryOf(postmaster)).whole })
          await sleep(SETTLED_MS)
          const before = await cpuSecondsOf(pid)
          await sleep(WATCHED_SECONDS * 1000)
          idleCpu = (((await cpuSecondsOf(pid)) - before) * 1000) / WATCHED_SECONDS
        }),
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    bare.push(await bareStarts())
  }
  const compared = (name: string, all: Started[], peer: number, target: string): Comparison => {
    const ours = all.toSorted((a, b) => a.seconds - b.seconds)[ROUNDS >> 1]!
    return { name: `${name} / PostgreSQL alone`, ours, peer: { seconds: peer }, ratio: ours.seconds / peer, target }
  }
  const median = (all: number[]) => all.toSorted((a, b) => a - b)[ROUNDS >> 1]!
  const { service, database } = memory[0]!
  return [
    compared('start, warm', warm, median(bare.map((one) => one.warm)), '≤ 1 s'),
    compared('start, first ever', first, median(bare.map((one) => one.first)), '≤ 3 s'),
    {
      name: 'idle memory with the database / 250 MB',
      ours: { megabytes: service + database, ofTheService: service, ofTheDatabase: database },
      peer: { megabytes: 250 },
      ratio: (service + database) / 250,
      target: 'at most 1',
    },
    {
      name: 'idle CPU with the database / 15 ms a second',
      ours: { millisecondsASecond: idleCpu },
      peer: { millisecondsASecond: 15 },
      ratio: idleCpu / 15,
      target: 'at most 1',
    },
  ]
}

async function started(
  folder: string,
  settings: Record<string, string>,
  then: (pid: number, postmaster: number) => Promise<void> = async () => {},
): Promise<Started> {
  const began = performance.now()
  const service = await startProcess(folder, { settings: { ...settings, CAIRN_DRAIN_SECONDS: '0' } })
  while (!(await fetch(`${service.url}/readyz`)).ok) await sleep(5)
  const seconds = (performance.now() - began) / 1000
  const pid = service.child.pid!
  try {
    const postmaster = await postmasterOf((await openEmbeddedDatabase({ dataDir: folder })).url)
    // Including its PostgreSQL.
    const cpuSeconds = await cpuSecondsOf(pid)
    await then(pid, postmaster)
    return { seconds, cpuSeconds }
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
  }
}

/** Creates and starts PostgreSQL, then starts it again. */
async function bareStarts() {
  const folder = await newFolder()
  const seconds = async () => {
    const began = performance.now()
    const box = await openEmbeddedDatabase({ dataDir: folder })
    const took = (performance.now() - began) / 1000
    await box.stop()
    return took
  }
  try {
    return { first: await seconds(), warm: await seconds() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
