import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Sender } from '../credentials/callers.ts'
import { notFound } from '../errors.ts'
import { type Followed, liveRecords } from './live-records.ts'
import { createStreams } from './streams.ts'

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

/** Records of a test topic, reported by a feed that the test drives. */
function made() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  const errors: unknown[] = []
  const feed = { changed: (_subjects: string[]) => {}, lost: () => {} }
  const onError = (error: unknown) => void errors.push(error)
  const streams = createStreams({ onError })
  const listen = (_topic: string, changed: (subjects: string[]) => unknown, lost: () => unknown = () => {}) => {
    Object.assign(feed, { changed, lost })
    return () => {}
  }
  const records = liveRecords({ streams, changes: { listen }, onError })
  closing.push(records.close, streams.close)
  const state = { value: 1, isFinal: false, reads: 0, failure: undefined as unknown }
  const read: Followed['read'] = async () => {
    state.reads++
    if (state.failure) throw state.failure
    return { record: { value: state.value }, isFinal: state.isFinal }
  }
  const caller: Sender = { kind: 'user', id: 'u' }
  const follow = async (lastEventId?: string, key = 'a') => {
    const followed = { topic: 'thing', subject: key, key, read }
    const stream = (await records.follow(followed, { caller, needs: [], lastEventId }))!
    const told = { values: [] as number[], lastId: '', isOver: false }
    stream.on('data', (chunk: Buffer) => {
      for (const [, id, data] of String(chunk).matchAll(/^id: (.*)\ndata: (.*)$/gm)) {
        told.values.push(JSON.parse(data!).value)
        told.lastId = id!
      }
    })
    stream.on('end', () => {
      told.isOver = true
    })
    await nextTurn()
    return told
  }
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    await nextTurn()
  }
  const change = (value: number) => {
    state.value = value
    feed.changed(['a'])
  }
  return { state, feed, errors, follow, pass, change, streams }
}

describe('a followed record', () => {
  test('is read once for many changes and all equal followers, and not for changes of other records', async () => {
    const { state, feed, follow, pass, change } = made()
    const all = [await follow(), await follow(), await follow()]
    await pass(1000)
    const before = state.reads
    for (let i = 0; i < 500; i++) change(i)
    feed.changed(['b'])
    await pass(1000)
    expect(state.reads - before).toBe(1)
    expect(all.map(({ values }) => values)).toEqual(Array(3).fill([1, 499]))
    feed.changed(['b'])
    await pass(1000)
    expect(state.reads - before).toBe(1)
    for (let i = 0; i < 10; i++) {
      change(i)
      await pass(100)
    }
    expect(state.reads - before).toBeLessThanOrEqual(1 + 6)
  })

  test('is read again after a possible loss of changes, and once a minute', async () => {
    const { state, feed, follow, pass } = made()
    const told = await follow()
    state.value = 2
    feed.lost()
    await pass(300)
    expect(told.values).toEqual([1, 2])
    state.value = 3
    await pass(61_000)
    expect(told.values).toEqual([1, 2, 3])
  })

  test('is retried after a failed read, which is logged once; new followers get the error', async () => {
    const { state, errors, follow, pass, change } = made()
    const told = await follow()
    state.failure = new Error('the database is unavailable')
    change(2)
    await pass(10_000)
    expect(errors).toEqual([state.failure])
    await expect(follow()).rejects.toThrow('the database is unavailable')
    state.failure = undefined
    await pass(1500)
    expect(told).toMatchObject({ values: [1, 2], isOver: false })
    const { reads } = state
    await pass(10_000)
    expect(state.reads).toBe(reads)
  })

  test('whose read is refused ends its streams without a log entry, and is released', async () => {
    const { state, errors, follow, pass, change, streams } = made()
    const told = await follow()
    state.failure = notFound('Thing')
    change(2)
    await pass(1000)
    expect(told).toMatchObject({ values: [1], isOver: true })
    await expect(follow()).rejects.toMatchObject({ status: 404 })
    await pass(0)
    expect([streams.count(), errors]).toEqual([0, []])
    const { reads } = state
    change(3)
    await pass(61_000)
    expect(state.reads).toBe(reads)
  })

  test('is sent to a reconnecting client only if it has not seen it', async () => {
    const { follow, pass, change, state } = made()
    const first = await follow()
    change(2)
    await pass(300)
    const [seen, missed] = [await follow(first.lastId), await follow('another')]
    expect([seen.values, missed.values]).toEqual([[], [2]])
    state.isFinal = true
    change(3)
    await pass(300)
    expect([first, seen, missed]).toMatchObject([
      { values: [1, 2, 3], isOver: true },
      { values: [3], isOver: true },
      { values: [2, 3], isOver: true },
    ])
  })
})
