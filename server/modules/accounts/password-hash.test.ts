import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { checkedLogin, passwordFault } from './credentials.ts'
import { english } from './page-texts/english.ts'
import { passwordHashes } from './password-hash.ts'

describe('hashes', () => {
  const passwords = passwordHashes()

  test('are Argon2id with 19 MiB, two passes and one lane, and never repeat', async () => {
    const [one, two] = [await passwords.make('correct horse'), await passwords.make('correct horse')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(two)
    expect(await passwords.fits('correct horse', one)).toBe(true)
    expect(await passwords.fits('correct horsf', one)).toBe(false)
    expect(passwords.isWeak(one)).toBe(false)
  })

  test('of other programs match: the example of the reference implementation', async () => {
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await passwords.fits('password', hash)).toBe(true)
    expect(await passwords.fits('Password', hash)).toBe(false)
  })

  test('match a password in any Unicode form', async () => {
    expect(await passwords.fits('e\u0301te\u0301 2026', await passwords.make('\u00e9t\u00e9 2026'))).toBe(true)
  })

  test('never match without a hash', async () => {
    expect(await passwords.fits('', undefined)).toBe(false)
  })

  test('with weaker parameters are detected', async () => {
    const old = await passwordHashes({ memory: 8192, passes: 2, parallelism: 1 }).make('correct horse')
    expect(passwords.isWeak(old)).toBe(true)
    expect(await passwords.fits('correct horse', old)).toBe(true)
  })

  test('are computed two at a time, 32 wait, and more are 503', async () => {
    const busy = passwordHashes({ memory: 64, passes: 1, parallelism: 1 })
    const under = Array.from({ length: 34 }, () => busy.make('correct horse'))
    await expect(busy.make('correct horse')).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    await Promise.all(under)
    await sleep(0)
    expect(await busy.make('correct horse')).toContain('m=64')
  })
})

describe('a new password', () => {
  test.each([
    ['1234567', 'at least 8'],
    ['😀'.repeat(7), 'at least 8'],
    ['x'.repeat(1025), 'at most 1024 characters'],
    ['Password123', 'most common'],
    ['12345678', 'most common'],
    ['Ada-Lovelace', 'must not be the login'],
    ['has a \0 in it', 'without NUL'],
  ])('%j is refused', (password, why) => {
    expect(english.faults[passwordFault(password, 'ada-lovelace')!]).toContain(why)
  })

  test.each(['lowercase only words', '😀'.repeat(8), 'x'.repeat(1024), '        spaces'])(
    '%j is accepted',
    (password) => {
      expect(passwordFault(password, 'ada')).toBeUndefined()
    },
  )
})

describe('a login', () => {
  test('is stored trimmed and in NFC', () => {
    expect(checkedLogin('  Re\u0301my ')).toBe('R\u00e9my')
  })
  test.each(['', '   ', 'a\u0000b', 'a\nb', 'a\u202eb', 'x'.repeat(101)])('%j is refused', (text) => {
    expect(() => checkedLogin(text)).toThrow()
  })
})
