// @module-tag long
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/logging/log.ts'
import { accessTable } from '../access/access-table.ts'
import { tenantOn } from '../access/access-world.ts'
import { buildersOn } from '../builders.ts'
import { createTestDatabase, withDatabase } from '../database.ts'
import { formOf } from '../multipart.ts'
import { signInAtBox } from '../network/box-sign-in.ts'
import { type MailServer, startMailServer } from '../network/mail-server.ts'
import { type Receiver, startReceiver } from '../network/receiver.ts'
import { bareEnvironment, ROOT } from '../process.ts'
import { type Service, startService } from '../service.ts'
import { sqlOn } from '../sql.ts'

const mark = () => randomBytes(18).toString('hex')
const [databasePassword, redisPassword, metricsToken, mailPassword, password] = [mark(), mark(), mark(), mark(), mark()]

/** Its log, at the most verbose level. */
let logged = ''
const log = createLog('trace', {
  write: (line: string) => {
    logged += line
  },
})
/** All secrets, by name. */
const secrets: Record<string, string> = {
  'the password of the database': databasePassword,
  'the password of Redis': redisPassword,
  'the token of the metrics': metricsToken,
  'the password of the mail server': mailPassword,
  'an address of mail': 'refused@team.example',
  'a password': password,
  'the secret of the service': 'a secret of the tests, long enough',
}
/** Bodies of all errors, and of operator output. */
let shown = ''
let service: Service
let receiver: Receiver
let mails: MailServer

/** A URL with a password: its own, or if it has none, this one, which is not checked. */
const withPassword = (url: string, given: string) =>
  /^\w+:\/\/[^@/]*:[^@/]+@/.test(url) ? url : url.replace(/^(\w+:\/\/)(?:([^@/]*)@)?/, `$1$2:${given}@`)

beforeAll(async () => {
  receiver = await startReceiver()
  mails = await startMailServer({ withoutTls: true, password: 'another' })
  const mail = { CAIRN_SMTP_URL: `smtp://a:${mailPassword}@localhost:${mails.port}`, CAIRN_SMTP_FROM: 'a@b.example' }
  service = await startService(
    { CAIRN_METRICS_TOKEN: metricsToken, CAIRN_WEBHOOK_HOSTS: receiver.host, ...mail },
    undefined,
    log,
  )
  const [, own] = /:([^:@/]+)@/.exec(service.databaseUrl) ?? []
  if (own) secrets['the own password of the database'] = own
  const given = buildersOn(service)
  const { anonymous } = service
  const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const answer = await service.request(method, path, body, headers)
    if (answer.status >= 400) shown += JSON.stringify(answer.body)
    return answer
  }
  const keep = (what: string, secret: string | null | undefined) => {
    if (!secret) throw new Error(`there is no ${what}`)
    secrets[what] = secret
    return secret
  }

  const tenant = await tenantOn(service)
  const { user, app, appId } = tenant
  const session = keep('a session token', user.headers.authorization!.slice('Bearer '.length))
  keep('the signature of a session token', session.split('.')[2])
  const key = keep('an app key', app.key)
  keep('a personal token', (await tenant.newToken()).token)
  const { code } = (await ask('POST', '/auth/codes', {}, user.headers)).body
  const alerts = `/api/v1/apps/${appId}/alert-settings`
  await ask('PUT', alerts, { addresses: ['refused@team.example'], kinds: [] }, user.headers)
  const tested = await ask('POST', `${alerts}/test`, undefined, user.headers)
  shown += tested.body.mails[0].error
  const webhook = { url: receiver.url, eventTypes: ['player.created'] }
  const hook = (await ask('POST', `/api/v1/apps/${appId}/webhooks`, webhook, user.headers)).body
  keep('the secret of a webhook', hook.secret)
  const rotated = await ask('POST', `/api/v1/apps/${appId}/webhooks/${hook.id}/rotate-secret`, {}, user.headers)
  keep('the next secret of a webhook', rotated.body.secret)
  const streamToken = (await ask('POST', '/api/v1/apps/leaderboards/stream-token', {}, app.headers)).body.token
  keep('the token of a stream', streamToken)
  const announced = { fileName: 'a.txt', contentType: 'text/plain' }
  const presigned = (await ask('POST', '/api/upload/presigned', announced, user.headers)).body
  keep('the signature of an upload', /signature=([^&]+)/i.exec(presigned.uploadUrl)?.[1])
  const address = encodeURIComponent(tenant.fileUrl)
  const download = (await ask('GET', `/api/download?url=${address}`, undefined, user.headers)).body
  keep('the signature of a download', /signature=([^&]+)/i.exec(download.downloadUrl)?.[1])
  const firstAdmin = keep(
    'the link of the first admin',
    new URL((await service.app.box.firstAdminLink())!).searchParams.get('code'),
  )

  // At the built-in issuer, with a right and a wrong password.
  const operator = { actor: 'operator', address: null }
  await service.app.operator.accounts.add({ login: 'grace', password }, operator)
  const identity = keep('an identity token', await signInAtBox(service.url, { login: 'grace', password }))
  const wrong = keep('a password that is wrong', mark())
  await signInAtBox(service.url, { login: 'grace', password: wrong }).catch(() => {})
  const exchanged = await ask('POST', '/auth/exchange', { token: identity })
  keep('the token of an exchange', exchanged.body.serviceSessionToken)
  await ask('POST', '/auth/exchange', { token: `${identity}x` })

  // Each secret in its place, in wrong places, and in malformed input.
  const cookie = keep('a cookie', mark())
  await fetch(`${service.url}/first-admin?code=${firstAdmin}`, { headers: { cookie: `session=${cookie}` } })
  await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  await ask('PUT', presigned.uploadUrl, 'hello', { 'content-type': 'text/plain', ...presigned.headers })
  await ask('PUT', `${presigned.uploadUrl}x`, 'hello', { 'content-type': 'text/plain' })
  await ask('GET', download.downloadUrl)
  const cut = new AbortController()
  await fetch(`${service.url}/api/v1/apps/leaderboards/stream?token=${streamToken}`, { signal: cut.signal })
  cut.abort()
  for (const [what, secret] of Object.entries(secrets))
    for (const [method, path] of [
      ['GET', '/api/zones'],
      ['POST', '/auth/codes/exchange'],
      ['POST', '/api/upload'],
      ['DELETE', '/nowhere'],
    ] as const)
      await service.request(
        method,
        `${path}?token=${encodeURIComponent(secret)}&x=%zz`,
        method === 'GET' ? undefined : `{"${what}":"${secret}",`,
        {
          'content-type': 'application/json',
          authorization: `Bearer ${secret}`,
          'x-app-api-key': secret,
          'idempotency-key': 'same',
          cookie,
        },
      )
  await ask('POST', '/auth/codes/exchange', { code }, app.headers)
  await ask('POST', `/api/v1/apps/${appId}/webhooks/${hook.id}/test`, undefined, user.headers)
  await receiver.count(1)
  receiver.answer = (response) => {
    response.writeHead(500).end('no')
    return false
  }
  await given.player(app)

  // Every operation with and without its credential.
  for (const [operation, { call }] of Object.entries(accessTable)) {
    const [method] = operation.split(' ')
    const { path, body, headers } = await call(tenant)
    if (/\/stream(\?|$)/.test(path) || operation.endsWith('/sign-out')) continue
    const { status } = await ask(method!, path, body, { ...headers, ...user.headers, ...app.headers })
    if (status < 300) await ask(method!, path, body instanceof FormData ? formOf({ bytes: 'x' }) : body)
  }
  const rotation = await ask('POST', `/api/v1/apps/${appId}/api-key/rotate`, {}, user.headers)
  keep('the next app key', rotation.body.apiKey)
  await ask('GET', '/api/v1/apps/players', undefined, { 'x-app-api-key': key })
  await ask('POST', '/auth/sign-out', undefined, user.headers)
  const metrics = await anonymous.get('/metrics')
  const seen = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  shown += JSON.stringify(metrics.body) + (await seen.text())

  // The database becomes unavailable.
  const admin = new pg.Client({ connectionString: process.env.CAIRN_TEST_POSTGRES })
  await admin.connect()
  const name = new URL(service.databaseUrl.replace('@/', '@box/')).pathname.slice(1)
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await ask('GET', '/api/v1/apps/public')
  await ask('GET', '/api/v1/apps/players', undefined, { 'x-app-api-key': rotation.body.apiKey })
  await admin.query(`alter database ${name} allow_connections true`)
  await admin.end()
  for (let i = 0; (await anonymous.get('/readyz')).status !== 200; i++) {
    if (i > 600) throw new Error('the service did not come back')
    await sleep(100)
  }
}, 600_000)
afterAll(async () => {
  await service.stop()
  await receiver.stop()
  await mails.stop()
})

/** The secrets in a text. */
const secretsIn = (text: string) =>
  Object.entries(secrets).flatMap(([what, secret]) => (text.includes(secret) ? [what] : []))

test('no secret is in the log at its most verbose level', () => {
  expect(logged).toContain('"level":"trace"')
  expect(logged).toContain('"level":"error"')
  expect(secretsIn(logged)).toEqual([])
})

test('no secret is in an error or in the metrics', () => {
  expect(shown).toContain('cairn_')
  expect(secretsIn(shown)).toEqual([])
})

test('no secret is in plain text in the database, including the audit log and stored responses', async () => {
  const sql = sqlOn(service)
  const tables = await sql<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables) {
    const rows = await sql<{ text: string }>(`select t::text as text from ${name} t`)
    expect({ table: name, secrets: secretsIn(rows.map(({ text }) => text).join('\n')) }).toEqual({
      table: name,
      secrets: [],
    })
  }
})

test('Redis and database errors do not name the password', async () => {
  const { url, drop } = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'cairn-secrets-'))
  const settings = { CAIRN_DATA_DIR: folder, CAIRN_REDIS_URL: withPassword('redis://127.0.0.1:1', redisPassword) }
  const config = readConfig(settings, '')
  const parts = { config, secret: 'a secret of the tests, long enough', log }
  const from = logged.length
  const app = await createApp({ ...parts, databaseUrl: withPassword(url, databasePassword) })
  const address = await app.start({ host: '127.0.0.1', port: 0 })
  await fetch(`${address}/api/v1/apps/players`, { headers: { 'x-app-api-key': secrets['an app key']! } })
  await app.stop()
  await drop()
  const nowhere = withPassword(withDatabase(url, 'no_such_database'), databasePassword)
  const failed = await createApp({ ...parts, databaseUrl: nowhere })
  const failure = await failed.start({ host: '127.0.0.1', port: 0 }).then(() => undefined, String)
  await failed.close()
  await rm(folder, { recursive: true, force: true })
  expect(failure).toContain('no_such_database')
  expect(secretsIn(`${failure}${logged.slice(from)}`)).toEqual([])
})

test('invalid settings are named, and their values not repeated', () => {
  const settings = {
    CAIRN_DATABASE_URL: `postgres//cairn:${databasePassword}@db/cairn`,
    CAIRN_REDIS_URL: `redis//:${redisPassword}@redis`,
    CAIRN_SECRET: password.slice(0, 20),
    CAIRN_METRICS_TOKEN: password.slice(0, 10),
    CAIRN_S3_SECRET_ACCESS_KEY: password,
    CAIRN_OIDC: `{"secret":"${password}"`,
    CAIRN_SECRETS: password,
  }
  let failure = ''
  try {
    readConfig(settings, '')
  } catch (error) {
    failure = String(error)
  }
  for (const name of Object.keys(settings)) expect(failure).toContain(name)
  expect(failure).not.toContain(password.slice(0, 10))
  expect(secretsIn(failure)).toEqual([])
})

test('a process that ends of a fault prints its message and nothing else', async () => {
  const { url, drop } = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'cairn-secrets-'))
  // Errors of a database or a storage have similar members.
  const carried =
    '{ config: { password: process.env.CAIRN_SECRET }, headers: { authorization: process.env.CAIRN_SECRET } }'
  const fault = `process.on('SIGUSR2', () => { throw Object.assign(new Error('the fault of this test'), ${carried}) })`
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(fault)}`, join(ROOT, 'server/main.ts')],
    {
      env: {
        ...bareEnvironment(),
        CAIRN_DATABASE_URL: withPassword(url, databasePassword).replace('@/', '@localhost/'),
        CAIRN_DATA_DIR: folder,
        CAIRN_PORT: '0',
        CAIRN_SECRET: password,
        CAIRN_LOG_LEVEL: 'trace',
      },
    },
  )
  let output = ''
  const listen = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const ended = new Promise((resolve) => child.on('exit', resolve))
  for (let i = 0; i < 1200 && !output.includes('Cairn is at') && child.exitCode === null; i++) await sleep(50)
  child.kill('SIGUSR2')
  expect(await ended).toBe(1)
  await drop()
  await rm(folder, { recursive: true, force: true })
  expect(output).toContain('the fault of this test')
  expect(secretsIn(output)).toEqual([])
})
