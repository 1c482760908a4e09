import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HttpError } from '../../../platform/errors.ts'
import { createStreams } from '../../../platform/live/streams.ts'
import type { RankedRow } from '../leaderboards/assign-ranks.ts'
import { type BoardFollower, liveBoards } from './live-boards.ts'
import type { LiveTop } from './stream-registry.ts'

const follower: BoardFollower = { caller: { kind: 'app', id: 'a' }, needs: [] }
const top = (appId: string, typeKey: string, limit = 100): LiveTop => ({
  appId,
  typeKey,
  limit,
  miniGameTypeId: null,
  miniGameTypeName: null,
})

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

/** Live boards over boards that the test makes up. */
function made(parts: Partial<Parameters<typeof liveBoards>[0]> = {}) {
  const errors: unknown[] = []
  let score = 0
  let reads = 0
  const read = async (): Promise<RankedRow[]> => {
    reads++
    return [{ playerId: 'p', rankKey: score, playerScore: score, playerDisplayName: 'x'.repeat(10_000) } as RankedRow]
  }
  const onError = (error: unknown) => errors.push(error)
  const streams = createStreams({ onError })
  const boards = liveBoards({ read, streams, onError, ...parts })
  closing.push(boards.close, streams.close)
  return {
    boards,
    errors,
    reads: () => reads,
    write(appId: string, typeKey: string) {
      score++
      boards.wrote(appId, typeKey)
    },
  }
}

const refusal = (status: number) =>
  expect.objectContaining({ status, headers: expect.objectContaining({ 'retry-after': expect.any(String) }) })

describe('live boards', () => {
  test('bound the entries that boards show together; boards that were left make room first', async () => {
    const { boards } = made({ bounds: { entriesOfApp: 150, entries: 250 } })
    const left = await boards.open(top('a', 't', 100), follower, undefined)
    await expect(boards.open(top('a', 'u', 51), follower, undefined)).rejects.toEqual(refusal(429))
    await boards.open(top('a', 't', 100), follower, undefined) // the same board once more costs nothing
    await boards.open(top('b', 't', 150), follower, undefined)
    await expect(boards.open(top('c', 't', 1), follower, undefined)).rejects.toEqual(refusal(503))
    left.destroy()
    await sleep(5)
    await expect(boards.open(top('c', 't', 1), follower, undefined)).rejects.toBeInstanceOf(HttpError) // the other one stays
    const room = made({ bounds: { entriesOfApp: 100 } })
    ;(await room.boards.open(top('a', 't', 100), follower, undefined)).destroy()
    await sleep(5)
    await room.boards.open(top('a', 'u', 100), follower, undefined)
  })

  test('read a board once for many writes, and once for all who listen', async () => {
    const { boards, write, reads } = made()
    await Promise.all(Array.from({ length: 20 }, () => boards.open(top('a', 't'), follower, undefined)))
    const before = reads()
    expect(before).toBeLessThanOrEqual(2)
    for (let i = 0; i < 500; i++) write('a', 't')
    for (let i = 0; i < 500; i++) write('a', 'other')
    await sleep(300)
    expect(reads() - before).toBeLessThanOrEqual(3)
    expect(reads() - before).toBeGreaterThan(0)
  })

  test('disconnect a reader that reads nothing, and continue for the others', async () => {
    const { boards, write } = made()
    const slow = await boards.open(top('a', 't'), follower, undefined)
    const quick = await boards.open(top('a', 't'), follower, undefined)
    let taken = 0
    quick.on('data', (chunk: Buffer) => {
      taken += chunk.length
    })
    slow.pipe(new Writable({ write() {} })) // never asks for more
    vi.useFakeTimers()
    while (!slow.destroyed && taken < 100e6) {
      write('a', 't')
      await vi.advanceTimersByTimeAsync(200)
    }
    vi.useRealTimers()
    await sleep(5)
    expect([slow.destroyed, quick.destroyed, boards.count()]).toEqual([true, false, 1])
    expect(taken).toBeGreaterThan(1024 * 1024)
    expect(taken).toBeLessThan(3 * 1024 * 1024)
  })

  test('survive failed reads, and log each outage once', async () => {
    vi.useFakeTimers()
    let isAway = false
    const { boards, errors } = made({
      read: async () => {
        if (isAway) throw new Error('the database is away')
        return []
      },
    })
    const stream = await boards.open(top('a', 't'), follower, undefined)
    isAway = true
    await vi.advanceTimersByTimeAsync(5000)
    expect(errors).toHaveLength(1) // not once a second
    await expect(boards.open(top('b', 't'), follower, undefined)).rejects.toThrow('away')
    expect(boards.count()).toBe(1)
    isAway = false
    await vi.advanceTimersByTimeAsync(5000)
    expect(stream.destroyed).toBe(false)
    isAway = true
    await vi.advanceTimersByTimeAsync(5000)
    expect(errors).toHaveLength(2)
  })

  test('remember a board for a minute after the last listener, then forget it', async () => {
    vi.useFakeTimers()
    const { boards, write } = made()
    const idOf = (text: string) => /id: (\S+)/.exec(text)![1]!
    const comeBack = async (lastEventId: string | undefined) => {
      const stream = await boards.open(top('a', 't'), follower, lastEventId)
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      await vi.advanceTimersByTimeAsync(10)
      stream.destroy()
      await vi.advanceTimersByTimeAsync(0)
      return text
    }
    const id = idOf(await comeBack(undefined))
    write('a', 't')
    await vi.advanceTimersByTimeAsync(58_000)
    const missed = await comeBack(id)
    expect(missed).toContain('event: entries')
    await vi.advanceTimersByTimeAsync(62_000)
    expect(await comeBack(idOf(missed))).toContain('event: board')
  })

  test('take no more once they are closed', async () => {
    const { boards } = made()
    await boards.open(top('a', 't'), follower, undefined)
    const opening = boards.open(top('b', 't'), follower, undefined)
    boards.close()
    await expect(opening).rejects.toEqual(refusal(503))
    await expect(boards.open(top('a', 't'), follower, undefined)).rejects.toEqual(refusal(503))
  })
})
