import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDatabase } from '../../../server/test/processes/new-database.ts'
import { runCommand } from '../../../server/test/run-command.ts'
import type { Client } from '../../load/client.ts'
import { type Game, openGame } from '../../load/game.ts'
import { everyUpload } from '../../load/upload-kinds.ts'
import { createFindings, type Row } from '../../row.ts'
import { sqlAt } from '../../sites/sql.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

/** F15: the contents of a backup made while clients write. */
export const backupUnderLoad: Row = {
  id: 'F15',
  title: 'Backup under load, restored into an empty database',
  isLong: true,
  async run(context) {
    const { times, after, say } = context
    const wrong = createFindings()
    const site = await openTopologySite(context, { apis: 2, redis: true })
    const { processes } = site
    const token = await site.token()
    const game = await openGame(processes[0]!, token)
    const folder = await mkdtemp(join(tmpdir(), 'cairn-backup-'))
    after(() => rm(folder, { recursive: true, force: true }))
    const settings = await site.settingsOf(0)
    const rounds = times(1, 2, 10)
    let written = 0
    for (let round = 1; round <= rounds; round++) {
      const writers = climb(processes, game, round * 1_000_000)
      const uploading = uploadOn(processes, game)
      await sleep(times(500, 3000, 10_000))
      const before = writers.acknowledged()
      const file = join(folder, `${round}.tar`)
      const backup = await runCommand(['backup', file], settings)
      const later = writers.sent()
      await Promise.all([writers.stop(), uploading.stop()])
      written += writers.count()
      if (backup.code !== 0) throw new Error(`no backup: ${backup.err}`)

      const database = await newDatabase(site.postgres.url)
      const dataDir = await mkdtemp(join(folder, 'restored-'))
      const elsewhere = {
        CAIRN_DATABASE_URL: database.url,
        CAIRN_DATA_DIR: dataDir,
        CAIRN_SECRET: settings.CAIRN_SECRET!,
      }
      try {
        for (const words of [
          ['restore', file],
          ['files', 'check', '--hashes'],
          ['rebuild-ranks', '--check'],
        ]) {
          const { code, out, err } = await runCommand(words, elsewhere)
          if (code !== 0) wrong.add(`${words[0]} failed`, `${err} ${out}`.slice(0, 300))
        }
        const rows = await sqlAt(database.url)<{ player_id: string; score: number }>(
          'select player_id, score from session_players where session_id = $1',
          [game.sessions[0]!.id],
        )
        const restored = new Map(rows.map(({ player_id, score }) => [player_id, score]))
        for (const player of game.players) {
          const [score, least, most] = [restored.get(player), before.get(player) ?? 0, later.get(player) ?? 0]
          if (score === undefined || score < least)
            wrong.add('acknowledged before the backup, but not in it', `${score} < ${least}`)
          else if (score > most) wrong.add('in the backup, and sent after it', `${score} > ${most}`)
        }
      } finally {
        await database.drop()
      }
      say(`${round} of ${rounds}: ${wrong.any ? wrong.text() : 'right'}`)
    }
    return {
      what: 'a backup while the scores of all players increase at two processes and files are uploaded in every way; restored into an empty database and folder',
      count: `${rounds} backups, ${written} scores acknowledged`,
      criterion:
        'it has everything acknowledged before its start and nothing sent after its end; every file has its hash, ranks match the scores',
      seen: wrong.any ? wrong.text() : 'complete, and nothing else',
      passed: !wrong.any && written > 0,
    }
  },
}

/** Writes rising scores for each player, from `first` on, until stopped. */
function climb(processes: Client[], game: Game, first: number) {
  let isRunning = true
  let count = 0
  const [sent, acknowledged] = [new Map<string, number>(), new Map<string, number>()]
  const headers = { 'x-app-api-key': game.key }
  const working = game.players.slice(0, 8).map(async (player, at) => {
    const path = `/api/v1/apps/game-sessions/${game.sessions[0]!.id}/players/${player}`
    for (let score = first; isRunning; score++) {
      sent.set(player, score)
      const { status } = await processes[at % processes.length]!.send({
        method: 'PATCH',
        path,
        headers,
        body: { score },
      })
      if (status !== 200) continue
      acknowledged.set(player, score)
      count++
    }
  })
  return {
    sent: () => new Map(sent),
    acknowledged: () => new Map(acknowledged),
    count: () => count,
    stop: async () => {
      isRunning = false
      await Promise.all(working)
    },
  }
}

/** Uploads through every endpoint repeatedly until stopped. */
function uploadOn(processes: Client[], game: Game) {
  let isRunning = true
  const working = (async () => {
    const uploads = await everyUpload(processes[0]!, game)
    while (isRunning) for (const { send } of uploads) await send()
  })()
  return {
    stop: () => {
      isRunning = false
      return working
    },
  }
}
