import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { checkHealth } from './health-check.ts'

const answer = () => promisify(pbkdf2)('a', 'b', 1, 8, 'sha256')

test('a part that responded while the process itself was suspended is ready', { tags: ['long'] }, async () => {
  const outcome = checkHealth(answer)
  for (const until = performance.now() + 2200; performance.now() < until; );
  expect(await outcome).toMatchObject({ fault: undefined, value: expect.any(Buffer) })
})

test('a part without a response within two seconds is not ready, with the reason', { tags: ['long'] }, async () => {
  const { fault, value } = await checkHealth(() => new Promise(() => {}))
  expect([fault?.message, value]).toEqual(['no response within 2 s', undefined])
})
