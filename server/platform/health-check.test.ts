import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { checkHealth } from './health-check.ts'

const answer = () => promisify(pbkdf2)('a', 'b', 1, 8, 'sha256')

test('a part that answered while the process itself stood still is ready', async () => {
  const outcome = checkHealth(answer)
  for (const until = performance.now() + 2200; performance.now() < until; );
  expect(await outcome).toMatchObject({ fault: undefined, said: expect.any(Buffer) })
})

test('one that does not answer in two seconds is not, and the reason says so', async () => {
  const { fault, said } = await checkHealth(() => new Promise(() => {}))
  expect([fault?.message, said]).toEqual(['no response within 2 s', undefined])
})
