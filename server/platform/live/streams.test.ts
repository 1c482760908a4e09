import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Sender } from '../credentials/callers.ts'
import type { SseConnection } from './sse-connection.ts'
import { createStreams } from './streams.ts'

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

function made(bounds: Parameters<typeof createStreams>[0]['bounds'] = {}) {
  const errors: unknown[] = []
  const streams = createStreams({ onError: (error) => errors.push(error), bounds })
  closing.push(streams.close)
  return { streams, errors }
}
const user = (id: string): Sender => ({ kind: 'user', id })
const app = (id: string): Sender => ({ kind: 'app', id })
const refusal = (status: number, error: unknown = expect.any(String)) =>
  expect.objectContaining({ status, error, headers: { 'retry-after': expect.any(String) } })
const closed = () => new Promise((done) => setImmediate(done))

/** Everything sent so far. */
function textOf({ stream }: SseConnection) {
  const told = { text: '', isOver: false }
  stream.on('data', (chunk) => {
    told.text += chunk
  })
  stream.on('end', () => {
    told.isOver = true
  })
  return told
}

describe('streams', () => {
  test('are limited per caller (429) and in all (503); a closed one frees its place', async () => {
    const { streams } = made({ user: 2, app: 3, inAll: 4 })
    const first = streams.open(user('a'), [])
    streams.open(user('a'), [])
    expect(() => streams.open(user('a'), [])).toThrow(refusal(429, 'You have 2 streams open: close some'))
    streams.open(app('a'), [])
    streams.open(user('b'), [])
    expect(() => streams.open(user('c'), [])).toThrow(refusal(503))
    first.stream.destroy()
    await closed()
    expect(streams.count()).toBe(3)
    streams.open(user('a'), [])
    expect(() => streams.open(user('a'), [])).toThrow(refusal(503))
  })

  test('of apps and of callers without a session have separate limits: neither uses up those of users', async () => {
    const { streams } = made({ allApps: 3, allAnonymous: 2, inAll: 6 })
    const anonymous = (id: string): Sender => ({ kind: 'anonymous', id })
    const stranger = streams.open(anonymous('a'), [])
    streams.open(anonymous('b'), [])
    expect(() => streams.open(anonymous('c'), [])).toThrow(refusal(503, expect.stringContaining('sign in')))
    for (const id of ['a', 'b', 'c']) streams.open(app(id), [])
    expect(() => streams.open(app('d'), [])).toThrow(refusal(503, expect.stringContaining('of apps')))
    streams.open(user('a'), [])
    expect(() => streams.open(user('b'), [])).toThrow(refusal(503))
    stranger.stream.destroy()
    await closed()
    streams.open(anonymous('c'), [])
  })

  test('end within a second after a dependency is gone, and only those', async () => {
    vi.useFakeTimers()
    const { streams, errors } = made()
    const gone = new Set<string>()
    const asked: string[][] = []
    let isAway = false
    streams.endWith('session', async (ids) => {
      asked.push(ids)
      if (isAway) throw new Error('away')
      return new Set(ids.filter((id) => !gone.has(id)))
    })
    const needing = (...ids: string[]) =>
      textOf(
        streams.open(
          user('u'),
          ids.map((id) => ({ what: 'session', id })),
        ),
      )
    const [one, two, both, none] = [needing('1'), needing('2'), needing('1', '2'), needing()]
    isAway = true
    await vi.advanceTimersByTimeAsync(5000)
    expect(errors).toHaveLength(1)
    isAway = false
    gone.add('1')
    await vi.advanceTimersByTimeAsync(1000)
    expect([one, two, both, none].map(({ isOver }) => isOver)).toEqual([true, false, true, false])
    expect(asked[0]!.toSorted()).toEqual(['1', '2']) // each once, for all streams
  })

  test('set the reconnection time, send a comment every 15 seconds, and all end on close', async () => {
    vi.useFakeTimers()
    const { streams } = made()
    const told = textOf(streams.open(user('u'), []))
    await vi.advanceTimersByTimeAsync(15_000)
    expect(told.text).toBe('retry: 3000\n\n:\n\n')
    await vi.advanceTimersByTimeAsync(15_000)
    expect(told.text).toBe('retry: 3000\n\n:\n\n:\n\n')
    streams.close()
    await vi.advanceTimersByTimeAsync(0)
    expect(told.isOver).toBe(true)
    expect(() => streams.open(user('u'), [])).toThrow(refusal(503))
  })

  test('of a reader that takes nothing are closed after a second', async () => {
    vi.useFakeTimers()
    const { streams } = made()
    const { stream } = streams.open(user('u'), [])
    streams.close()
    await vi.advanceTimersByTimeAsync(1000)
    expect([stream.destroyed, streams.count()]).toEqual([true, 0])
  })
})
