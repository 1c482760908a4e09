import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { SOFTWARE_WEBGL } from '../../usdz/browser/software-webgl.ts'
import { secondsOfBareMap } from '../console/bare-map.ts'
import { RECORD_INTERACTIONS } from '../console/interactions.ts'
import { placeTown, workOnMap } from '../console/town.ts'
import { withTemporaryDatabase } from '../databases/temporary-database.ts'
import type { Comparison } from '../record/comparison.ts'

/** Maximum size of the console's first page, in bytes as sent. */
const FIRST_LOAD = 350_000
/** A longer task blocks the user (W3C Long Tasks). */
const LONG_MS = 50
/** Longest time from the style of a map to the first drawing of pins. */
const PAINT_SECONDS = 1
/** Longest time from an input to the frame that shows its effect (INP, web.dev/inp). */
const INP_MS = 200
const PINS = 1_000_000
const PAN_MS = 3000
const CENTRE = { latitude: 54.3239, longitude: 10.1394 }

/**
 * The console in Chromium as it draws without a graphics card: maps by SwiftShader, all else by the processor. Measures the
 * size of the first page; for the map with a million pins, the time blocked by tasks of more than 50 ms, the time from the
 * style to the first pins, and the frames drawn while it is dragged, compared with the same map without pins; and the
 * slowest input on the map of a town with the table of its points. Beside the time to the first pins stands that of a map
 * that draws nothing but a disc: how fast the machine is.
 */
export const benchConsole = (url: string): Promise<Comparison[]> => withTemporaryDatabase(url, measure)

async function measure(databaseUrl: string): Promise<Comparison[]> {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../web/build.ts', import.meta.url))], { stdio: 'inherit' })
  const service = await startService({}, undefined, undefined, { url: databaseUrl, drop: async () => {} })
  const args = ['--no-sandbox', ...SOFTWARE_WEBGL]
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
  try {
    const user = await service.app.localUser('keeper', ['admin'])
    const { token } = await service.app.identity.openFor(user)
    await buildersOn(service).app({ owner: service.as({ authorization: `Bearer ${token}` }) })
    const first = await firstLoad(await newPage(browser, token), service)
    const empty = await onMap(await newPage(browser, token), service, 0)
    await placeTown(service, service.as({ authorization: `Bearer ${token}` }), user.id)
    const steps = await workOnMap(await newPage(browser, token), service)
    const slowest = steps.reduce((most, step) => (step.ms > most.ms ? step : most))
    await addPins(databaseUrl)
    await service.app.pinIndex.caughtUp()
    const bareMapSeconds = await secondsOfBareMap(browser)
    const full = await onMap(await newPage(browser, token), service, PINS)
    return [
      {
        name: 'slowest input on the map with a table of 3,340 points, ms until its effect is drawn / limit',
        ours: { ms: slowest.ms, ...Object.fromEntries(steps.map(({ step, ms }) => [step, ms])) },
        peer: { ms: INP_MS },
        ratio: slowest.ms / INP_MS,
        target: '≤ 1',
      },
      {
        name: 'first page of the console, bytes sent / limit',
        ours: first,
        peer: { bytes: FIRST_LOAD },
        ratio: first.bytes / FIRST_LOAD,
        target: '≤ 1',
      },
      {
        name: `map with ${PINS.toLocaleString('en')} pins, ms of tasks over ${LONG_MS} ms / without pins`,
        ours: full,
        peer: empty,
        ratio: full.longTasksMs / empty.longTasksMs,
        target: 'none',
      },
      {
        name: `seconds from the style of a map to its first of ${PINS.toLocaleString('en')} pins / limit`,
        ours: { seconds: full.paintSeconds, groundWithoutPinsSeconds: empty.groundSeconds, bareMapSeconds },
        peer: { seconds: PAINT_SECONDS },
        ratio: full.paintSeconds / PAINT_SECONDS,
        target: '≤ 1',
      },
      {
        name: `frames while the map with ${PINS.toLocaleString('en')} pins is dragged / without pins`,
        ours: { framesPerSecond: full.framesPerSecond },
        peer: { framesPerSecond: empty.framesPerSecond },
        ratio: full.framesPerSecond / empty.framesPerSecond,
        target: '60 a second where the machine can',
      },
    ]
  } finally {
    await browser.close()
    await service.stop()
  }
}

async function newPage(browser: Browser, token: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } })
  await context.addInitScript(`localStorage.setItem('cairn-session', ${JSON.stringify(token)})`)
  await context.addInitScript(`
    window.longTasks = []
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration)
    }).observe({ type: 'longtask', buffered: true })`)
  await context.addInitScript(RECORD_INTERACTIONS)
  return context.newPage()
}

/** Opens the console's start page, and counts sent bytes until no more are requested. */
async function firstLoad(page: Page, service: Service) {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  let bytes = 0
  let requests = 0
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests++
  })
  const startedAt = performance.now()
  await page.goto(`${service.url}/console/`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const seconds = (performance.now() - startedAt) / 1000
  await page.waitForLoadState('networkidle')
  const longTasks = await tasksOf(page)
  await page.context().close()
  return { bytes, requests, seconds, ...longTasks }
}

/** Opens the map, and waits until it is drawn: with pins, once their number is shown. */
async function onMap(page: Page, service: Service, pins: number) {
  const { latitude, longitude } = CENTRE
  const startedAt = performance.now()
  await page.goto(`${service.url}/console/map?lat=${latitude}&lon=${longitude}&radius=1000`)
  const idle = page.locator('[data-map="idle"]')
  await idle.waitFor({ timeout: 300_000 })
  const groundSeconds = await sinceStyle(page, 'performance.now()')
  if (pins > 0) {
    const count = page.locator('[data-layer="pins"] span').filter({ hasText: /[1-9]/ })
    await count.first().waitFor({ timeout: 300_000 })
    // The map receives them in the same turn, and reports it in the next frame.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    await idle.waitFor({ timeout: 300_000 })
  }
  const seconds = (performance.now() - startedAt) / 1000
  const paintSeconds =
    pins === 0 ? 0 : await sinceStyle(page, "performance.getEntriesByName('map-first-paint')[0].startTime")
  const longTasks = await tasksOf(page)
  const framesPerSecond = await framesWhileDragged(page)
  await page.context().close()
  return { seconds, groundSeconds, paintSeconds, ...longTasks, framesPerSecond }
}

/** Seconds from the style of the map to a moment of the page. */
const sinceStyle = (page: Page, moment: string) =>
  page.evaluate<number>(`(${moment} - performance.getEntriesByName('map-style')[0].startTime) / 1000`)

/** Drags the map to and fro, and counts the frames that the page draws meanwhile. */
async function framesWhileDragged(page: Page): Promise<number> {
  const { x, y, width, height } = (await page.locator('canvas').first().boundingBox())!
  const [left, top] = [x + width / 2, y + height / 2]
  await page.mouse.move(left, top)
  await page.mouse.down()
  const counted = page.evaluate<number>(
    `new Promise((done) => {
      let frames = 0
      const began = performance.now()
      const count = (now) => (now - began < ${PAN_MS} ? (frames++, requestAnimationFrame(count)) : done(frames))
      requestAnimationFrame(count)
    })`,
  )
  let isOver = false
  const frames = counted.finally(() => {
    isOver = true
  })
  for (let step = 0; !isOver; step++) await page.mouse.move(left + 200 * Math.sin(step / 10), top)
  await page.mouse.up()
  return ((await frames) * 1000) / PAN_MS
}

/** The long tasks so far: number, total time, maximum. */
async function tasksOf(page: Page) {
  const tasks = await page.evaluate<number[]>('window.longTasks')
  const sum = tasks.reduce((all, ms) => all + ms, 0)
  return { longTasks: tasks.length, longTasksMs: Math.round(sum), longestMs: Math.round(Math.max(0, ...tasks)) }
}

/** Pins within some kilometres of the centre, most of them near it. */
async function addPins(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into pins (title, content_type, latitude, longitude)
     select 'pin ' || i, 'TEXT', $1 + (random() - 0.5) * random() * 0.2, $2 + (random() - 0.5) * random() * 0.3
     from generate_series(1, ${PINS}) as i`,
    [CENTRE.latitude, CENTRE.longitude],
  )
  await client.query('vacuum analyze pins')
  await client.end()
}
