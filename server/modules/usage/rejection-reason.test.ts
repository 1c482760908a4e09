import { expect, test } from 'vitest'
import { reasonOf } from './rejection-reason.ts'

test('a reason is text that the database takes, wherever it was cut and whatever was sent', () => {
  for (let length = 195; length < 205; length++) {
    const reason = reasonOf(`${'x'.repeat(length)}😀 is not known`)
    expect(reason.isWellFormed()).toBe(true)
    expect(reason.length).toBeLessThanOrEqual(200)
  }
  expect(reasonOf('a\0b')).not.toContain('\0')
})

test('reasons of one cause read the same, and tell no value', () => {
  expect(reasonOf('There is already a player "kite.runner"')).toBe(reasonOf('There is already a player "a "b" c"'))
  expect(reasonOf('More than 30 requests a minute; wait 12 s')).toBe(
    reasonOf('More than 30 requests a minute; wait 3 s'),
  )
})
