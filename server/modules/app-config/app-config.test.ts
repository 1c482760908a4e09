import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitedSession } from '../../test/access/limited-session.ts'
import { buildersOn } from '../../test/builders.ts'
import { appUrl, nextOf, unknownId } from '../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'
import { MAX_VERSIONS } from './schema.ts'

let service: Service
let owner: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  owner = await buildersOn(service).user()
})
afterAll(() => service.stop())

const newApp = (visibility = 'PRIVATE') => buildersOn(service).app({ owner, visibility })
const config = appUrl('config')
const versions = appUrl('config/versions')
const of = (id: string) => `${config}?appId=${id}`

describe('the configuration of an app', () => {
  test('is 404 until it is written, then comes back as it was sent, with its version as the ETag', async () => {
    const app = await newApp()
    expect(await app.get(config)).toMatchObject({ status: 404, body: { error: 'Configuration not found' } })
    const value = { z: [1, { deep: null }], event: 'winter', a: '€' }
    const written = await app.put(config, value)
    expect(written).toMatchObject({ status: 201, body: { version: 1, userId: null, keyId: app.key.split('_')[1] } })
    expect(written.body.size).toBe(Buffer.byteLength(JSON.stringify(value)))
    const read = await app.get(config)
    expect([JSON.stringify(read.body), read.headers.get('etag')]).toEqual([JSON.stringify(value), '"1"'])
    const same = await service.request('GET', config, undefined, { ...app.headers, 'if-none-match': '"1"' })
    expect([same.status, same.body]).toEqual([304, ''])
  })

  test('can have 256 KiB and must be an object', async () => {
    const app = await newApp()
    const text = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
    expect((await app.put(config, text(262_144))).status).toBe(201)
    expect((await app.put(config, text(262_145))).status).toBe(413)
    expect((await app.put(config, [])).status).toBe(400)
  })

  test('sent again as it is makes no version', async () => {
    const app = await newApp()
    await app.put(config, { a: 1 })
    expect(await app.put(config, { a: 1 })).toMatchObject({ status: 200, body: { version: 1 } })
    expect((await app.get(versions)).body.versions).toHaveLength(1)
  })

  test('is written with If-Match only over the version it names, and audited', async () => {
    const app = await newApp()
    const put = (value: object, tag: string) =>
      service.request('PUT', config, value, { ...app.headers, 'if-match': tag })
    expect((await put({ a: 1 }, '*')).status).toBe(412)
    await app.put(config, { a: 1 })
    expect((await put({ a: 2 }, '"1"')).status).toBe(200)
    expect(await put({ a: 3 }, '"1"')).toMatchObject({ status: 412, body: { error: expect.stringContaining('"2"') } })
    const entries = await sqlOn(service)<{ actor: string }>(
      `select actor from audit_log where subject = $1 and action = 'app_config.updated'`,
      [app.id],
    )
    expect(entries).toEqual([{ actor: `app:${app.id}` }, { actor: `app:${app.id}` }])
  })
})

describe('the versions', () => {
  test('are listed newest first with who wrote them, can be read, and one is restored by writing it', async () => {
    const app = await newApp()
    await app.put(config, { event: 'winter' })
    await owner.put(of(app.id), { event: 'spring' })
    const { body, headers } = await app.get(`${versions}?limit=1`)
    expect(headers.get('x-total-count')).toBe('2')
    expect(body.versions).toMatchObject([{ version: 2, userId: owner.id, keyId: null }])
    const rest = await app.get(nextOf(headers)!)
    expect(rest.body.versions).toMatchObject([{ version: 1, userId: null }])
    expect(nextOf(rest.headers)).toBeUndefined()

    const first = await app.get(`${versions}/1`)
    expect([first.body, first.headers.get('etag')]).toEqual([{ event: 'winter' }, '"1"'])
    expect(await app.put(config, first.body)).toMatchObject({ status: 200, body: { version: 3 } })
    expect((await app.get(config)).body).toEqual({ event: 'winter' })
    for (const unknown of ['4', '9007199254740990']) expect((await app.get(`${versions}/${unknown}`)).status).toBe(404)
  })

  test(`are kept up to ${MAX_VERSIONS}, the newest ones`, async () => {
    const app = await newApp()
    await sqlOn(service)(
      `insert into app_configs (app_id, version, value, bytes)
       select $1, n, '{}', 2 from generate_series(1, ${MAX_VERSIONS}) n`,
      [app.id],
    )
    expect((await app.put(config, { n: 101 })).body.version).toBe(101)
    const kept = (await app.get(versions)).body.versions.map(({ version }: { version: number }) => version)
    expect(kept).toEqual(Array.from({ length: MAX_VERSIONS }, (_, n) => 101 - n))
  })
})

describe('who may use it', () => {
  test('the app by its key, and its owner by a full session that names the app', async () => {
    const app = await newApp()
    for (const path of [of(app.id), `${versions}?appId=${app.id}`]) {
      await owner.put(of(app.id), { a: 1 })
      expect((await owner.get(path)).status).toBe(200)
    }
    expect((await app.get(of(app.id))).status).toBe(200)
  })

  test('other users get 404, or 403 for a PUBLIC app; no credential is 401', async () => {
    const [app, open] = [await newApp(), await newApp('PUBLIC')]
    for (const { id } of [app, open]) await owner.put(of(id), { a: 1 })
    const [stranger, other] = [await buildersOn(service).user(), await newApp()]
    for (const [caller, path, status] of [
      [stranger, of(app.id), 404],
      [stranger, of(open.id), 403],
      [stranger, of(unknownId), 404],
      [stranger, of('no-id'), 404],
      [other, of(app.id), 404],
      [service.anonymous, of(app.id), 401],
      [owner, config, 401],
      [await limitedSession(service, owner), of(app.id), 403],
    ] as const) {
      expect([path, (await caller.get(path)).status]).toEqual([path, status])
      expect([path, (await caller.put(path, { a: 2 })).status]).toEqual([path, status])
    }
    expect((await app.get(config)).body).toEqual({ a: 1 })
  })
})
