import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Service, startSecondService, startService } from '../service.ts'

/** A coordinator and two serving processes, each simulated in this process: they share sockets and the database only. */
export async function severalProcesses(settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-several-'))
  const coordinator = await startService(settings, undefined, undefined, undefined, {
    part: 'coordinator',
    name: 'coordinator',
    folder,
  })
  const serving: Service[] = []
  for (const name of ['1', '2'])
    serving.push(
      await startSecondService(coordinator, { ...settings, CAIRN_ROLE: 'api' }, { part: 'serving', name, folder }),
    )
  const [one, other] = serving as [Service, Service]
  return {
    one,
    other,
    /** A metric of one process, as any of them reports it. */
    async metric(name: string, process: string): Promise<number> {
      const { body } = await one.anonymous.get('/metrics')
      return Number(new RegExp(`^${name}\\{process="${process}"[^}]*\\} (\\S+)$`, 'm').exec(String(body))?.[1])
    },
    async stop(): Promise<void> {
      for (const service of [one, other, coordinator]) await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
