import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { groupWriter } from './group-writer.ts'

type Item = { playerId: string; score: number }
type Result = { outcome: string; displayName: string }

const item = (playerId: string, score: number): Item => ({ playerId, score })
const keyOf = ({ playerId }: Item) => playerId
const items = (count: number, from = 0) => Array.from({ length: count }, (_, i) => item(`player ${from + i}`, i))

/** A database that responds on demand and records its statements. */
function controlled() {
  const sent: Item[][] = []
  const open: { answer: () => void; fail: (error: unknown) => void }[] = []
  /** The result has the score as its name, to identify it. */
  const resultOf = ({ score }: Item) => ({ outcome: 'ok', displayName: String(score) }) as Result
  const saveGroup = (group: Item[]) => {
    sent.push(group)
    return new Promise<Result[]>((resolve, reject) =>
      open.push({ answer: () => resolve(group.map(resultOf)), fail: reject }),
    )
  }
  const save = async (one: Item) => (await saveGroup([one]))[0]!
  /** Answers what is under way, and what that sets off, until nothing is. */
  const answerAll = async () => {
    while (open.length > 0) {
      for (const { answer } of open.splice(0)) answer()
      await new Promise(setImmediate)
    }
  }
  return { keyOf, sent, open, save, saveGroup, answerAll }
}

describe('the group writer', () => {
  test('sends at once while a lane is free, and together what came while none was', async () => {
    const database = controlled()
    const writer = groupWriter(database)
    const answers = Promise.all(items(20).map(writer.save))
    expect(database.sent.map((group) => group.length)).toEqual([1, 1])
    await database.answerAll()
    expect(database.sent.map((group) => group.length)).toEqual([1, 1, 18])
    expect((await answers).map((result) => result.displayName)).toEqual(items(20).map(({ score }) => String(score)))
  })

  test('keeps a group within its limit and the lanes within their number', async () => {
    const database = controlled()
    const writer = groupWriter({ ...database, lanes: 3, groupLimit: 10 })
    const answers = Promise.all(items(60).map(writer.save))
    expect(database.open).toHaveLength(3)
    await database.answerAll()
    await answers
    expect(Math.max(...database.sent.map((group) => group.length))).toBe(10)
    expect(database.sent.flat()).toHaveLength(60)
  })

  test('puts a player into a group once, and keeps the order of its scores', async () => {
    const database = controlled()
    const writer = groupWriter({ ...database, lanes: 1 })
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
    const save = (one: Item) => (one.score === 2 ? Promise.reject(bad) : database.save(one))
    const writer = groupWriter({ ...database, save, lanes: 1 })
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
    const writer = groupWriter({ ...database, lanes: 1 })
    const first = writer.save(item('first', 9))
    const answers = Promise.allSettled(items(3).map(writer.save))
    database.open.splice(0)[0]!.answer()
    await first
    await new Promise(setImmediate)
    const unknown = new Error('socket closed')
    database.open.splice(0)[0]!.fail(unknown)
    expect(await answers).toEqual(Array(3).fill({ status: 'rejected', reason: unknown }))
    expect(database.sent).toHaveLength(2)
    const after = writer.save(item('after', 1))
    await database.answerAll()
    expect((await after).outcome).toBe('ok')
  })
})
