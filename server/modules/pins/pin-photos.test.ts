import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { photoSteps } from '../../test/content/tags/photo-steps.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let steps: Awaited<ReturnType<typeof photoSteps>>
beforeAll(async () => {
  service = await startService()
  steps = await photoSteps(service, buildersOn(service))
})
afterAll(() => service.stop())

const isThere = async (url: string) => (await service.anonymous.get(url)).status === 200

test('a photo of a ground control point is deleted when the last pin that shows it removes it', {
  tags: ['long'],
}, async () => {
  const pins = '/api/location/pins'
  const ends: ((pin: number) => Promise<{ status: number }>)[] = [
    (pin) => steps.maker.put(`${pins}/${pin}`, { title: 'Here', relocalizationPhotoUrl: null }),
    (pin) =>
      steps.maker.put(`${pins}/${pin}`, { title: 'Here', relocalizationPhotoUrl: 'https://photos.example/other.jpg' }),
    (pin) => steps.maker.delete(`${pins}/${pin}`),
  ]
  for (const end of ends) {
    const { id } = await steps.newGcp()
    const { fileUrl } = await steps.sent({ gcpId: id })
    const place = { title: 'Here', contentType: 'IMAGE', latitude: 1, longitude: 2 }
    const made = await steps.maker.post(pins, { ...place, contentUrl: fileUrl, relocalizationPhotoUrl: fileUrl })
    const other = await steps.maker.post(pins, { ...place, contentUrl: fileUrl })
    await steps.maker.delete(`/api/gcp/${id}`)
    await steps.maker.delete(`${pins}/${other.body.id}`)
    expect((await steps.maker.put(`${pins}/${made.body.id}`, { title: 'There', contentUrl: null })).status).toBe(200)
    expect(await isThere(fileUrl)).toBe(true)
    expect((await end(made.body.id)).status).toBeLessThan(300)
    expect(await isThere(fileUrl)).toBe(false)
  }
})

describe('a photo of a ground control point that its owner removes', () => {
  const shownBy = async (who: Caller, fileUrl: string) => {
    const place = { title: 'There', contentType: 'IMAGE', latitude: 1, longitude: 2 }
    const made = await who.post('/api/location/pins', { ...place, contentUrl: fileUrl })
    expect(made.status).toBe(201)
    return made.body.id as number
  }
  const removed = (id: number, url: string) =>
    steps.maker.delete(`/api/gcp/${id}/remove-photo?photoUrl=${encodeURIComponent(url)}`)

  test('is deleted even if records of other users have its URL', async () => {
    const { id } = await steps.newGcp()
    const { fileUrl } = await steps.sent({ gcpId: id })
    await shownBy(steps.stranger, fileUrl)
    await steps.newGcp({ photoUrls: [fileUrl] }, steps.stranger)
    expect((await removed(id, fileUrl)).status).toBe(200)
    expect(await isThere(fileUrl)).toBe(false)
  })

  test('is kept while a pin of ops shows it, and is deleted with that pin', async () => {
    const { id } = await steps.newGcp()
    const { fileUrl } = await steps.sent({ gcpId: id })
    const pin = await shownBy(steps.ops, fileUrl)
    expect((await removed(id, fileUrl)).status).toBe(200)
    expect(await isThere(fileUrl)).toBe(true)
    expect((await steps.ops.delete(`/api/location/pins/${pin}`)).status).toBeLessThan(300)
    expect(await isThere(fileUrl)).toBe(false)
  })
})
