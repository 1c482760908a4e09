import { describe, expect, test } from 'vitest'
import { keptRecords } from './kept-records.ts'

type Named = { name: string }
const records = () => keptRecords<Named>({ maxBytes: 300, bytesOf: () => 100 })
const named = (name: string) => async () => ({ name })
const none = async () => undefined

describe('a kept record', () => {
  test('is read once, until it is forgotten', async () => {
    const kept = records()
    await kept.read('a', named('one'))
    expect(await kept.read('a', named('two'))).toEqual({ name: 'one' })
    kept.forget('a')
    expect(await kept.read('a', named('two'))).toEqual({ name: 'two' })
  })

  test('is not kept if it is forgotten while it is read', async () => {
    for (const forget of [
      (kept: ReturnType<typeof records>) => kept.forget('a'),
      (kept: ReturnType<typeof records>) => kept.forgetAll('a'),
    ]) {
      const kept = records()
      const { promise, resolve } = Promise.withResolvers<Named>()
      const first = kept.read('a', () => promise)
      forget(kept)
      resolve({ name: 'before' })
      expect(await first).toEqual({ name: 'before' })
      expect(await kept.read('a', named('after'))).toEqual({ name: 'after' })
    }
  })

  test('is kept while others are forgotten', async () => {
    const kept = records()
    const { promise, resolve } = Promise.withResolvers<Named>()
    const first = kept.read('a 1', () => promise)
    await kept.read('b 1', named('other'))
    kept.forget('a 2')
    kept.forgetAll('b')
    resolve({ name: 'one' })
    await first
    expect(await kept.read('a 1', none)).toEqual({ name: 'one' })
    expect(await kept.read('b 1', none)).toBeUndefined()
  })

  test('gives way to others beyond the memory for all', async () => {
    const kept = records()
    for (const key of ['a', 'b', 'c', 'd']) await kept.read(key, named(key))
    expect(kept.bytes()).toBe(300)
    expect(await kept.read('a', none)).toBeUndefined()
    expect(await kept.read('d', none)).toEqual({ name: 'd' })
  })
})
