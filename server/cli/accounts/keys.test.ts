// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** Runs `cairn keys …` beside the running service. */
const keys = (...words: string[]) => runCommandOn(service, ['keys', ...words])

test('cairn keys: list, rotate once, refuse while the next key waits, and replace a leaked key', async () => {
  const user = await buildersOn(service).user()
  const listed = await keys('list', '--json')
  expect(listed).toMatchObject({ code: 0, err: '' })
  const first = JSON.parse(listed.out)
  expect(first).toEqual({
    keys: [{ kid: expect.any(String), state: 'signing', signsFrom: expect.any(String), endsAt: null }],
  })

  const rotated = JSON.parse((await keys('rotate', '--json')).out)
  expect(rotated.keys).toMatchObject([
    { state: 'next', endsAt: null },
    { kid: first.keys[0].kid, state: 'signing', endsAt: expect.stringMatching(/Z$/) },
  ])
  expect(await keys('rotate')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('already published') })
  expect((await keys('list')).out).toMatch(/ next {6}signs from .*\n.* signing {3}signs from .*, valid until /)
  expect(await user.get('/api/v1/apps')).toMatchObject({ status: 200 })

  expect(await keys('rotate', '--now')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\S+ {2}signing {3}signs from \S+\n$/),
  })
  // A process may cache a session that another one ended for a moment.
  await expect.poll(async () => (await user.post('/auth/sync')).status).toBe(401)
  expect(await keys('rotate', 'please')).toMatchObject({ code: 2 })
})
