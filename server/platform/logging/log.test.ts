import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { createTestDatabase } from '../../test/database.ts'
import { formOf } from '../../test/multipart.ts'
import { readConfig } from '../config.ts'
import { createLog } from './log.ts'

test('a failure is logged with its cause and nothing else that it has', () => {
  let line = ''
  const log = createLog('error', {
    write: (text: string) => {
      line = text
    },
  })
  const cause = Object.assign(new Error('Access Denied.'), {
    name: 'AccessDenied',
    request: { authorization: 'secret' },
  })
  log.error({ err: new Error('The storage does not answer', { cause }) }, 'could not answer')
  expect(JSON.parse(line).err).toMatchObject({
    message: 'The storage does not answer',
    cause: 'AccessDenied: Access Denied.',
  })
  expect(line).not.toContain('secret')
})

test('the log has no credentials at any level', async () => {
  const { url: databaseUrl, drop } = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'cairn-log-'))
  const config = readConfig({ CAIRN_DATA_DIR: folder, CAIRN_LOG_LEVEL: 'trace' }, '')
  let lines = ''
  const write = (line: string) => {
    lines += line
  }
  const log = createLog('trace', { write })
  const app = await createApp({ config, databaseUrl, secret: randomBytes(32).toString('hex'), log })
  const url = await app.start({ host: '127.0.0.1', port: 0 })
  const { token } = await app.identity.openFor(await app.localUser('ada'))
  const send = (path: string, body: string | FormData, headers: Record<string, string> = {}) =>
    fetch(url + path, { method: 'POST', body, headers: { authorization: `Bearer ${token}`, ...headers } })
  const json = { 'content-type': 'application/json' }

  const made = await send('/api/v1/apps', JSON.stringify({ name: 'Trail', description: 'A race' }), json)
  const { apiKey } = (await made.json()) as { apiKey: string }
  const { code } = (await (await send('/auth/codes', '{}', json)).json()) as { code: string }
  const key = { 'x-app-api-key': apiKey, cookie: 'cairn_session=a-cookie' }
  expect((await send('/api/upload', formOf({ bytes: 'hello' }), key)).status).toBe(200)
  expect((await send('/auth/codes/exchange', JSON.stringify({ code: `${code}0` }), json)).status).toBe(400)
  expect((await send(`/nowhere?code=${code}`, '{"code":', { ...json, ...key })).status).toBe(400)
  expect((await send('/auth/exchange', JSON.stringify({ token }), json)).status).toBe(401)
  await app.stop()
  await drop()
  await rm(folder, { recursive: true, force: true })

  expect(lines).toContain('"level":"trace"')
  for (const secret of [token, token.split('.')[2]!, apiKey, `"${code}`, `=${code}`, 'a-cookie'])
    expect(lines).not.toContain(secret)
})
