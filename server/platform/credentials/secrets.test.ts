import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSecrets, readSecret } from './secrets.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-secret-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the secret', () => {
  test('is created once, kept, and readable by its owner only', async () => {
    const secret = readSecret(undefined, folder)
    expect(secret.length).toBeGreaterThanOrEqual(64)
    expect(readSecret(undefined, folder)).toBe(secret)
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600)
    expect(readSecret('a configured one', folder)).toBe('a configured one')
  })

  test('an empty or truncated file is refused by name', async () => {
    for (const content of ['', 'short']) {
      await writeFile(join(folder, 'secret'), content)
      expect(() => readSecret(undefined, folder)).toThrow(join(folder, 'secret'))
    }
  })

  test('decrypts only with the same secret and purpose, and refuses a changed text', () => {
    const secrets = createSecrets('one secret, long enough for a test')
    const sealed = secrets.seal('app-keys', 'cairn_key')
    expect(secrets.open('app-keys', sealed)).toBe('cairn_key')
    expect(() => secrets.open('signing-keys', sealed)).toThrow()
    expect(() => createSecrets('another secret, long enough too').open('app-keys', sealed)).toThrow()
    expect(() =>
      secrets.open(
        'app-keys',
        sealed.replace(/\.(.)/, (_all, first) => `.${first === 'A' ? 'B' : 'A'}`),
      ),
    ).toThrow()
  })
})
