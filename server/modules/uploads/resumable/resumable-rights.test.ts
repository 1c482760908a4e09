import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KNOWN, startResumable } from '../../../test/network/resumable.ts'
import { tusOn } from '../../../test/network/tus.ts'

let resumable: Awaited<ReturnType<typeof startResumable>>
beforeAll(async () => {
  resumable = await startResumable()
})
afterAll(() => resumable.service.stop())

describe('the owner of an upload', () => {
  test('is the user of the session that created it; only that user continues it and owns the file', async () => {
    const [user, stranger] = [await resumable.given.user(), await resumable.given.user()]
    const own = tusOn(resumable.service, user.headers)
    const { url } = await resumable.begun(5, { by: own })
    for (const other of [
      resumable.tus,
      tusOn(resumable.service, stranger.headers),
      tusOn(resumable.service, (await resumable.given.app()).headers),
    ]) {
      expect((await other.head(url)).status).toBe(404)
      expect((await other.state(url)).status).toBe(404)
      expect((await other.patch(url, 0, 'hello')).status).toBe(404)
      expect((await other.end(url)).status).toBe(404)
    }
    const fileId = Number((await own.patch(url, 0, 'hello')).headers.get('upload-file-id'))
    expect(await resumable.sql('select user_id from files where id = $1', [fileId])).toEqual([{ user_id: user.id }])
  })

  test('is the app whose key created it; only that app continues it', async () => {
    const [app, other] = [await resumable.given.app(), await resumable.given.app()]
    const own = tusOn(resumable.service, app.headers)
    const { url } = await resumable.begun(5, { by: own })
    expect((await tusOn(resumable.service, other.headers).head(url)).status).toBe(404)
    expect((await resumable.tus.head(url)).status).toBe(404)
    expect((await own.patch(url, 0, 'hello')).status).toBe(204)
  })

  test('must have a valid credential: otherwise 401', async () => {
    expect((await tusOn(resumable.service, { authorization: 'Bearer none' }).begin(5)).status).toBe(401)
    expect((await tusOn(resumable.service, { 'x-app-api-key': 'none' }).begin(5)).status).toBe(401)
  })

  test('loses the upload when the user is deleted', async () => {
    const user = await resumable.given.user()
    const { id } = await resumable.begun(5, { by: tusOn(resumable.service, user.headers) })
    await user.delete('/api/v1/user')
    expect(await resumable.sql('select from resumable_uploads where id = $1', [id])).toEqual([])
  })
})

describe('for browsers and clients', () => {
  const origin = 'https://game.example'

  test('OPTIONS describes the supported protocol, as a preflight and alone', async () => {
    for (const path of ['/api/upload/tus', `/api/upload/tus/${'A'.repeat(22)}`])
      for (const headers of [
        {},
        {
          origin,
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'tus-resumable,upload-offset',
        },
      ] as Record<string, string>[]) {
        const answer = await resumable.service.request('OPTIONS', path, undefined, headers)
        expect(answer.status).toBe(204)
        expect(answer.headers.get('tus-version')).toBe('1.0.0')
        expect(answer.headers.get('tus-extension')).toBe(
          'creation,creation-with-upload,creation-defer-length,termination,expiration',
        )
        expect(answer.headers.get('tus-max-size')).toBe(String(KNOWN))
        if (headers.origin)
          expect(answer.headers.get('access-control-allow-headers')).toBe('tus-resumable,upload-offset')
      }
  })

  test('responses are readable by pages of other origins, and have the common headers', async () => {
    const { headers } = await resumable.tus.begin(5, { origin })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(/, ?/)
    for (const name of [
      'location',
      'upload-offset',
      'upload-length',
      'upload-expires',
      'upload-file-id',
      'upload-file-url',
      'tus-resumable',
    ])
      expect(exposed).toContain(name)
    expect(headers.get('x-request-id')).toBeTruthy()
    expect(headers.get('ratelimit')).toBeTruthy()
  })

  test('requests are measured like all others', async () => {
    await resumable.begun(5)
    const { body } = await resumable.service.anonymous.get('/metrics')
    expect(body).toMatch(/cairn_http_request_seconds_count\{method="POST",route="\/api\/upload\/tus",status="201"\}/)
  })

  test('an Idempotency-Key has no effect', async () => {
    const key = { 'idempotency-key': 'the same for all' }
    const { status, headers } = await resumable.tus.begin(5, key)
    expect(status).toBe(201)
    expect((await resumable.tus.patch(resumable.here(headers.get('location')!), 0, 'hello', key)).status).toBe(204)
  })
})
