import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

/** Runs that complete when the test says so. */
function heldReads() {
  const readings: { key: string; answer: (text: string) => void; fail: (error: Error) => void }[] = []
  const share = coalesce<string>()
  const get = (key: string) =>
    share(key, () => new Promise((answer, fail) => void readings.push({ key, answer, fail })))
  return { get, readings }
}

describe('shared runs', () => {
  test('callers during a run share the next one', async () => {
    const { get, readings } = heldReads()
    const first = get('board')
    const later = [get('board'), get('board')]
    expect(readings).toHaveLength(1)
    readings[0]!.answer('before')
    expect(await first).toBe('before')
    await wait(1)
    expect(readings).toHaveLength(2)
    const last = get('board')
    readings[1]!.answer('after')
    expect(await Promise.all(later)).toEqual(['after', 'after'])
    await wait(1)
    readings[2]!.answer('last')
    expect(await last).toBe('last')
  })

  test('keys are independent', async () => {
    const { get, readings } = heldReads()
    const both = [get('a'), get('b')]
    expect(readings.map(({ key }) => key)).toEqual(['a', 'b'])
    readings[1]!.answer('of b')
    readings[0]!.answer('of a')
    expect(await Promise.all(both)).toEqual(['of a', 'of b'])
  })

  test('a failed run rejects its callers, and the next one starts', async () => {
    const { get, readings } = heldReads()
    const [first, second] = [get('board'), get('board')]
    readings[0]!.fail(new Error('away'))
    await expect(first).rejects.toThrow('away')
    await wait(1)
    readings[1]!.answer('there')
    expect(await second).toBe('there')
    const third = get('board')
    readings[2]!.answer('again')
    expect(await third).toBe('again')
  })
})
