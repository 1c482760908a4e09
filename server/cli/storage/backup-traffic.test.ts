// @module-tag long
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { elsewhere, PUBLIC, SECRET } from '../../test/processes/restore-target.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { appUrl, makeSession, playSession } from '../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

// Each command is a process, which takes seconds to start on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const CLIENTS = Number(process.env.CAIRN_TEST_CLIENTS ?? 8)
const SCANS = '/api/v1/user/scans'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService({ CAIRN_PUBLIC_URL: PUBLIC })
  folder = await mkdtemp(join(tmpdir(), 'cairn-backup-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

/** Acknowledged writes by time: the player's last score, and the scans with their bytes until their deletion was requested. */
type Acknowledged = { score: number; scans: Map<string, Buffer> }

/** Writes increasing scores of one player, and creates and deletes scans, until it is stopped. */
async function work(
  app: Caller,
  user: Caller,
  scorePath: string,
  acknowledged: Acknowledged,
  isOver: () => boolean,
): Promise<void> {
  for (let turn = 1; !isOver(); turn++) {
    expect((await app.patch(scorePath, { score: turn })).status).toBe(200)
    acknowledged.score = turn
    const bytes = randomBytes(20_000)
    const form = new FormData()
    form.set('file', new Blob([bytes]), 'capture.bin')
    const sent = await user.post(SCANS, form)
    expect(sent.status).toBe(201)
    acknowledged.scans.set(sent.body.id, bytes)
    const oldest = [...acknowledged.scans.keys()][0]!
    if (turn % 2 === 0) {
      acknowledged.scans.delete(oldest)
      expect((await user.delete(`${SCANS}/${oldest}`)).status).toBe(204)
    }
  }
}

test('a backup during writes is consistent: it has everything acknowledged before its start and not deleted before its end', async () => {
  const given = buildersOn(service)
  const app = await given.app({})
  const session = await makeSession(app, {})
  const players = await playSession(given, app, session.id, Array(CLIENTS).fill(0))
  const users = await Promise.all(players.map(() => given.user({})))
  const acknowledged: Acknowledged[] = players.map(() => ({ score: 0, scans: new Map() }))
  let isOver = false
  const clients = players.map((player, at_) =>
    work(
      app,
      users[at_]!,
      appUrl(`game-sessions/${session.id}/players/${player.id}`),
      acknowledged[at_]!,
      () => isOver,
    ),
  )
  const working = Promise.all(clients)
  await Promise.race([sleep(3000), working])

  const before = acknowledged.map(({ score, scans }) => ({ score, scans: new Map(scans) }))
  const file = join(folder, 'all.tar')
  expect(await runCommandOn(service, ['backup', file])).toMatchObject({ code: 0, err: '' })
  const after = acknowledged.map(({ score, scans }) => ({ score, scans: new Map(scans) }))
  isOver = true
  await working
  expect(after.filter(({ score }, i) => score > before[i]!.score).length).toBeGreaterThan(CLIENTS / 2)

  const other = await elsewhere(service)
  try {
    const secret = { CAIRN_SECRET: SECRET }
    expect(await other.restore([file], secret)).toMatchObject({ code: 0, err: '' })
    expect(await other.run(['files', 'check', '--hashes'], secret)).toMatchObject({ code: 0 })
    expect(await other.run(['rebuild-ranks', '--check'], secret)).toMatchObject({ code: 0 })
    const restored = await other.start()
    try {
      for (const [i, player] of players.entries()) {
        const row = await restored.get(appUrl(`game-sessions/${session.id}/players/${player.id}`), app.headers)
        expect(row.body.score).toBeGreaterThanOrEqual(before[i]!.score)
        expect(row.body.score).toBeLessThanOrEqual(after[i]!.score + 1)
        for (const [id, bytes] of before[i]!.scans) {
          if (!after[i]!.scans.has(id)) continue
          const scan = await restored.get(`${SCANS}/${id}`, users[i]!.headers)
          expect(scan.status).toBe(200)
          const address = new URL(scan.body.scanUrl)
          const there = await fetch(restored.address + address.pathname + address.search)
          expect(Buffer.from(await there.arrayBuffer())).toEqual(bytes)
        }
      }
    } finally {
      await restored.stop()
    }
  } finally {
    await other.drop()
  }
})
