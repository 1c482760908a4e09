// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { photo, photoSteps } from '../../../test/content/tags/photo-steps.ts'
import { checkedPhotos, shownTag, tagPhoto } from '../../../test/content/tags/tag-photos.ts'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let service: Service
let receiver: Receiver
let steps: Awaited<ReturnType<typeof photoSteps>>
let given: Builders
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host })
  given = buildersOn(service)
  steps = await photoSteps(service, given)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

/** Far apart, so that no tags are in conflict. */
let places = 0
const pose = () => ({
  position: { lat: 10 + places++, lon: 13, h: 40 },
  angles: { yaw: 0, pitch: 0, roll: 0 },
})

/** The only photo of a new point, once it is checked. */
async function checked(bytes: Uint8Array, gcp: object = {}) {
  const { id } = await steps.newGcp(gcp)
  expect((await steps.send([photo({ bytes })], { gcpId: id })).status).toBe(200)
  const [file] = await checkedPhotos(steps.maker, id)
  return file
}

describe('a photo of a point', () => {
  test('is pending when it is uploaded, and then shows the tag of the point, to a hundredth of a pixel', async () => {
    const { id } = await steps.newGcp({ aprilTagId: 7, geoPose: pose() })
    const { bytes, truths } = await tagPhoto([7])
    const { body } = await steps.send([photo({ bytes })], { gcpId: id })
    expect(body.files).toMatchObject([{ tagCheck: 'pending', tags: [], width: null, exif: null, quality: null }])
    const [file] = await checkedPhotos(steps.maker, id)
    expect(file).toEqual({
      ...body.files[0],
      tagCheck: 'match',
      tags: truths.map(shownTag),
      width: 640,
      height: 480,
      quality: { sharpness: expect.any(Number), exposure: expect.any(Number) },
      notes: [],
    })
    expect((await steps.gcp(id)).uploadedFiles).toEqual([file])
  })

  test('that shows another tag is a mismatch with a sentence, until the tag of the point is corrected', async () => {
    const file = await checked((await tagPhoto([9, 3])).bytes, { aprilTagId: 8, geoPose: pose() })
    expect(file).toMatchObject({
      tagCheck: 'mismatch',
      notes: ['The photo shows tags 3 and 9, but the point has tag 8: correct one of them'],
    })
    const { status } = await steps.maker.put(`/api/gcp/${file.gcpId}`, { title: 'Corrected', aprilTagId: 9 })
    expect(status).toBe(200)
    expect((await steps.gcp(file.gcpId)).uploadedFiles).toMatchObject([{ tagCheck: 'match', notes: [] }])
  })

  test('that is blurred has a sentence that says what to do', async () => {
    const file = await checked((await tagPhoto([7], { blur: 14 })).bytes, { aprilTagId: 7, geoPose: pose() })
    expect(file).toMatchObject({
      tagCheck: 'none',
      tags: [],
      notes: ['The photo is blurred, and tag 7 is unreadable: take it again from half the distance'],
    })
    expect(file.quality.sharpness).toBeLessThan(0.35)
  })

  test('has the distance of the camera from the point, and a sentence if it is far away', async () => {
    const geoPose = pose()
    const { lat } = geoPose.position
    const { bytes } = await tagPhoto([7], { takenAt: [lat + 0.01, 13] })
    expect(await checked(bytes, { aprilTagId: 7, geoPose })).toMatchObject({
      tagCheck: 'match',
      exif: { lat: expect.closeTo(lat + 0.01, 5), lon: expect.closeTo(13, 5), distanceToGcp: expect.closeTo(1106, -1) },
      notes: [expect.stringMatching(/^The camera says that it was 11\d\d m from the point/)],
    })
  })

  test('of a point without a tag is none, and says which tag it shows', async () => {
    expect(await checked((await tagPhoto([11])).bytes)).toMatchObject({
      tagCheck: 'none',
      tags: [{ id: 11 }],
      notes: ['The photo shows tag 11, but the point has no tag'],
    })
  })

  test('that cannot be decoded is unreadable, with the reason', async () => {
    const { bytes } = await tagPhoto([7])
    const file = await checked(bytes.subarray(0, bytes.length / 2), { aprilTagId: 7, geoPose: pose() })
    expect(file).toMatchObject({ tagCheck: 'unreadable', notes: [expect.stringMatching(/cannot be read/)] })
  })

  test('whose bytes are missing is unreadable', async () => {
    const { id } = await steps.newGcp({ aprilTagId: 7, geoPose: pose() })
    const { bytes } = await tagPhoto([7])
    const { body } = await steps.send([photo({ bytes })], { gcpId: id })
    await checkedPhotos(steps.maker, id)
    await service.app.objects.remove(body.files[0].bucketPath)
    await service.app.operator.photoChecks.request({ all: true })
    await expect
      .poll(async () => (await steps.gcp(id)).uploadedFiles[0])
      .toMatchObject({ tagCheck: 'unreadable', notes: ['The photo is missing from the storage: upload it again'] })
  })

  test('that ends every process is unreadable after five runs', async () => {
    const file = await checked((await tagPhoto([7])).bytes, { aprilTagId: 7, geoPose: pose() })
    const sql = sqlOn(service)
    await sql(
      `update photo_checks set state = 'pending', attempts = 5, checked_at = null, width = null, height = null,
              sharpness = null, exposure = null where file_id = $1`,
      [file.id],
    )
    await sql(`insert into pgboss.job (name, data) values ('gcp-photo', $1)`, [{ fileId: file.id }])
    expect(await checkedPhotos(steps.maker, file.gcpId)).toMatchObject([
      { tagCheck: 'unreadable', notes: ['The check was interrupted 5 times'] },
    ])
  })
})

test('a photo that is added to a point later is compared with that point', async () => {
  const { bytes } = await tagPhoto([21])
  const { body } = await steps.send([photo({ bytes })])
  const gcp = { aprilTagId: 21, geoPose: pose(), uploadedFileIds: [body.files[0].id] }
  const { id } = await steps.newGcp(gcp)
  expect(await checkedPhotos(steps.maker, id)).toMatchObject([{ id: body.files[0].id, tagCheck: 'match' }])
})

test('the apps of its sender receive gcp_photo.checked, with the photo as GET answers it', async () => {
  const app = await given.app({ owner: steps.maker })
  const hook = { url: receiver.url, eventTypes: ['gcp_photo.checked'] }
  expect((await steps.maker.post(`/api/v1/apps/${app.id}/webhooks`, hook)).status).toBe(201)
  const file = await checked((await tagPhoto([4])).bytes, { aprilTagId: 5, geoPose: pose() })
  const event = await receiver.next(({ data }) => data.id === file.id)
  expect(event).toMatchObject({ type: 'gcp_photo.checked', data: file })
  expect(receiver.received.filter(({ data }) => data.id === file.id)).toHaveLength(1)
})
