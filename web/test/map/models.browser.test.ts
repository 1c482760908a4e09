import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxGlb, glbOf } from '../../../server/test/content/glb.ts'
import { pixelsWhere } from '../../../server/test/content/pictures.ts'
import { compressed } from '../../../usdz/test/content/compressed.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { dracoBomb, dracoGlb } from '../support/draco.ts'
import { type Harbour, harbourOn, idle, off } from '../support/harbour.ts'

/** The sides of the box in metres, x, y (up) and z. It is flat, so that nothing of it is nearer to the camera than the ground. */
const BOX = [4, 0.02, 2] as const
const YAW = 30
const METRES_APART = 8
const MAGENTA: [number, number, number, number] = [1, 0, 1, 1]

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

const middleOf = (scale: readonly number[]) => ({ scale: [...scale], translation: [-scale[0]! / 2, 0, -scale[2]! / 2] })

async function modelUrl(bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.append('file', new File([bytes], 'box.glb', { type: 'model/gltf-binary' }))
  const { status, body } = await harbour.keeper.post('/api/upload', form)
  expect(status).toBe(200)
  return body.results[0].url as string
}

const placed = (title: string, at: { lat: number; lon: number }, contentUrl: string, yaw = YAW) =>
  harbour.pin(title, at, {
    ...{ contentType: 'GLB', contentUrl, latitude: undefined, longitude: undefined },
    geoPose: { position: { ...at, h: 10 }, angles: { yaw, pitch: 0, roll: 0 } },
  })

type Point = [x: number, y: number]

/** The magenta pixels of the map. */
const boxPixels = async (page: Page): Promise<Point[]> =>
  pixelsWhere(
    await page.locator('[data-map] canvas').first().screenshot(),
    (r, g, b) => r > 110 && b > 110 && g < 0.5 * Math.min(r, b),
  )

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** How far pixels reach in a direction, counter-clockwise from east. */
function reachOf(pixels: Point[], degrees: number): number {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const along = pixels.map(([x, y]) => x * cos - y * sin)
  return along.reduce((max, value) => Math.max(max, value)) - along.reduce((min, value) => Math.min(min, value)) + 1
}

/** A letter L that lies on the ground: a bar along x, and at its east end a foot to the south. Turned half way round, or mirrored, it is another. */
const LETTER = [
  { scale: [4, 0.02, 0.6], translation: [-2, 0, -0.3] },
  { scale: [1, 0.02, 0.7], translation: [1, 0, 0.3] },
]
/** Metres from the middle of what the letter covers to its centre of area, along x and against z. */
const LETTER_LEANS = { x: 0.339, north: 0.203 }

/** How far the mean of pixels is from the middle of their reach in a direction, counter-clockwise from east. */
function leanOf(pixels: Point[], degrees: number): number {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const along = pixels.map(([x, y]) => x * cos - y * sin)
  const ends = along.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [along[0]!, along[0]!],
  )
  return mean(along) - (ends[0]! + ends[1]!) / 2
}

test('a model points where its pin does, and not the other way round', async () => {
  const url = await modelUrl(boxGlb({ colour: MAGENTA, nodes: LETTER }))
  const west = off(-300, 300)
  await placed('West letter', west, url, YAW)
  await placed('East letter', off(-300, 300 + METRES_APART), url, YAW + 180)
  const middle = off(-300, 300 + METRES_APART / 2)
  const { page, complaints } = await harbour.openMap(`lat=${middle.lat}&lon=${middle.lon}&radius=8&layers=pins`)
  await expect.poll(async () => (await boxPixels(page)).length, { timeout: 60_000 }).toBeGreaterThan(2000)
  await idle(page)
  const pixels = await boxPixels(page)
  const cut = mean(pixels.map(([x]) => x))
  const [left, right] = [pixels.filter(([x]) => x < cut), pixels.filter(([x]) => x >= cut)]
  for (const [letter, yaw] of [[left, YAW] as const, [right, YAW + 180] as const]) {
    const perMetre = reachOf(letter, yaw) / 4
    expect(leanOf(letter, yaw) / perMetre).toBeCloseTo(LETTER_LEANS.x, 1)
    expect(leanOf(letter, yaw + 90) / perMetre).toBeCloseTo(LETTER_LEANS.north, 1)
  }
  expect(complaints).toEqual([])
})

test('a model is drawn in metres and turned as its pin is', async () => {
  const at = off(-300, -300)
  const east = off(-300, -300 + METRES_APART)
  const url = await modelUrl(boxGlb({ colour: MAGENTA, nodes: [middleOf(BOX)] }))
  await placed('Left box', at, url)
  await placed('Right box', east, url)
  const middle = off(-300, -300 + METRES_APART / 2)
  const { page, complaints } = await harbour.openMap(`lat=${middle.lat}&lon=${middle.lon}&radius=8&layers=pins`)
  await page.getByText('model at its size').waitFor()
  await idle(page)
  await expect.poll(async () => (await boxPixels(page)).length).toBeGreaterThan(2000)
  await idle(page)
  const pixels = await boxPixels(page)
  const cut = mean(pixels.map(([x]) => x))
  const [left, right] = [pixels.filter(([x]) => x < cut), pixels.filter(([x]) => x >= cut)]
  const perMetre = (mean(right.map(([x]) => x)) - mean(left.map(([x]) => x))) / METRES_APART
  expect(perMetre).toBeGreaterThan(20)
  for (const box of [left, right]) {
    expect(Math.abs(reachOf(box, YAW) / perMetre - BOX[0])).toBeLessThan(0.15)
    expect(Math.abs(reachOf(box, YAW + 90) / perMetre - BOX[2])).toBeLessThan(0.15)
  }
  await inAllShapes(page, 'map-models', async () => {
    await idle(page)
  })
  expect(complaints).toEqual([])
})

test('a map that is far away, or of places without models, loads neither three.js nor a model', async () => {
  const requested: string[] = []
  const { page } = await opened.open('/files', { token: harbour.keeper.token })
  page.on('request', (request) => requested.push(request.url()))
  const at = off(-300, -300)
  await page.goto(`${opened.service.url}/console/map?lat=${at.lat}&lon=${at.lon}&radius=500`)
  await page.locator('[data-layer="pins"] span').filter({ hasText: /[1-9]/ }).first().waitFor()
  await idle(page)
  const there = off(40, 38)
  await page.goto(`${opened.service.url}/console/map?lat=${there.lat}&lon=${there.lon}&radius=10`)
  await page.locator('[data-layer="pins"] span').filter({ hasText: /[1-9]/ }).first().waitFor()
  await idle(page)
  expect(requested.filter((url) => /model-layer|three|\.glb/.test(url))).toEqual([])
})

test('a model that cannot be read, or that is kilometres large, is not drawn, and the legend counts it', async () => {
  const at = off(300, 300)
  const url = await modelUrl(boxGlb({ colour: MAGENTA, nodes: [middleOf([5000, 1, 5000])] }))
  await placed('Too large', at, url)
  await placed('Elsewhere', at, 'https://models.example/box.glb')
  await placed('Small', off(301, 301), await modelUrl(boxGlb({ colour: MAGENTA, nodes: [middleOf([1, 1, 1])] })))
  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=8&layers=pins`)
  await page
    .getByText('2 models here are not drawn: unreadable, too large, on another host or above the limit')
    .waitFor()
  await page.getByText('model at its size').waitFor()
  expect(complaints).toEqual([])
})

test('a model that loads while the map is moved is drawn, beside one that was drawn already', async () => {
  const at = off(-600, 600)
  const url = () => modelUrl(boxGlb({ colour: MAGENTA, nodes: [middleOf(BOX)] }))
  const [first, slow] = [await url(), await url()]
  await placed('First', at, first)
  await placed('Slow', off(-602, 602), slow)
  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=8&layers=pins`)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(slow, async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await expect.poll(async () => (await boxPixels(page)).length).toBeGreaterThan(2000)
  // Those that are there do not wait for the others, which are not yet given up.
  await page.getByText('model at its size').waitFor()
  expect(await page.getByText('not drawn').count()).toBe(0)
  await page.locator('[data-map] canvas').first().focus()
  await page.keyboard.press('ArrowRight')
  await idle(page)
  const before = (await boxPixels(page)).length
  release()
  await expect.poll(async () => (await boxPixels(page)).length).toBeGreaterThan(1.5 * before)
  await idle(page)
  expect(await page.getByText('not drawn').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a model of a kilobyte that asks for gigabytes is not drawn, and the page goes on', async () => {
  const at = off(600, 600)
  const huge = { count: 1_000_000_000, type: 'VEC3', componentType: 5126 }
  const model = {
    asset: { version: '2.0' },
    accessors: [huge],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
    scene: 0,
  }
  const url = await modelUrl(glbOf({ ...model, meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }] }))
  await placed('Huge', at, url)
  await placed('Small', off(601, 601), await modelUrl(boxGlb({ colour: MAGENTA, nodes: [middleOf([1, 1, 1])] })))
  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=8&layers=pins`)
  await page.getByText('model at its size').waitFor()
  await page.getByText('1 model here').waitFor()
  expect(complaints).toEqual([])
})

/** Cuts the first download of a model off after a part of it. */
const CUT_FIRST = `
  const fetchNow = window.fetch
  let cuts = 0
  window.fetch = async (...request) => {
    const response = await fetchNow(...request)
    if (!/\\.glb/.test(response.url) || cuts++ > 0) return response
    const cut = (stream) => { stream.enqueue(new Uint8Array(100)); stream.error(new TypeError('network error')) }
    return new Response(new ReadableStream({ start: cut }), { headers: response.headers })
  }
`

test('a model whose download was cut off is requested again when the map is moved', async () => {
  const at = off(-900, 600)
  await placed('Cut', at, await modelUrl(boxGlb({ colour: MAGENTA, nodes: [middleOf(BOX)] })))
  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=8&layers=pins`)
  await page.addInitScript(CUT_FIRST)
  await page.reload()
  await page.getByText('1 model here').waitFor()
  expect(await boxPixels(page)).toEqual([])
  await page.locator('[data-map] canvas').first().focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('model at its size').waitFor()
  expect(await page.getByText('not drawn').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a Draco model is drawn beside one that asks its decoder for gigabytes, which is not', async () => {
  const at = off(900, 900)
  const form = await compressed('draco')
  await placed('Bomb', at, await modelUrl(dracoGlb(dracoBomb(1_000_000))))
  await placed('Draco', off(901, 901), await modelUrl(new Uint8Array(form)))
  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=8&layers=pins`)
  await page.getByText('model at its size').waitFor()
  await page.getByText('1 model here').waitFor()
  // The decoder says that there is no more memory for it.
  expect(complaints).toEqual([expect.stringContaining('Aborted')])
})
