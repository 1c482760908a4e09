// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { photo, photoSteps } from '../../../test/content/tags/photo-steps.ts'
import { checkedPhotos, shownTag, tagPhoto } from '../../../test/content/tags/tag-photos.ts'
import { startReceiver } from '../../../test/network/receiver.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let receiver: Awaited<ReturnType<typeof startReceiver>>
let steps: Awaited<ReturnType<typeof photoSteps>>
let given: ReturnType<typeof buildersOn>
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

let places = 0
/** A point with tag 7 and a checked photo that shows these tags, so blurred that none is found where wanted. */
async function photographed({ ids = [7], blur = 14, zoneId }: { ids?: number[]; blur?: number; zoneId?: number } = {}) {
  const geoPose = { position: { lat: 10 + places++, lon: 23, h: 40 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const { id } = await steps.newGcp({ aprilTagId: 7, geoPose, zoneId })
  const { bytes, truths } = await tagPhoto(ids, { blur })
  expect((await steps.send([photo({ name: 'DJI_1.jpg', bytes })], { gcpId: id })).status).toBe(200)
  const [file] = await checkedPhotos(steps.maker, id)
  return { id, file, truths, path: `/api/gcp/${id}/photos/${file.id}/corners` }
}
/** Their diagonals meet at 210, 234.29. */
const CORNERS = [
  [170, 260],
  [250, 260],
  [240, 215],
  [180, 215],
]
const PLACED = {
  id: 7,
  family: 'tag36h11',
  source: 'hand',
  corners: CORNERS,
  center: [210, 234.29],
  hamming: 0,
  margin: 0,
}
const photoOf = async (gcpId: number) => (await steps.gcp(gcpId)).uploadedFiles[0]

describe('corners that are placed by hand', () => {
  test('where the tag was not found make the photo a match, and say that they were placed by hand', async () => {
    const { id, file, path } = await photographed()
    expect(file).toMatchObject({ tagCheck: 'none', tags: [] })
    const { status, body } = await steps.maker.put(path, { corners: CORNERS })
    expect([status, body]).toEqual([200, { ...file, tagCheck: 'match', tags: [PLACED], notes: [] }])
    expect(await photoOf(id)).toEqual(body)
  })

  test('count instead of those that were found, until they are removed', async () => {
    const { id, file, truths, path } = await photographed({ ids: [7, 9], blur: 0.7 })
    const [seven, nine] = truths.map(shownTag)
    expect(file.tags).toEqual(expect.arrayContaining([seven, nine]))
    await steps.maker.put(path, { corners: CORNERS })
    expect((await photoOf(id)).tags).toEqual([nine, PLACED])
    expect((await steps.maker.delete(path)).status).toBe(204)
    expect(await photoOf(id)).toEqual(file)
    expect(await steps.maker.delete(path)).toMatchObject({ status: 404, body: { error: 'Corners not found' } })
  })

  test('are rounded to hundredths, and replace those that were placed before', async () => {
    const { path } = await photographed()
    await steps.maker.put(path, { corners: CORNERS })
    const moved = CORNERS.map(([x, y]) => [x! + 10.123, y!])
    const { body } = await steps.maker.put(path, { corners: moved })
    expect(body.tags[0].corners).toEqual(CORNERS.map(([x, y]) => [x! + 10.12, y]))
  })

  test('survive later checks of the photo', async () => {
    const { id, path } = await photographed({ blur: 0.7 })
    await steps.maker.put(path, { corners: CORNERS })
    await service.app.operator.photoChecks.request({ all: true })
    expect(await checkedPhotos(steps.maker, id)).toMatchObject([{ tagCheck: 'match', tags: [PLACED] }])
  })

  test('have the pixel of the point in gcp_list.txt and in ground_control_points.json', async () => {
    const zoneId = (await steps.maker.post('/api/zones', { title: 'Quarry' })).body.id
    const { path } = await photographed({ zoneId })
    await steps.maker.put(path, { corners: CORNERS })
    const exported = async (format: string) =>
      (await service.anonymous.get(`/api/gcp/zone/${zoneId}/export?format=${format}`)).body
    expect(await exported('gcp_list')).toMatch(/ 210 234.29 DJI_1.jpg /)
    const [{ observations }] = (await exported('opensfm')).points
    expect(observations).toEqual([
      { shot_id: 'DJI_1.jpg', projection: [(210.5 - 320) / 640, expect.closeTo((234.79 - 240) / 640, 10)] },
    ])
  })

  test('are those of the tag that the point had: another tag of the point is a mismatch', async () => {
    const { id, path } = await photographed()
    await steps.maker.put(path, { corners: CORNERS })
    expect((await steps.maker.put(`/api/gcp/${id}`, { title: 'P', aprilTagId: 8 })).status).toBe(200)
    expect(await photoOf(id)).toMatchObject({ tagCheck: 'mismatch', tags: [{ id: 7, source: 'hand' }] })
  })

  test('apply to their point alone, and not to another one that shows the same photo', async () => {
    const { file, path } = await photographed()
    const other = await steps.newGcp({ aprilTagId: 7, photoUrls: [file.fileUrl] })
    await steps.maker.put(path, { corners: CORNERS })
    expect(await photoOf(other.id)).toMatchObject({ tagCheck: 'none', tags: [] })
  })

  test('are deleted when the point no longer shows the photo', async () => {
    const { id, file, path } = await photographed()
    await steps.newGcp({ photoUrls: [file.fileUrl] })
    await steps.maker.put(path, { corners: CORNERS })
    await steps.maker.put(`/api/gcp/${id}`, { title: 'P', photoUrls: [] })
    expect((await steps.maker.put(path, { corners: CORNERS })).status).toBe(404)
    await steps.maker.put(`/api/gcp/${id}`, { title: 'P', photoUrls: [file.fileUrl] })
    expect(await photoOf(id)).toMatchObject({ id: file.id, tagCheck: 'none', tags: [] })
  })

  test('are sent as gcp_photo.checked if they change what the photo shows', async () => {
    const app = await given.app({ owner: steps.maker })
    const hook = { url: receiver.url, eventTypes: ['gcp_photo.checked'] }
    expect((await steps.maker.post(`/api/v1/apps/${app.id}/webhooks`, hook)).status).toBe(201)
    const { file, path } = await photographed()
    const { body } = await steps.maker.put(path, { corners: CORNERS })
    await steps.maker.put(path, { corners: CORNERS })
    await steps.maker.delete(path)
    const sent = () => receiver.received.filter(({ data }) => data.id === file.id).map(({ data }) => data)
    await expect.poll(sent).toEqual([file, body, file])
  })

  test('are in the audit log with what the photo showed before and after', async () => {
    const { id, file, path } = await photographed()
    await steps.maker.put(path, { corners: CORNERS })
    await steps.maker.delete(path)
    const subject = `${id}/${file.id}`
    const tag = JSON.stringify([{ id: 7, source: 'hand', corners: CORNERS }])
    const { entries } = (await steps.ops.get(`/api/v1/audit-log?subject=${encodeURIComponent(subject)}`)).body
    expect(entries).toMatchObject([
      {
        action: 'gcp_photo.corners_removed',
        changes: { tags: { from: tag, to: null }, tagCheck: { from: 'match', to: 'none' } },
      },
      {
        action: 'gcp_photo.corners_set',
        actor: steps.maker.id,
        changes: { tags: { from: null, to: tag }, tagCheck: { from: 'none', to: 'match' } },
      },
    ])
  })
})

describe('corners are refused', () => {
  test.each([
    ['outside the image', [[170, 480], ...CORNERS.slice(1)], 'must be inside the image, which has 640x480 pixels'],
    [
      'closer than four pixels',
      [
        [10, 12],
        [12, 12],
        [12, 10],
        [10, 10],
      ],
      'must be at least 4 pixels apart',
    ],
    [
      'clockwise, as of a tag in a mirror',
      CORNERS.toReversed(),
      'must be counter-clockwise in the image: bottom left, bottom right, top right, top left of the upright tag',
    ],
    ['crossed', [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]], 'must be those of a convex quadrilateral, in order'],
    [
      'in a line',
      [
        [10, 10],
        [20, 10],
        [30, 10],
        [20, 0],
      ],
      'must be those of a convex quadrilateral, in order',
    ],
  ])('%s', async (_, corners, message) => {
    const { path } = await shared
    const { status, body } = await steps.maker.put(path, { corners })
    expect([status, body.error]).toEqual([400, [{ path: ['corners'], code: 'custom', message }]])
  })

  test('if they are not four pixels', async () => {
    const { path } = await shared
    for (const corners of [CORNERS.slice(1), [...CORNERS, [1, 1]], [['1', 2], ...CORNERS.slice(1)], null])
      expect((await steps.maker.put(path, { corners })).status).toBe(400)
    expect((await steps.maker.put(path, { corners: CORNERS, id: 7 })).status).toBe(400)
  })

  test('of a point that belongs to somebody else, except from editors of its zone', async () => {
    const zoneId = (await steps.maker.post('/api/zones', { title: 'Pit' })).body.id
    const { path } = await photographed({ zoneId })
    expect((await steps.stranger.put(path, { corners: CORNERS })).status).toBe(403)
    expect((await steps.stranger.delete(path)).status).toBe(403)
    await steps.maker.post(`/api/zones/${zoneId}/editors`, { userId: steps.stranger.id })
    expect((await steps.stranger.put(path, { corners: CORNERS })).status).toBe(200)
  })

  test('of a point without a tag, and of a photo that cannot be read', async () => {
    const { id } = await steps.newGcp()
    const { bytes } = await tagPhoto([7])
    const { body } = await steps.send([photo({ bytes: bytes.subarray(0, bytes.length / 2) })], { gcpId: id })
    await checkedPhotos(steps.maker, id)
    const path = `/api/gcp/${id}/photos/${body.files[0].id}/corners`
    const refused = async () => (await steps.maker.put(path, { corners: CORNERS })).body.error
    expect(await refused()).toBe('The GCP has no tag: set its aprilTagId first')
    await steps.maker.put(`/api/gcp/${id}`, { title: 'P', aprilTagId: 7 })
    expect(await refused()).toBe('The photo cannot be read: upload it again')
  })
})

/** A photo that no test changes. */
let shared: ReturnType<typeof photographed>
beforeAll(() => {
  shared = photographed()
})
