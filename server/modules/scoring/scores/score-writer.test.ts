import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { UnknownOutcome } from './score-connections.ts'
import type { ScoreItem, ScoreResult } from './score-repository.ts'
import { scoreWriter } from './score-writer.ts'

const item = (playerId: string, score: number): ScoreItem => ({ appId: 'app', sessionId: 'session', playerId, score })
const items = (count: number, from = 0) => Array.from({ length: count }, (_, i) => item(`player ${from + i}`, i))

/** A database that responds on demand and records its statements. */
function controlled() {
  const sent: ScoreItem[][] = []
  const open: { answer: () => void; fail: (error: unknown) => void }[] = []
  /** The result has the score as its name, to identify it. */
  const resultOf = ({ score }: ScoreItem) => ({ outcome: 'ok', displayName: String(score) }) as ScoreResult
  const saveGroup = (group: ScoreItem[]) => {
    sent.push(group)
    return new Promise<ScoreResult[]>((resolve, reject) =>
      open.push({ answer: () => resolve(group.map(resultOf)), fail: reject }),
    )
  }
  const save = async (one: ScoreItem) => (await saveGroup([one]))[0]!
  /** Answers what is under way, and what that sets off, until nothing is. */
  const answerAll = async () => {
    while (open.length > 0) {
      for (const { answer } of open.splice(0)) answer()
      await new Promise(setImmediate)
    }
  }
  return { sent, open, save, saveGroup, answerAll }
}

describe('the score writer', () => {
  test('sends at once while a lane is free, and together what came while none was', async () => {
    const database = controlled()
    const writer = scoreWriter(database)
    const answers = Promise.all(items(20).map(writer.save))
    expect(database.sent.map((group) => group.length)).toEqual([1, 1])
    await database.answerAll()
    expect(database.sent.map((group) => group.length)).toEqual([1, 1, 18])
    expect((await answers).map((result) => result.displayName)).toEqual(items(20).map(({ score }) => String(score)))
  })

  test('keeps a group within its limit and the lanes within their number', async () => {
    const database = controlled()
    const writer = scoreWriter({ ...database, lanes: 3, groupLimit: 10 })
    const answers = Promise.all(items(60).map(writer.save))
    expect(database.open).toHaveLength(3)
    await database.answerAll()
    await answers
    expect(Math.max(...database.sent.map((group) => group.length))).toBe(10)
    expect(database.sent.flat()).toHaveLength(60)
  })

  test('puts a player into a group once, and keeps the order of its scores', async () => {
    const database = controlled()
    const writer = scoreWriter({ ...database, lanes: 1 })
    const answers = Promise.all(
      [item('busy', 0), item('ada', 1), item('ada', 2), item('bob', 3), item('ada', 4)].map(writer.save),
    )
    await database.answerAll()
    await answers
    expect(database.sent.map((group) => group.map(({ score }) => score))).toEqual([[0], [1, 3], [2], [4]])
  })

  test('repeats the items of a refused group one by one, so that an invalid one does not affect the others', async () => {
    const database = controlled()
    const bad = new pg.DatabaseError('violates a check', 0, 'error')
    const save = (one: ScoreItem) => (one.score === 2 ? Promise.reject(bad) : database.save(one))
    const writer = scoreWriter({ ...database, save, lanes: 1 })
    const first = writer.save(item('first', 9))
    const answers = Promise.allSettled(items(4).map(writer.save))
    database.open.splice(0)[0]!.answer()
    await first
    await new Promise(setImmediate)
    database.open.splice(0)[0]!.fail(bad)
    await new Promise(setImmediate)
    await database.answerAll()
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(database.sent.map((group) => group.length)).toEqual([1, 4, 1, 1, 1])
  })

  test('does not repeat a group of unknown outcome: each of its items is unknown', async () => {
    const database = controlled()
    const writer = scoreWriter({ ...database, lanes: 1 })
    const first = writer.save(item('first', 9))
    const answers = Promise.allSettled(items(3).map(writer.save))
    database.open.splice(0)[0]!.answer()
    await first
    await new Promise(setImmediate)
    const unknown = new UnknownOutcome(new Error('socket closed'))
    database.open.splice(0)[0]!.fail(unknown)
    expect(await answers).toEqual(Array(3).fill({ status: 'rejected', reason: unknown }))
    expect(database.sent).toHaveLength(2)
    const after = writer.save(item('after', 1))
    await database.answerAll()
    expect((await after).outcome).toBe('ok')
  })
})
