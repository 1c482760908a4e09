import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { expect } from 'vitest'
import { readBoard } from '../../modules/scoring/ranks/memory/board-loader.ts'
import { rankIndexCache } from '../../modules/scoring/ranks/memory/rank-index-cache.ts'
import { scoreApplication, scoreConnections } from '../../modules/scoring/scores/score-connections.ts'
import { scoreRepository } from '../../modules/scoring/scores/score-repository.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'

const readerOf = (db: Database) => (app: string, type: string) => readBoard(db.pool, app, type)

/** The modules that write scores and maintain ranks, wired as in the service, and their open connections.
 * @param read how boards are read, by default from `db` */
export function openScoreParts(url: string, db: Database, timeoutMs?: number, read = readerOf(db), maxBytes?: number) {
  const applicationName = scoreApplication + randomUUID()
  const scores = openDatabase({ url, applicationName, max: 30 })
  const open = new Set<pg.PoolClient>()
  scores.pool.on('connect', (client) => open.add(client))
  scores.pool.on('remove', (client) => open.delete(client))
  const connections = scoreConnections({ pool: scores.pool, applicationName, timeoutMs })
  const errors: unknown[] = []
  const boards = rankIndexCache({
    fence: connections.fence,
    read,
    onError: (error) => errors.push(error),
    ...(maxBytes && { maxBytes }),
  })
  return { scores, open, connections, boards, calls: scoreRepository({ connections, boards }), errors, applicationName }
}

/** The content of the loaded boards, in the form of `boardsInSql`. */
export function boardsInMemory(boards: ReturnType<typeof rankIndexCache>, app: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { appId, boardKey, board } of boards.loaded()) {
    if (appId !== app) continue
    expect(board.index!.owed).toBe(0)
    for (const block of board.index!.inspect()) {
      for (const key of block.keys) counts.set(`${boardKey} ${key}`, (counts.get(`${boardKey} ${key}`) ?? 0) + 1)
    }
  }
  return counts
}
