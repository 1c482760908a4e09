import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { type Caller, type Service, startService } from '../service.ts'
import { importsOn } from '../surveying/imports.ts'

let service: Service
let user: Caller & { id: string }
let ops: Caller & { id: string }
let app: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  const given = buildersOn(service)
  user = await given.user()
  ops = await given.user({ roles: ['ops'] })
  app = await given.app({ owner: user })
})
afterAll(() => service.stop())

const pin = { title: 'Pin', contentType: 'URL', latitude: 1, longitude: 2 }
const gcp = { title: 'Mark', gcpType: 'SINGLE' }
const newPin = async (): Promise<number> => (await user.post('/api/location/pins', pin)).body.id
const newGcp = async (): Promise<number> => (await user.post('/api/gcp', gcp)).body.gcp.id

/** Every member and parameter that accepts a URL shown to others, and where it is returned. */
const takers: Record<
  string,
  { send: (address: string) => Promise<{ status: number; body: unknown }>; path: unknown[] }
> = {
  'photoUrls of a new GCP': {
    send: (address) => user.post('/api/gcp', { ...gcp, photoUrls: [address] }),
    path: ['photoUrls', 0],
  },
  'photoUrls of a GCP': {
    send: async (address) => user.put(`/api/gcp/${await newGcp()}`, { title: 'Mark', photoUrls: [address] }),
    path: ['photoUrls', 0],
  },
  'contentUrl of a new pin': {
    send: (contentUrl) => user.post('/api/location/pins', { ...pin, contentUrl }),
    path: ['contentUrl'],
  },
  'relocalizationPhotoUrl of a new pin': {
    send: (relocalizationPhotoUrl) => user.post('/api/location/pins', { ...pin, relocalizationPhotoUrl }),
    path: ['relocalizationPhotoUrl'],
  },
  'worldmapURL of a new pin': {
    send: (worldmapURL) =>
      user.post('/api/location/pins', { ...pin, localizationData: { trackingMode: 'WORLD', worldmapURL } }),
    path: ['localizationData', 'worldmapURL'],
  },
  'contentUrl of a pin': {
    send: async (contentUrl) => user.put(`/api/location/pins/${await newPin()}`, { title: 'Pin', contentUrl }),
    path: ['contentUrl'],
  },
  'blockchainTxUrl of a pin': {
    send: async (blockchainTxUrl) => ops.put(`/api/location/pins/${await newPin()}`, { title: 'Pin', blockchainTxUrl }),
    path: ['blockchainTxUrl'],
  },
  'imageUrl of a new app': {
    send: (imageUrl) => user.post('/api/v1/apps', { name: 'App', description: 'x', imageUrl }),
    path: ['imageUrl'],
  },
  'imageUrl of an app': {
    send: (imageUrl) => user.patch(`/api/v1/apps/${app.id}`, { imageUrl }),
    path: ['imageUrl'],
  },
  'imageUrl of a new mini game type': {
    send: (imageUrl) => app.post('/api/v1/apps/mini-game-types', { name: `T${Math.random()}`, imageUrl }),
    path: ['imageUrl'],
  },
}

const dangerous = [
  'javascript:alert(1)',
  'JavaScript:alert(1)//https://a.example/',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'javascript://a.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/png;base64,AAAA',
  'file:///etc/passwd',
  'vbscript:msgbox(1)',
  'blob:https://a.example/1',
  'ftp://a.example/1.jpg',
  'ws://a.example/',
  'about:blank',
  'view-source:https://a.example/',
  'feed:https://a.example/',
  'intent://a.example/#Intent;scheme=https;end',
  '//a.example/1.jpg',
  '/1.jpg',
  '1.jpg',
  'https:a.example/1.jpg',
  'https:/a.example',
  'https://',
  'https://a b.example/',
  '',
  `https://a.example/${'x'.repeat(2048)}`,
]

describe.each(Object.entries(takers))('%s', (_, { send, path }) => {
  test('accepts http and https URLs', async () => {
    for (const address of ['https://a.example/1.jpg', 'http://a.example:8080/1?a=b#c', 'HTTPS://a.example/%20'])
      expect((await send(address)).status).toBeLessThan(300)
  })

  test('refuses all others', async () => {
    for (const address of dangerous) {
      const { status, body } = await send(address)
      expect([address, status, body]).toMatchObject([address, 400, { error: [{ path }] }])
    }
  })
})

test('a survey file cannot introduce others', { tags: ['long'] }, async () => {
  const imports = importsOn(service, user)
  const refused = dangerous.filter((address) => !/[\n,]/.test(address) && address.trim() !== '')
  const rows = refused.map((address, i) => `P${i},1,2,${address}`)
  const { gcps, report } = await imports.imported(
    `title,lat,lon,photo\n${rows.join('\n')}\nGood,1,2,https://a.example/1\n`,
  )
  expect(gcps.flatMap(({ photoUrls }: { photoUrls: string[] }) => photoUrls)).toEqual(['https://a.example/1'])
  expect(report.rows.length).toBeGreaterThan(0)
})
