import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jpeg } from '../../../server/test/content/pictures.ts'
import { photoOfTags } from '../../../server/test/content/tags/placed-tag.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

const SITE = { lat: 54.3239, lon: 10.1394, h: 2 }
const TAGS = [
  { id: 1, at: [-3, 1, 0.2] },
  { id: 2, at: [2.5, 0, 0] },
  { id: 3, at: [0, 3, 2.5] },
  { id: 4, at: [-1, -2, 0.5] },
  { id: 5, at: [2, 4, 1.2] },
].map((tag) => ({ ...tag, at: tag.at as [number, number, number], size: 0.4 }))
/** Metres east, north and up of the site: it faces the site, 12.5° east of north. */
const FROM = [-2, -9, 2.5] as const

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let folder: string
let scene: Awaited<ReturnType<typeof photoOfTags>>
let photo: string
beforeAll(async () => {
  scene = await photoOfTags(
    SITE,
    [...FROM],
    TAGS.map((tag) => ({ ...tag, right: [1, 0, 0], top: [0, 0, 1] })),
  )
  folder = await mkdtemp(join(tmpdir(), 'cairn-camera-'))
  photo = join(folder, 'photo.jpg')
  await writeFile(photo, scene.bytes)
  const video = join(folder, 'scene.y4m')
  await writeFile(video, videoOf(scene.image))
  opened = await startConsole({}, ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${video}`])
  keeper = await opened.person()
  for (const { id, at } of TAGS) {
    const geoPose = { position: scene.placed(at), angles: { yaw: 0, pitch: 0, roll: 0 } }
    const gcp = { title: `Bollard ${id}`, gcpType: 'SINGLE', aprilTagId: id, geoPose }
    expect((await keeper.post('/api/gcp', gcp)).status).toBe(201)
  }
})
afterAll(async () => {
  await opened.stop()
  await rm(folder, { recursive: true })
})

/** A video of one frame in YUV4MPEG2. */
function videoOf({ width, height, pixels }: typeof scene.image): Buffer {
  const head = `YUV4MPEG2 W${width} H${height} F5:1 Ip C420jpeg\nFRAME\n`
  return Buffer.concat([Buffer.from(head), pixels, Buffer.alloc((width * height) / 2, 128)])
}

const openPage = async (permissions: string[] = ['camera', 'geolocation']) => {
  const geolocation = { latitude: SITE.lat, longitude: SITE.lon, accuracy: 12 }
  const { page, complaints } = await opened.open('/locate', { token: keeper.token, permissions, geolocation })
  await page.getByRole('heading', { name: 'Find me', level: 1 }).waitFor()
  return { page, complaints }
}
type Page = Awaited<ReturnType<typeof openPage>>['page']
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const hasPicture = (page: Page) =>
  expect.poll(() => page.evaluate(`document.querySelector('video')?.videoWidth`), { timeout: 20_000 }).toBe(1280)

/** The position that the page shows, in metres from the camera of the scene. */
async function missOf(page: Page) {
  const [lat, lon] = (await page.locator('dt:text-is("Position") + dd').textContent())!.split(', ').map(Number)
  const { camera } = scene
  return Math.hypot((lat! - camera.lat) * 111_320, (lon! - camera.lon) * 111_320 * Math.cos((lat! * Math.PI) / 180))
}

test('a frame of the camera is located by its tags, and shown on the map with its heading and errors', async () => {
  const { page, complaints } = await openPage()
  await press(page, 'Use the location of this device')
  await expect.poll(() => page.getByLabel('Location: latitude, longitude').inputValue()).toBe('54.3239, 10.1394')
  await page.getByLabel('Focal length for 35 mm film').fill('32')
  await press(page, 'Start camera')
  await hasPicture(page)
  await press(page, 'Find me')
  await page.getByText('Found', { exact: true }).waitFor()
  expect(await missOf(page)).toBeLessThan(0.5)
  expect(await page.locator('dt:text-is("Heading") + dd').textContent()).toMatch(/^1[23]°$/)
  const table = page.getByRole('table', { name: 'Tags in the image' })
  await expect.poll(() => table.getByRole('link').count()).toBe(5)
  await table.getByRole('link', { name: 'Bollard 3' }).waitFor()
  await inAllShapes(page, 'locate', () => page.locator('[data-map="idle"]').waitFor())
  expect(complaints).toEqual([])
})

test('a photo without a focal length and without a place needs both, and says so', async () => {
  const { page, complaints } = await openPage()
  await page.locator('input[type="file"]').setInputFiles(photo)
  await page.getByText('First enter your approximate location').first().waitFor()
  await page.getByLabel('Location: latitude, longitude').fill(`${SITE.lat}, ${SITE.lon}`)
  await page.getByLabel('Focal length for 35 mm film').fill('32')
  await page.locator('input[type="file"]').setInputFiles(photo)
  await page.getByText('Found', { exact: true }).waitFor()
  expect(await missOf(page)).toBeLessThan(0.5)
  expect(complaints).toEqual([])
})

test('the focal length is kept in this browser; without tags the page says how to find one', async () => {
  const { page } = await openPage()
  await page.getByLabel('Focal length for 35 mm film').fill('31')
  await page.reload()
  expect(await page.getByLabel('Focal length for 35 mm film').inputValue()).toBe('31 mm')
  const blank = await jpeg(320, 240)
  await page.locator('input[type="file"]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: blank })
  await page.getByText('show whole tags with their white edges').waitFor()
})

test('only this page may use the camera, also when it is reached from another page', async () => {
  const policy = async (path: string) =>
    (await fetch(`${opened.service.url}/console${path}`)).headers.get('permissions-policy')
  expect([await policy('/locate'), await policy('/map'), await policy('/')]).toEqual([
    'camera=(self)',
    'camera=()',
    'camera=()',
  ])
  const { page } = await opened.open('/scans', { token: keeper.token, permissions: ['camera'] })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Find me' }).click()
  await expect.poll(() => page.evaluate(`document.featurePolicy.allowsFeature('camera')`).catch(() => false)).toBe(true)
  await press(page, 'Start camera')
  await hasPicture(page)
})

test('without a secure origin, and when the browser refuses, the page says so and takes a photo', async () => {
  const insecure = await opened.open('/locate', {
    token: keeper.token,
    script: `Object.defineProperty(window, 'isSecureContext', { value: false })`,
  })
  await insecure.page.getByText('only over HTTPS or on localhost').waitFor()
  expect(await insecure.page.getByRole('button', { name: 'Start camera' }).isDisabled()).toBe(true)
  const { page } = await openPage([])
  await press(page, 'Start camera')
  await page.getByText('The camera cannot be used').waitFor()
  expect(await page.getByRole('button', { name: 'Choose photo' }).isEnabled()).toBe(true)
})
