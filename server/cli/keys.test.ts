import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenOn } from '../test/given.ts'
import { ROOT } from '../test/process.ts'
import { type Service, startService } from '../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** Runs `cairn keys …` beside the running service. */
async function keys(...words: string[]) {
  const child = spawn(process.execPath, ['server/cli.ts', 'keys', ...words], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      CAIRN_DATA_DIR: service.folder,
      // The box's own is reached by a socket file, whose address has no host; the setting wants one, and the file wins.
      CAIRN_DATABASE_URL: service.databaseUrl.replace('@/', '@localhost/'),
      CAIRN_SECRET: 'a secret of the tests, long enough',
    },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, out, err }
}

test('cairn keys: list, rotate once, refuse while the next key waits, and replace a leaked key', async () => {
  const user = await givenOn(service).user()
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
  expect(await keys('rotate')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('published already') })
  expect((await keys('list')).out).toMatch(/ next {6}signs from .*\n.* signing {3}signs from .*, counts until /)
  expect(await user.get('/api/v1/apps')).toMatchObject({ status: 200 })

  expect(await keys('rotate', '--now')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\S+ {2}signing {3}signs from \S+\n$/),
  })
  expect(await user.post('/auth/sync')).toMatchObject({ status: 401 })
  expect(await keys('rotate', 'please')).toMatchObject({ code: 2 })
})
