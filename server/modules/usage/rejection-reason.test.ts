import { expect, test } from 'vitest'
import { reasonOf } from './rejection-reason.ts'

test('a truncated reason is valid text for the database, with any input', () => {
  for (let length = 195; length < 205; length++) {
    const reason = reasonOf(`${'x'.repeat(length)}😀 is not known`)
    expect(reason.isWellFormed()).toBe(true)
    expect(reason.length).toBeLessThanOrEqual(200)
  }
  expect(reasonOf('a\0b')).not.toContain('\0')
})

test('reasons of one cause are equal and contain no values', () => {
  expect(reasonOf('There is already a player "kite.runner"')).toBe(reasonOf('There is already a player "a "b" c"'))
  expect(reasonOf('More than 30 requests a minute; wait 12 s')).toBe(
    reasonOf('More than 30 requests a minute; wait 3 s'),
  )
})
