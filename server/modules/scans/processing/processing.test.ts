import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { boxGlb } from '../../../test/content/glb.ts'
import { quarters } from '../../../test/content/pictures.ts'
import { sendScan, settledScan, uploadOf } from '../../../test/content/scans.ts'
import { openEventStream } from '../../../test/network/event-stream.ts'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { startWeather } from '../../../test/network/weather.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

const PATH = '/api/v1/user/scans'

let service: Service
let weather: Awaited<ReturnType<typeof startWeather>>
let receiver: Receiver
let given: Builders
let user: Caller & { id: string }
let usual: (typeof weather)['answer']
beforeAll(async () => {
  ;[weather, receiver] = await Promise.all([startWeather(), startReceiver()])
  usual = weather.answer
  service = await startService({ CAIRN_WEATHER_URL: weather.url, CAIRN_WEBHOOK_HOSTS: receiver.host })
  given = buildersOn(service)
  user = await given.user()
})
beforeEach(() => {
  weather.answer = usual
  weather.asked.length = 0
})
afterAll(async () => {
  await service.stop()
  await Promise.all([weather.stop(), receiver.stop()])
})

/** A photo taken in Berlin at noon of summer time, with EXIF as cameras write it. */
const photo = () =>
  quarters(120, 90)
    .jpeg()
    .withExif({
      IFD2: { DateTimeOriginal: '2026:06:21 14:00:00', OffsetTimeOriginal: '+02:00' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 31/1 12/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 0/1',
        GPSAltitudeRef: '0',
        GPSAltitude: '35/1',
      },
    })
    .toBuffer()

const scanned = async (bytes: Uint8Array, texts: Record<string, string | number> = {}) => {
  const { status, body } = await sendScan(user, { name: 'scan', bytes }, texts)
  expect(status).toBe(201)
  return settledScan(user, body.id)
}

describe('metadata of a file', () => {
  test('of place and time becomes that of the scan, with the derived values', { tags: ['long'] }, async () => {
    const scan = await scanned(await photo())
    expect(scan).toMatchObject({
      status: 'COMPLETED',
      fileType: 'IMAGE',
      width: 120,
      height: 90,
      lat: 52.52,
      long: expect.closeTo(13.4, 4),
      altitude: 35,
      positionFrom: 'exif',
      timestamp: '2026-06-21T12:00:00.000Z',
      location: expect.stringMatching(/Germany$/),
      timeOfDay: 'afternoon',
      weather: 'light rain, 12 °C',
      usdzStatus: null,
    })
    const [asked] = weather.asked
    // The provider receives a position to a kilometre and a day, nothing else.
    expect(Object.fromEntries(asked!.searchParams)).toMatchObject({
      latitude: '52.52',
      longitude: '13.40',
      start_date: '2026-06-21',
    })
    const preview = await fetch(scan.previewImageUrl)
    const { format, exif } = await sharp(await preview.bytes()).metadata()
    expect({ format, exif }).toEqual({ format: 'webp', exif: undefined })
  })

  test('does not override values of the owner', { tags: ['long'] }, async () => {
    const sentFields = { lat: 48.8566, long: 2.3522, timestamp: '1990-01-02T03:04:05Z' }
    const scan = await scanned(await photo(), sentFields)
    expect(scan).toMatchObject({
      ...sentFields,
      timestamp: '1990-01-02T03:04:05.000Z',
      positionFrom: 'caller',
      location: 'Paris, France',
      timeOfDay: 'night',
    })
    expect(weather.asked[0]!.pathname).toBe('/v1/archive')
  })

  test('of a model includes bounds, triangles and a USDZ', { tags: ['long'] }, async () => {
    const scan = await scanned(boxGlb())
    expect(scan).toMatchObject({
      fileType: 'GLB',
      bounds: { min: [0, 0, 0], max: [1, 1, 1] },
      triangles: 12,
      weather: null,
      usdzStatus: 'COMPLETED',
    })
    const usdz = await fetch(scan.usdzUrl)
    expect(usdz.headers.get('content-type')).toBe('model/vnd.usdz+zip')
    expect(weather.asked).toEqual([])
  })
})

describe('the weather', () => {
  test.each([
    ['that fails', (response: { writeHead: (status: number) => { end: () => void } }) => response.writeHead(500).end()],
    ['that answers invalid JSON', (response: { end: (text: string) => void }) => response.end('{"hourly": 7}')],
    [
      'that sends an endless response',
      (response: { end: (text: string) => void }) => response.end('x'.repeat(300_000)),
    ],
  ])('is null with a note, and the scan COMPLETED, for a provider %s', async (_what, answer) => {
    weather.answer = answer as unknown as typeof usual
    const scan = await scanned(await photo())
    expect(scan).toMatchObject({ status: 'COMPLETED', weather: null, location: expect.any(String) })
    expect(scan.notes).toEqual(['The weather is not known: the provider did not answer'])
  })

  test('is looked up again when a scan is moved', async () => {
    const { id } = await scanned(new TextEncoder().encode('somewhere'))
    const moved = await user.patch(`${PATH}/${id}`, { lat: 1.5, long: 2.5, timestamp: '2026-01-01T10:20:00Z' })
    expect(moved.body.weather).toBeNull()
    const known = async () => (await user.get(`${PATH}/${id}`)).body.weather
    await expect.poll(known).toBe('light rain, 12 °C')
  })
})

describe('a file that cannot be read', () => {
  test('fails its scan with a reason, can be retried, and is sent to the webhooks of its app and owner', {
    tags: ['long'],
  }, async () => {
    const own = await given.app({ owner: user })
    const other = await given.app()
    const eventTypes = ['scan.completed', 'scan.failed']
    expect((await user.post(`/api/v1/apps/${own.id}/webhooks`, { url: receiver.url, eventTypes })).status).toBe(201)
    const broken = boxGlb().slice(0, 300)
    const { fileId } = await uploadOf(user, { name: 'broken.bin', bytes: broken })
    const made = await service.as({ ...user.headers, 'x-app-api-key': other.key }).post(PATH, { fileId })
    const failed = await settledScan(user, made.body.id)
    expect(failed).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/\w{3,}/), previewImageUrl: null })
    const failure = await receiver.next(({ type, data }) => type === 'scan.failed' && data.id === failed.id)
    // Events carry no signed URLs.
    expect(failure!.data).toEqual({
      ...failed,
      usdzStatus: expect.any(String),
      scanUrl: failed.scanUrl.replace(/\?.*/, ''),
    })

    const retried = await user.post(`${PATH}/${failed.id}/retry`)
    expect(retried).toMatchObject({ status: 200, body: { status: 'PENDING' } })
    expect(retried.body.error).toBeUndefined()
    expect(await settledScan(user, failed.id)).toMatchObject({ status: 'FAILED' })

    const good = await scanned(boxGlb())
    expect((await receiver.next(({ data }) => data.id === good.id))!.type).toBe('scan.completed')
    expect((await user.post(`${PATH}/${good.id}/retry`)).status).toBe(409)
    const bad = await service.as({ ...user.headers, 'x-app-api-key': 'no key' }).post(PATH, { fileId })
    expect(bad.status).toBe(401)
  })

  test('fails its scan with a reason if its bytes are missing', async () => {
    const { fileId } = await uploadOf(user, { bytes: 'soon gone' })
    const [{ key } = { key: '' }] = await sqlOn(service)<{ key: string }>('select key from files where id = $1', [
      fileId,
    ])
    await service.app.objects.remove(key)
    const { body } = await user.post(PATH, { fileId })
    expect((await settledScan(user, body.id)).error).toMatch(/missing from the storage/)
  })

  test('fails its scan if it breaks off every run', { tags: ['long'] }, async () => {
    const { body } = await sendScan(user, { bytes: 'x' })
    await settledScan(user, body.id)
    await sqlOn(service)(`update scans set status = 'PROCESSING', attempts = 5 where id = $1`, [body.id])
    // As if its job had been delivered again and again.
    await sqlOn(service)(`update scans set touched_at = now() - interval '2 hours' where id = $1`, [body.id])
    await sqlOn(service)(`insert into pgboss.job (name, data) values ('scan', $1)`, [{ scanId: body.id }])
    await expect.poll(async () => (await user.get(`${PATH}/${body.id}`)).body.status).toBe('FAILED')
    expect((await user.post(`${PATH}/${body.id}/retry`)).status).toBe(200)
    expect((await settledScan(user, body.id)).status).toBe('COMPLETED')
  })
})

test('deleting a scan during its processing leaves nothing behind', async () => {
  const kept = await service.objectsKept()
  for (const pause of [0, 30, 120, 400]) {
    const { body } = await sendScan(user, { name: 'box.glb', bytes: boxGlb() })
    await sleep(pause)
    expect((await user.delete(`${PATH}/${body.id}`)).status).toBe(204)
  }
  await expect.poll(() => service.objectsKept()).toEqual(kept)
})

test('a stream sends each state of a scan and ends with the last; a client that has seen the last receives nothing', async () => {
  const { body } = await sendScan(user, { name: 'box.glb', bytes: boxGlb() })
  const stream = await openEventStream(
    `${service.url}${PATH}/${body.id}/stream`,
    user.headers as Record<string, string>,
  )
  let last = await stream.next()
  const status = () => (last.data as { status: string; usdzStatus: string }).status
  while (status() !== 'COMPLETED' || (last.data as { usdzStatus: string }).usdzStatus !== 'COMPLETED')
    last = await stream.next()
  await stream.ended
  expect(last.data).toMatchObject({ triangles: 12, bounds: expect.anything() })
  const again = { ...user.headers, 'last-event-id': last.id }
  expect((await service.request('GET', `${PATH}/${body.id}/stream`, undefined, again)).status).toBe(204)
})
