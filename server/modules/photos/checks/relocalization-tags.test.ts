// @module-tag long
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { quarters } from '../../../test/content/pictures.ts'
import { photo, photoSteps } from '../../../test/content/tags/photo-steps.ts'
import { checkedPhotos, shownTag, tagPhoto } from '../../../test/content/tags/tag-photos.ts'
import { formOf } from '../../../test/multipart.ts'
import { startReceiver } from '../../../test/network/receiver.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

/** Sends a relocalization photo. @returns its URL */
async function sentAs(bytes: Uint8Array): Promise<string> {
  const { status, body } = await user.post('/api/upload/relocalization', formOf({ name: 'a.jpg', bytes }))
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.url
}
/** Sends a relocalization photo of these tags. @returns its URL */
const sent = async (ids: number[]) => sentAs((await tagPhoto(ids)).bytes)

const shown = (url: string) => service.anonymous.get(`/api/upload/relocalization?url=${encodeURIComponent(url)}`)

/** What the photo shows, once it is checked. */
async function checked(url: string) {
  await expect.poll(async () => (await shown(url)).body.tagCheck).not.toBe('pending')
  return (await shown(url)).body
}

const pinWith = async (fields: object) => {
  const pin = { title: 'Here', contentType: 'GLB', latitude: 1, longitude: 2, ...fields }
  const { status, body } = await user.post('/api/location/pins', pin)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}
const tagsOf = async (id: number) => (await service.anonymous.get(`/api/location/pins/${id}`)).body.relocalizationTags

test('a relocalization photo is pending, and then shows its tags with the pixels of their corners', async () => {
  const { bytes, truths } = await tagPhoto([7])
  const url = await sentAs(bytes)
  const { status, body } = await shown(url)
  expect(status).toBe(200)
  expect(['pending', 'found']).toContain(body.tagCheck)
  expect(await checked(url)).toEqual({
    url,
    tagCheck: 'found',
    tags: truths.map(shownTag),
    width: 640,
    height: 480,
    quality: { sharpness: expect.any(Number), exposure: expect.any(Number) },
    notes: [],
  })
})

test('pixels are those of the stored photo, which is upright', async () => {
  const { bytes } = await tagPhoto([7])
  const { tags } = await checked(await sentAs(bytes))
  const turned = await sharp(bytes).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer()
  const [x, y] = tags[0].center
  // Turned by a quarter clockwise: what was above is now to the right.
  expect(await checked(await sentAs(turned))).toMatchObject({
    width: 480,
    height: 640,
    tags: [{ id: 7, center: [expect.closeTo(479 - y, 0), expect.closeTo(x, 0)] }],
  })
})

test('a photo without tags says what to correct, if anything', async () => {
  expect(await checked(await sentAs(await quarters(640, 480).jpeg().toBuffer()))).toMatchObject({
    tagCheck: 'none',
    tags: [],
    notes: [],
  })
  const blurred = await checked(await sentAs((await tagPhoto([7], { blur: 14 })).bytes))
  expect(blurred).toMatchObject({ tagCheck: 'none', notes: [expect.stringContaining('blurred')] })
})

test('a URL of no checked photo is 404, and one that is no URL 400', async () => {
  const key = 'aa/aaaaaaaaaaaaaaaaaaaaaa.jpg'
  for (const url of [`/files/${key}`, `https://photos.example/files/${key}`, 'https://photos.example/a.jpg'])
    expect(await shown(url)).toMatchObject({ status: 404, body: { error: expect.stringContaining('no such photo') } })
  expect(await shown('a.jpg')).toMatchObject({ status: 400, body: { error: [{ path: ['url'] }] } })
})

test('a pin has the tags of its relocalization photo once that is checked, in searches too', async () => {
  const relocalizationPhotoUrl = await sent([9, 3])
  const early = await pinWith({ relocalizationPhotoUrl })
  await checked(relocalizationPhotoUrl)
  expect(await tagsOf(early.id)).toEqual([3, 9])
  const later = await pinWith({ relocalizationPhotoUrl })
  expect(later.relocalizationTags).toEqual([3, 9])
  await expect
    .poll(async () => {
      const { body } = await service.anonymous.get('/api/location/pins?lat=1&lon=2&radius=10')
      return body.pins.map(({ relocalizationTags }: { relocalizationTags: number[] }) => relocalizationTags)
    })
    .toEqual([
      [3, 9],
      [3, 9],
    ])
})

test('the tags change with the photo, and a photo that was not uploaded as such has none', async () => {
  const [first, second] = [await sent([5]), await sent([])]
  for (const url of [first, second]) await checked(url)
  const { id } = await pinWith({ relocalizationPhotoUrl: first })
  const changed = async (relocalizationPhotoUrl: string | null) => {
    const { status, body } = await user.put(`/api/location/pins/${id}`, { title: 'Here', relocalizationPhotoUrl })
    expect({ status, body }).toMatchObject({ status: 200 })
    return tagsOf(id)
  }
  expect(await tagsOf(id)).toEqual([5])
  expect(await changed(second)).toEqual([])
  expect(await changed('https://photos.example/other.jpg')).toBeNull()
  expect(await changed(first)).toEqual([5])
  expect(await changed(null)).toBeNull()
})

test('a pin keeps its tags while its photo is checked again, and has none if the photo has become unreadable', async () => {
  const url = await sent([6])
  await checked(url)
  const { id } = await pinWith({ relocalizationPhotoUrl: url })
  await service.app.objects.remove(url.split('/files/')[1]!)
  await service.app.operator.photoChecks.request({ all: true })
  expect([[6], null]).toContainEqual(await tagsOf(id))
  expect(await checked(url)).toMatchObject({ tagCheck: 'unreadable', notes: [expect.stringContaining('missing')] })
  expect(await tagsOf(id)).toBeNull()
})

test('a photo of a point that a pin shows has tags, too', async () => {
  const { send, maker, newGcp } = await photoSteps(service, buildersOn(service))
  const gcp = await newGcp()
  const { bytes } = await tagPhoto([31])
  const { body } = await send([photo({ bytes })], { gcpId: gcp.id })
  await checkedPhotos(maker, gcp.id)
  const { fileUrl } = body.files[0]
  expect(await pinWith({ relocalizationPhotoUrl: fileUrl })).toMatchObject({ relocalizationTags: [31] })
  expect(await checked(fileUrl)).toMatchObject({ tagCheck: 'found', tags: [{ id: 31 }] })
})

test('the command that checks older photos finds those of pins', async () => {
  const relocalizationPhotoUrl = await sent([12])
  await checked(relocalizationPhotoUrl)
  const { id } = await pinWith({ relocalizationPhotoUrl })
  const sql = sqlOn(service)
  await sql('delete from photo_checks')
  await sql('update pins set relocalization_tags = null where id = $1', [id])
  await service.app.operator.photoChecks.request({ all: false })
  await expect.poll(() => tagsOf(id)).toEqual([12])
})

test('photos that pins show while they are checked have their tags in every pin', async () => {
  const { bytes } = await tagPhoto([2])
  const urls = await Promise.all(Array.from({ length: 3 }, () => sentAs(bytes)))
  const ids: number[] = []
  let isChecked = false
  const ended = Promise.all(urls.map(checked)).then(() => {
    isChecked = true
  })
  while (!isChecked) for (const relocalizationPhotoUrl of urls) ids.push((await pinWith({ relocalizationPhotoUrl })).id)
  await ended
  const tags = await sqlOn(service)('select distinct relocalization_tags as tags from pins where id = any($1)', [ids])
  expect(tags).toEqual([{ tags: [2] }])
})

test('a relocalization photo sends no gcp_photo.checked', async () => {
  const receiver = await startReceiver()
  const hooked = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host })
  try {
    const given = buildersOn(hooked)
    const steps = await photoSteps(hooked, given)
    const app = await given.app({ owner: steps.maker })
    const hook = { url: receiver.url, eventTypes: ['gcp_photo.checked'] }
    expect((await steps.maker.post(`/api/v1/apps/${app.id}/webhooks`, hook)).status).toBe(201)
    const { bytes } = await tagPhoto([5])
    const { body } = await steps.maker.post('/api/upload/relocalization', formOf({ name: 'a.jpg', bytes }))
    const path = `/api/upload/relocalization?url=${encodeURIComponent(body.url)}`
    await expect.poll(async () => (await hooked.anonymous.get(path)).body.tagCheck).toBe('found')
    const { id } = await steps.newGcp()
    await steps.send([photo({ bytes })], { gcpId: id })
    await receiver.next(({ data }) => data.gcpId === id)
    expect(receiver.received).toHaveLength(1)
  } finally {
    await hooked.stop()
    await receiver.stop()
  }
})
