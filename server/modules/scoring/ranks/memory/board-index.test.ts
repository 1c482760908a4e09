import { describe, expect, test } from 'vitest'
import { Board } from './board-index.ts'
import { RankIndex } from './rank-index.ts'

describe('a board', () => {
  const index = RankIndex.fromSorted(Float64Array.of(10, 20))
  const change = (from: number | null, to: number | null, xid: number) => ({ from, to, xid })

  test('applies changes during and after its load unless the snapshot saw them', async () => {
    const board = new Board()
    board.apply(change(null, 99, 90)) // unloaded: any later snapshot sees it
    const load = board.load(async () => {
      board.apply(change(10, 15, 100)) // seen: below xmin
      board.apply(change(15, 16, 105)) // in progress
      board.apply(change(20, 21, 110)) // not begun
      board.apply(change(null, 1, 107)) // ended before the snapshot
      return { snapshot: '103:110:103,105', index: RankIndex.fromSorted(Float64Array.of(1, 15, 20)) }
    })
    expect(board.index).toBeUndefined()
    expect(await load).toBe(true)
    board.apply(change(null, 1, 107))
    board.apply(change(null, 30, 111))
    expect([0, 1, 15, 16, 20, 21, 29, 30].map((key) => board.index!.above(key))).toEqual([4, 3, 3, 2, 2, 1, 1, 0])
  })

  test('discards a load during which an outcome became unknown', async () => {
    const board = new Board()
    const loaded = await board.load(async () => {
      board.unload()
      return { snapshot: '5:5:', index }
    })
    expect([loaded, board.index]).toEqual([false, undefined])
    expect(await board.load(async () => ({ snapshot: '5:5:', index }))).toBe(true)
  })

  test('shares one load among concurrent callers, and loads again after a failed one', async () => {
    const board = new Board()
    await expect(board.load(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
    let reads = 0
    const read = async () => {
      reads++
      return { snapshot: '5:5:', index }
    }
    expect(await Promise.all([board.load(read), board.load(read)])).toEqual([true, true])
    expect(reads).toBe(1)
  })
})
