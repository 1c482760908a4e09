// @module-tag long
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { photo, photoSteps } from '../../test/content/tags/photo-steps.ts'
import { checkedPhotos, tagPhoto } from '../../test/content/tags/tag-photos.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
let steps: Awaited<ReturnType<typeof photoSteps>>
beforeAll(async () => {
  service = await startService()
  steps = await photoSteps(service, buildersOn(service))
})
afterAll(() => service.stop())

const zone = async () => (await steps.maker.post('/api/zones', { title: 'Quarry' })).body.id as number
const exported = async (zoneId: number, format: string) =>
  (await service.anonymous.get(`/api/gcp/zone/${zoneId}/export?format=${format}`)).body
/** Far apart, so that no tags are in conflict. */
let lat = 46
const geoPose = () => ({ position: { lat: ++lat, lon: 6.6, h: 400.25 }, angles: { yaw: 0, pitch: 0, roll: 0 } })

/** A point with tag 7, and photos of these tags; each has a photo of another host, too. */
async function pointWith(zoneId: number, photos: { name: string; tags: number[] }[], gcp: object = {}) {
  const { id } = await steps.newGcp({ title: 'P 1', zoneId, aprilTagId: 7, geoPose: geoPose(), ...gcp })
  const drawn = await Promise.all(photos.map(({ tags }) => tagPhoto(tags)))
  const parts = photos.map(({ name }, at) => photo({ name, bytes: drawn[at]!.bytes }))
  expect((await steps.send(parts, { gcpId: id })).status).toBe(200)
  await checkedPhotos(steps.maker, id)
  return drawn.map(({ truths }) => truths.find((truth) => truth.id === 7)?.centre)
}

describe('gcp_list.txt', () => {
  test('has the pixel of the tag in each photo that shows it, and the names of photos as they were uploaded', async () => {
    const zoneId = await zone()
    const [centre] = await pointWith(zoneId, [{ name: 'DJI 0042.JPG', tags: [3, 7] }])
    const [system, remark, line, end] = (await exported(zoneId, 'gcp_list')).split('\n')
    expect([system, remark, end]).toEqual(['EPSG:4326', '# heights are above the ellipsoid', ''])
    const [x, y, h, px, py, ...names] = line.split(' ')
    expect([x, y, h, ...names]).toEqual(['6.6', String(lat), '400.25', 'DJI_0042.JPG', 'P_1'])
    expect(Math.hypot(px - centre![0], py - centre![1])).toBeLessThan(0.5)
  })

  test('names photos that do not show the tag in remarks, and keeps 0 0 for those that nothing is known of', async () => {
    const zoneId = await zone()
    const photos = [
      { name: 'wrong.jpg', tags: [9] },
      { name: 'empty.jpg', tags: [] },
      { name: 'twice.jpg', tags: [7, 7] },
    ]
    await pointWith(zoneId, photos, { photoUrls: ['https://a.example/far.jpg'] })
    expect((await exported(zoneId, 'gcp_list')).split('\n').slice(2)).toEqual([
      `6.6 ${lat} 400.25 0 0 far.jpg P_1`,
      '# wrong.jpg of P_1 shows tag 9, not tag 7',
      '# empty.jpg of P_1 does not show tag 7',
      '# twice.jpg of P_1 shows tag 7 more than once',
      '',
    ])
  })

  test('has the pixel of a tag in a photo of another point too, if it shows the tag of that point', async () => {
    const zoneId = await zone()
    const photos = [
      { name: 'air.jpg', tags: [7, 3] },
      { name: 'wrong.jpg', tags: [3] },
    ]
    await pointWith(zoneId, photos)
    const second = `6.6 ${++lat} 400.25`
    const position = { lat, lon: 6.6, h: 400.25 }
    const { id } = await steps.newGcp({ title: 'P 2', zoneId, aprilTagId: 3, geoPose: { ...geoPose(), position } })
    const linesOfSecond = async () =>
      (await exported(zoneId, 'gcp_list')).split('\n').filter((line: string) => line.endsWith(' P_2'))
    const lines = await linesOfSecond()
    const [, px, py, photoName] = new RegExp(`^${second} (\\S+) (\\S+) (\\S+) P_2$`).exec(lines[0])!
    // Where tagPhoto draws its second tag.
    expect([lines.length, photoName, Math.hypot(Number(px) - 330.25, Number(py) - 220.5) < 0.5]).toEqual([
      1,
      'air.jpg',
      true,
    ])
    const { points } = await exported(zoneId, 'opensfm')
    expect(points[1]).toMatchObject({ id: 'P 2', observations: [{ shot_id: 'air.jpg' }] })

    // The same photo, uploaded for this point, counts once.
    const { bytes } = await tagPhoto([7, 3])
    expect((await steps.send([photo({ name: 'air.jpg', bytes })], { gcpId: id })).status).toBe(200)
    await checkedPhotos(steps.maker, id)
    expect(await linesOfSecond()).toHaveLength(1)
  })

  test('a tag that two points of the zone carry counts in their own photos alone', async () => {
    const zoneId = await zone()
    await pointWith(zoneId, [{ name: 'air.jpg', tags: [7, 3] }])
    for (const title of ['P 2', 'P 3']) await steps.newGcp({ title, zoneId, aprilTagId: 3, geoPose: geoPose() })
    const lines = (await exported(zoneId, 'gcp_list')).split('\n').filter((line: string) => / P_[23]$/.test(line))
    expect(lines.map((line: string) => line.split(' ').slice(3).join(' '))).toEqual(['0 0 none P_2', '0 0 none P_3'])
  })

  test('keeps a point without such a photo', async () => {
    const zoneId = await zone()
    await pointWith(zoneId, [{ name: 'wrong.jpg', tags: [9] }])
    expect(await exported(zoneId, 'gcp_list')).toContain(`\n6.6 ${lat} 400.25 0 0 none P_1\n`)
  })
})

describe('a table of points', () => {
  test('has the worst check of the photos of each point, the farthest camera, and what to correct', async () => {
    const zoneId = await zone()
    const photos = [
      { name: 'a.jpg', tags: [7] },
      { name: 'wrong.jpg', tags: [9] },
      { name: 'empty.jpg', tags: [] },
    ]
    await pointWith(zoneId, photos)
    await pointWith(zoneId, [{ name: 'good.jpg', tags: [7] }], { title: 'P 2' })
    await steps.newGcp({ title: 'P 3', zoneId })
    const notes = [
      'wrong.jpg: The photo shows tag 9, but the point has tag 7: correct one of them',
      expect.stringMatching(/^empty\.jpg: .*tag 7/),
    ]
    const { features } = await exported(zoneId, 'geojson')
    const shown = features.map(({ properties }: { properties: Record<string, unknown> }) => properties)
    expect(shown).toMatchObject([
      { tagCheck: 'mismatch', distanceToGcp: null, photoNotes: notes },
      { tagCheck: 'match', photoNotes: [] },
      { tagCheck: null, photoNotes: [] },
    ])
    const [header, first, second, third] = parse(await exported(zoneId, 'csv')) as string[][]
    const cells = (row: string[]) => ['tagCheck', 'photoNotes'].map((name) => row[header!.indexOf(name)])
    expect(cells(first!)).toEqual(['mismatch', shown[0].photoNotes.join('; ')])
    expect([cells(second!), cells(third!)]).toEqual([
      ['match', ''],
      ['', ''],
    ])
  })

  test('has the distance of the camera that was farthest from the point', async () => {
    const zoneId = await zone()
    const { id } = await steps.newGcp({ title: 'P 1', zoneId, aprilTagId: 7, geoPose: geoPose() })
    const near = await tagPhoto([7], { takenAt: [lat + 0.0001, 6.6] })
    const far = await tagPhoto([7], { takenAt: [lat + 0.01, 6.6] })
    const parts = [photo({ name: 'far.jpg', bytes: far.bytes }), photo({ name: 'near.jpg', bytes: near.bytes })]
    expect((await steps.send(parts, { gcpId: id })).status).toBe(200)
    await checkedPhotos(steps.maker, id)
    const { features } = await exported(zoneId, 'geojson')
    expect(features[0].properties).toMatchObject({
      tagCheck: 'match',
      distanceToGcp: expect.closeTo(1112, -1),
      photoNotes: [expect.stringMatching(/^far\.jpg: The camera says/)],
    })
  })
})

describe('ground_control_points.json', () => {
  test('has points with observations in the coordinates of OpenSfM, and notes of photos that show another tag', async () => {
    const zoneId = await zone()
    const photos = [
      { name: 'a.jpg', tags: [7] },
      { name: 'b.jpg', tags: [9] },
    ]
    const [centre] = await pointWith(zoneId, photos)
    await steps.newGcp({ title: 'Nowhere', zoneId })
    const { points, notes } = await exported(zoneId, 'opensfm')
    expect(notes).toEqual(['b.jpg of P 1 shows tag 9, not tag 7'])
    expect(points).toEqual([
      {
        id: 'P 1',
        position: { latitude: lat, longitude: 6.6, altitude: 400.25 },
        observations: [{ shot_id: 'a.jpg', projection: [expect.any(Number), expect.any(Number)] }],
      },
    ])
    // OpenSfM's denormalized_image_coordinates, for 640 by 480.
    const [u, v] = points[0].observations[0].projection
    expect(Math.hypot(u * 640 - 0.5 + 320 - centre![0], v * 640 - 0.5 + 240 - centre![1])).toBeLessThan(0.5)
  })

  test('is always in WGS84', async () => {
    const { status, body } = await service.anonymous.get(
      `/api/gcp/zone/${await zone()}/export?format=opensfm&crs=EPSG:25832`,
    )
    expect({ status, message: body.error[0].message }).toMatchObject({
      status: 400,
      message: /opensfm is always in WGS84/,
    })
  })
})
