import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn, type User } from '../builders.ts'
import {
  dangersIn,
  type HostileContent,
  hostileContent,
  hostileNames,
  hostileTypes,
} from '../content/hostile-content.ts'
import { jpeg } from '../content/pictures.ts'
import { formHeaders, formOf, rawForm, withTexts } from '../multipart.ts'
import { type Answer, type Service, startService } from '../service.ts'

let service: Service
let user: User
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

/** All upload endpoints, and the URLs that then serve the file. */
const ways: Record<string, { path: string; field: string; addresses: (body: Answer['body']) => string[] }> = {
  upload: {
    path: '/api/upload',
    field: 'files',
    addresses: ({ results }) => results.flatMap(({ url }: { url: string | null }) => (url ? [url] : [])),
  },
  convert: { path: '/api/upload/convert', field: 'file', addresses: ({ originalFile }) => [originalFile.fileUrl] },
  relocalization: { path: '/api/upload/relocalization', field: 'file', addresses: ({ url }) => [url] },
  'gcp-photos': {
    path: '/api/upload/gcp-photos',
    field: 'files',
    addresses: ({ files }) => files.map(({ fileUrl }: { fileUrl: string }) => fileUrl),
  },
}
const onlyImages = ['relocalization', 'gcp-photos']
const everyWay = Object.keys(ways)

/** The result: refused, or stored and served. @returns the faults of every response with its bytes */
async function dangersOf(way: string, { status, body }: Answer): Promise<string[]> {
  if (status >= 500) return [`${status}`]
  if (status !== 200) return []
  const dangers: string[] = []
  for (const address of ways[way]!.addresses(body))
    for (const query of ['', new URL(await downloadOf(address)).search])
      dangers.push(...dangersIn((await service.anonymous.get(address + query)).headers))
  return dangers
}
const downloadOf = async (address: string): Promise<string> =>
  (await service.anonymous.get(`/api/download?url=${encodeURIComponent(address)}`)).body.downloadUrl

describe.each(everyWay)('%s', (way) => {
  const { path, field } = ways[way]!
  const send = ({ name, type, bytes }: HostileContent) => user.post(path, formOf({ field, name, type, bytes }))

  test.each(hostileContent.map((content) => [content.what, content] as const))('%s', async (_, content) => {
    const answer = await send(content)
    expect(await dangersOf(way, answer)).toEqual([])
    if (onlyImages.includes(way)) expect(answer.status).toBe(400)
  })

  test('no declared type reaches a response or injects a header', { tags: ['long'] }, async () => {
    const bytes = await jpeg(50, 50)
    for (const type of hostileTypes) {
      const answer = await service.request('POST', path, rawForm([{ field, name: 'a.jpg', type, bytes }]), {
        ...user.headers,
        ...formHeaders,
      })
      expect({ type, dangers: await dangersOf(way, answer) }).toEqual({ type, dangers: [] })
      if (answer.status === 200)
        for (const address of ways[way]!.addresses(answer.body))
          expect((await fetch(address, { method: 'HEAD' })).headers.get('content-type')).toMatch(
            /^(image\/jpeg|application\/octet-stream)$/,
          )
    }
  })

  test('no name ends a header, changes a type or leaves its folder', { tags: ['long'] }, async () => {
    const bytes = await jpeg(50, 50)
    for (const name of hostileNames) {
      const answer = await service.request('POST', path, rawForm([{ field, name, type: 'image/jpeg', bytes }]), {
        ...user.headers,
        ...formHeaders,
      })
      expect({ name, dangers: await dangersOf(way, answer) }).toEqual({ name, dangers: [] })
      expect({ name, status: answer.status }).toEqual({ name, status: 200 })
      for (const address of ways[way]!.addresses(answer.body)) expect(address).toMatch(/\/files\/..\/[\w-]{22}\.\w+$/)
    }
  })
})

test('the text parts of a form have no effect either', { tags: ['long'] }, async () => {
  const bytes = await jpeg(50, 50)
  for (const gcpId of ['1; drop table gcps', '<script>', '\u202e1', '9'.repeat(400)]) {
    const form = withTexts(formOf({ field: 'files', name: 'a.jpg', bytes }), { gcpId })
    expect(await user.post('/api/upload/gcp-photos', form)).toMatchObject({ status: 400 })
  }
})

test('a profile image is served as an image, with any content', { tags: ['long'] }, async () => {
  const given = buildersOn(service)
  const app = await given.app()
  const { id } = await given.player(app)
  const at = `/api/v1/apps/players/${id}/profile-image`
  for (const { what, name, type, bytes } of hostileContent)
    expect({ what, ...(await app.patch(at, formOf({ field: 'image', name, type, bytes }))) }).toMatchObject({
      what,
      status: 400,
    })
  const { body } = await app.patch(
    at,
    formOf({ field: 'image', name: 'x.html', type: 'text/html', bytes: await jpeg(600, 600) }),
  )
  const { headers } = await service.anonymous.get(body.imageUrl)
  expect(dangersIn(headers)).toEqual([])
  expect(headers.get('content-type')).toBe('image/jpeg')
})
