import { describe, expect, test } from 'vitest'
import { KeptTop, lastPlace, type TopChange, type TopText } from './kept-top.ts'

type Player = { id: string; key: number; at: number; name: string }
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

const inOrder = (board: Player[]) => board.toSorted((a, b) => b.key - a.key || a.at - b.at || (a.id < b.id ? -1 : 1))
const jsonOf = ({ id, name, key }: Player) => JSON.stringify({ id, name, key })

function textOf(board: Player[], limit: number): TopText {
  const shown = inOrder(board).slice(0, limit)
  const list = (value: (player: Player) => unknown) => shown.map(value).join()
  return {
    entries: list(jsonOf),
    sizes: list((player) => Buffer.byteLength(jsonOf(player))),
    rankKeys: list(({ key }) => key),
    achievedAts: list(({ at }) => `moment ${at}`),
    playerIds: list(({ id }) => id),
    hasMore: board.length > limit,
  }
}

/** What a reader of the board gets. */
function expectBest(top: KeptTop, board: Player[], limit: number): boolean {
  const best = top.best(limit)
  if (!best) return false
  const shown = inOrder(board).slice(0, limit)
  const last = shown.at(-1)
  expect(best.entries.toString()).toBe(shown.map(jsonOf).join())
  const place = last && { rankKey: last.key, achievedAt: `moment ${last.at}`, playerId: last.id }
  expect(best.last).toEqual(board.length > limit ? place : undefined)
  return true
}

describe('a kept top', () => {
  test('shows what the board shows, or nothing, after any changes in any order', () => {
    let found = 0
    for (let round = 0; round < 2_000; round++) {
      let moment = 100
      const newPlayer = (n: number): Player => ({
        id: `p${n}`,
        key: pick([1, 2, 3, 4, 5]),
        at: ++moment,
        name: `é${n}`,
      })
      let board = Array.from({ length: Math.floor(Math.random() * 8) }, (_, n) => newPlayer(n))
      const top = new KeptTop(textOf(board, pick([1, 3, 5, 20])))
      const changes: TopChange[] = []
      for (let n = 0; n < pick([0, 1, 1, 2, 5]); n++) {
        const player = pick(board)
        const at = Math.random()
        if (!player || at < 0.2) {
          const added = newPlayer(20 + n)
          board = [...board, added]
          changes.push({ playerId: added.id, from: null, to: added.key })
        } else if (at < 0.4) {
          board = board.map((one) => (one === player ? { ...one, name: `ü${n}` } : one))
          changes.push(
            pick([{ playerId: player.id.toUpperCase() }, { playerId: player.id, from: player.key, to: player.key }]),
          )
        } else if (at < 0.6) {
          board = board.filter((one) => one !== player)
          changes.push({ playerId: player.id, from: player.key, to: null })
        } else {
          const [key, moved] = [pick([1, 2, 3, 4, 5]), pick([++moment, 50 - n])]
          board = board.map((one) => (one === player ? { ...one, key, at: moved } : one))
          changes.push({ playerId: player.id, from: player.key, to: key })
        }
      }
      for (const change of changes.toSorted(() => Math.random() - 0.5)) top.apply(change)
      for (const limit of [1, 2, 3, 5, 20]) found += Number(expectBest(top, board, limit))
    }
    expect(found).toBeGreaterThan(1_000)
  })

  test('is cut off where a write reaches it, and stays whole when a write does not', () => {
    const board = [9, 8, 7, 6].map((key, n) => ({ id: `p${n}`, key, at: n, name: 'Ada' }))
    const top = new KeptTop(textOf(board, 3))
    top.apply({ playerId: 'p3', from: 6, to: 5 })
    expect([1, 2, 3].map((limit) => top.best(limit) !== undefined)).toEqual([true, true, true])
    top.apply({ playerId: 'p3', from: 5, to: 7 })
    expect([1, 2, 3].map((limit) => top.best(limit) !== undefined)).toEqual([true, false, false])
  })

  test('an empty board is shown until its first score', () => {
    const top = new KeptTop(textOf([], 10))
    expect(top.best(10)).toEqual({ entries: Buffer.from(''), last: undefined })
    top.apply({ playerId: 'p1', from: null, to: 3 })
    expect(top.best(10)).toBeUndefined()
  })

  test('the last place of a text is that of its last entry, if the board has more', () => {
    const board = [9, 8, 7].map((key, n) => ({ id: `p${n}`, key, at: n, name: 'Ada' }))
    expect(lastPlace(textOf(board, 2))).toEqual({ rankKey: 8, achievedAt: 'moment 1', playerId: 'p1' })
    expect(lastPlace(textOf(board, 3))).toBeUndefined()
  })
})
