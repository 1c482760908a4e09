import { afterAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { startService } from '../../test/service.ts'
import { keyIdOf, newApiKey } from './api-key.ts'

const service = await startService()
const given = givenOn(service)
afterAll(() => service.stop())

const apps = '/api/v1/apps'
const fields = { name: 'Trail', description: 'A race through the park' }

describe('apps', () => {
  test('a created app answers 201 with its key, which opens the app', async () => {
    const user = await given.user()
    const { status, body, headers } = await user.post(apps, fields)
    expect({ status, body }).toMatchObject({ status: 201, body: { ...fields, imageUrl: null, visibility: 'PRIVATE' } })
    expect(body.apiKey).toMatch(/^cairn_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await service.as({ 'x-app-api-key': body.apiKey }).get(`${apps}/players`)).toMatchObject({
      status: 200,
      body: { players: [] },
    })
  })

  test('the owner sees the key again; of a PUBLIC app everybody else sees it masked, of a PRIVATE one nothing', async () => {
    const [owner, other] = [await given.user(), await given.user()]
    const open = (await owner.post(apps, { ...fields, visibility: 'PUBLIC' })).body
    const closed = (await owner.post(apps, fields)).body

    expect((await owner.get(apps)).body).toEqual({ apps: [open, closed] })
    expect((await owner.get(`${apps}/${closed.id}`)).body).toEqual(closed)
    for (const stranger of [other, service.anonymous]) {
      expect((await stranger.get(`${apps}/${open.id}`)).body).toEqual({
        ...open,
        apiKey: `${open.apiKey.slice(0, 14)}_…`,
      })
      expect(await stranger.get(`${apps}/${closed.id}`)).toMatchObject({
        status: 404,
        body: { error: 'App not found' },
      })
    }
    const listed = (await service.anonymous.get(`${apps}/public`)).body.apps
    expect(listed.map(({ id }: { id: string }) => id)).toContain(open.id)
    expect(JSON.stringify(listed)).not.toContain(open.apiKey)
    expect(JSON.stringify(listed)).not.toContain(closed.id)
    expect((await other.get(apps)).body).toEqual({ apps: [] })
  })

  test('names are 1 to 100 characters, descriptions 1 to 500, images http or https addresses', async () => {
    const user = await given.user()
    const wrong = {
      name: ['', 'x'.repeat(101), 7, undefined],
      description: ['', 'x'.repeat(501), null],
      imageUrl: ['javascript:alert(1)', 'data:image/png;base64,AAAA', 'no address'],
      visibility: ['public', 'HIDDEN'],
    }
    for (const [member, values] of Object.entries(wrong))
      for (const value of values)
        expect(await user.post(apps, { ...fields, [member]: value }), `${member}=${value}`).toMatchObject({
          status: 400,
          body: { error: [{ path: [member] }] },
        })
    expect((await user.get(apps)).body).toEqual({ apps: [] })
  })

  test('without a session it is 401', async () => {
    expect(await service.anonymous.post(apps, fields)).toMatchObject({ status: 401 })
    expect(await service.as({ authorization: 'Bearer nonsense' }).get(apps)).toMatchObject({ status: 401 })
    expect(await service.as({ authorization: 'Basic YTpi' }).get(apps)).toMatchObject({ status: 401 })
  })
})

test('every single mistyped character of a key is caught by its checksum', () => {
  const key = newApiKey()
  expect(keyIdOf(key)).toBe(key.slice(6, 14))
  for (let i = 0; i < key.length; i++) {
    const other = key[i] === 'x' ? 'y' : 'x'
    expect(keyIdOf(key.slice(0, i) + other + key.slice(i + 1))).toBeUndefined()
  }
})
