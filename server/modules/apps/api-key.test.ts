import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyIdOf, newApiKey } from './api-key.ts'

describe('app API keys', () => {
  const key = fc.constant(null).map(() => newApiKey())
  const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_')

  test('have a public id, and are found to be well-formed', () => {
    fc.assert(fc.property(key, (good) => keyIdOf(good) === good.slice(6, 14)))
  })

  test('of kind client say so, and have a public id, too', () => {
    const good = newApiKey('client')
    expect(good).toMatch(/^cairn_client_/)
    expect(keyIdOf(good)).toBe(good.slice(13, 21))
    expect(keyIdOf(good.replace('client_', ''))).toBeUndefined()
  })

  test('with any one character changed are refused without a query', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 51 }), character, (good, at, other) => {
        fc.pre(good[at] !== other)
        expect(keyIdOf(good.slice(0, at) + other + good.slice(at + 1))).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })

  test('with any two neighbours swapped are refused without a query', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 50 }), (good, at) => {
        fc.pre(good[at] !== good[at + 1])
        const swapped = good.slice(0, at) + good[at + 1] + good[at] + good.slice(at + 2)
        expect(keyIdOf(swapped)).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })

  test('cut short, lengthened or in another case are refused', () => {
    fc.assert(
      fc.property(key, (good) => {
        for (const bad of [good.slice(0, -1), `${good}0`, ` ${good}`, good.toUpperCase(), good.toLowerCase()])
          if (bad !== good) expect(keyIdOf(bad)).toBeUndefined()
      }),
    )
  })
})
