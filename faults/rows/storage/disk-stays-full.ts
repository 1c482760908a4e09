import { setTimeout as sleep } from 'node:timers/promises'
import { checkRanks } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { seconds } from '../../figures.ts'
import { smallDisk } from '../../injection/disk.ts'
import { type Client, expectStatus } from '../../load/client.ts'
import { openGame } from '../../load/game.ts'
import { startWriters } from '../../load/writers.ts'
import { untilReady } from '../../machines/service.ts'
import { createFindings, type Findings, type Row } from '../../row.ts'
import { openEmbeddedSite } from '../../sites/embedded-site.ts'

const MB = 2 ** 20
/** More than the ballast frees, so the disk stays nearly full. */
const RESERVE = 80 * MB
/** The database ballast is created within ten seconds. */
const BALLAST_MS = 15_000

/** F6: the disk of the database stays full. */
export const diskStaysFull: Row = {
  id: 'F6',
  title: 'Disk of the database that stays full',
  isLong: true,
  async run(context) {
    const { times, after, say } = context
    const wrong = createFindings()
    const disk = await smallDisk(600 * MB)
    after(disk.remove)
    const settings = { CAIRN_DATABASE_RESERVE_BYTES: String(RESERVE) }
    const site = await openEmbeddedSite(context, settings, { folder: await disk.newFolder() })
    const { client } = site
    const game = await openGame(client, await site.token())
    const recorder = createWriteRecorder()
    const recoveries: number[] = []
    const statuses: Record<number, number> = {}
    const rounds = times(1, 2, 5)

    for (let round = 1; round <= rounds; round++) {
      await sleep(BALLAST_MS)
      const load = startWriters({ client, game, recorder, repeats: 0 })
      const spare = await expectStatus(client.send(newPlayer(game.key, `Spare ${round}`)))
      await disk.fill()
      // PostgreSQL has no space for its WAL and is then killed, as by the OOM killer.
      const startedAt = performance.now()
      const pid = site.databasePid()
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      await untilReady(site.service().url)
      recoveries.push(performance.now() - startedAt)
      await sleep(2000)
      await mustGoOn(client, game.key, spare.body.id, wrong)
      const figures = await load.stop()
      for (const [status, count] of Object.entries(figures.statuses))
        statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count
      if (figures.malformed > 0) wrong.add('5xx without {error}', String(figures.malformed))
      await disk.relieve()
      await sleep(1500)
      const again = await client.send(newPlayer(game.key, `Room again ${round}`))
      if (again.status !== 200) wrong.add('a write failed after space was freed', String(again.status))
      await recorder.check(site.sql, game.appId, wrong)
      say(`${round} of ${rounds}: ${JSON.stringify(statuses)}, ${wrong.any ? wrong.text() : 'no fault so far'}`)
    }
    await checkRanks([client], site.sql, game, wrong)
    for (const status of Object.keys(statuses))
      if (!/^(0|2..|503|507)$/.test(status)) wrong.add(`answered ${status}`, String(statuses[Number(status)]))
    if (!statuses[507]) wrong.add('no write was refused for the reserve')
    return {
      what: 'the data folder on a disk of 600 MB that is filled to the last byte under 16 writers and stays full; the bundled PostgreSQL is killed on it',
      count: `${rounds} times full, ${recorder.count} acknowledged, statuses ${JSON.stringify(statuses)}`,
      criterion:
        'PostgreSQL recovers without intervention while the disk is still full; reads 200, writes 507 {error}, a deletion 2xx; 0 acknowledged writes lost, ranks correct; writes accepted again once there is room',
      seen: `${wrong.any ? wrong.text() : 'all correct'}; recovered after ${recoveries.map(seconds).join(', ')}`,
      passed: !wrong.any,
    }
  },
}

const PLAYERS = '/api/v1/apps/players'
const headersOf = (key: string) => ({ 'x-app-api-key': key })
const newPlayer = (key: string, displayName: string) => ({
  method: 'POST',
  path: PLAYERS,
  headers: headersOf(key),
  body: { displayName },
})

/** While the disk is full, reads and deletions succeed and writes fail with the reason. */
async function mustGoOn(client: Client, key: string, spare: string, wrong: Findings): Promise<void> {
  const headers = headersOf(key)
  const read = await client.send({ method: 'GET', path: PLAYERS, headers })
  if (read.status !== 200) wrong.add('a read failed', String(read.status))
  const write = await client.send(newPlayer(key, 'Too much'))
  if (write.status !== 507) wrong.add('a write was not refused with 507', String(write.status))
  const gone = await client.send({ method: 'DELETE', path: `${PLAYERS}/${spare}`, headers })
  if (gone.status >= 300 || gone.status === 0) wrong.add('a deletion failed', String(gone.status))
}
