import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { batchLoader } from './batch-loader.ts'

/** Reads that complete when the test says so. */
function heldReads(options: { lanes?: number; most?: number } = {}) {
  const statements: { scope: string; ids: string[]; answer: () => void; fail: (error: Error) => void }[] = []
  const get = batchLoader<string>({
    ...options,
    read: (scope, ids) =>
      new Promise((resolve, reject) => {
        const known = ids.filter((id) => id !== 'nobody')
        const answer = () => resolve(new Map(known.map((id) => [id, `${scope}/${id}`])))
        statements.push({ scope, ids, answer, fail: reject })
      }),
  })
  return { get, statements }
}

describe('reads by ID', () => {
  test('sends a single read at once; reads while all lanes are busy share a statement, each ID once', async () => {
    const { get, statements } = heldReads({ lanes: 2 })
    const reads = ['a', 'b', 'c', 'd', 'c', 'nobody'].map((id) => get('app', id))
    expect(statements.map(({ ids }) => ids)).toEqual([['a'], ['b']])
    statements[0]!.answer()
    await wait(1)
    expect(statements.map(({ ids }) => ids)).toEqual([['a'], ['b'], ['c', 'd', 'nobody']])
    for (const { answer } of statements) answer()
    expect(await Promise.all(reads)).toEqual(['app/a', 'app/b', 'app/c', 'app/d', 'app/c', undefined])
  })

  test('keeps scopes separate, and none starves', async () => {
    const { get, statements } = heldReads({ lanes: 1, most: 2 })
    const reads = [get('x', 'a'), get('x', 'b'), get('y', 'b'), get('x', 'c'), get('x', 'd'), get('x', 'e')]
    for (let at = 0; at < 4; at++) {
      statements[at]!.answer()
      await wait(1)
    }
    expect(statements.map(({ scope, ids }) => [scope, ids])).toEqual([
      ['x', ['a']],
      ['x', ['b', 'c']],
      ['y', ['b']],
      ['x', ['d', 'e']],
    ])
    expect(await Promise.all(reads)).toEqual(['x/a', 'x/b', 'y/b', 'x/c', 'x/d', 'x/e'])
  })

  test('a failed statement fails only its own reads, and its lane continues', async () => {
    const { get, statements } = heldReads({ lanes: 1 })
    const first = get('app', 'a')
    const [second, third] = [get('app', 'b'), get('app', 'c')]
    statements[0]!.fail(new Error('away'))
    await expect(first).rejects.toThrow('away')
    statements[1]!.answer()
    expect(await Promise.all([second, third])).toEqual(['app/b', 'app/c'])
  })
})
