import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { away, fenceWorldOn } from '../../server/test/fences/fence-world.ts'
import { type Service, startService } from '../../server/test/service.ts'
import type * as sdk from '../index.ts'
import { startPageServer } from './page-server.ts'

declare const cairn: typeof sdk

const WELL = { lat: 48.1, lon: 11.5 }

let service: Service
let browser: Browser
let context: BrowserContext
let page: Page
let server: Awaited<ReturnType<typeof startPageServer>>

beforeAll(async () => {
  service = await startService()
  server = await startPageServer()
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  context = await browser.newContext({ permissions: ['geolocation'] })
  page = await context.newPage()
  await page.goto(server.url)
  await page.waitForFunction('window.cairn')
})
afterAll(async () => {
  await browser?.close()
  server?.stop()
  await service?.stop()
})

const stand = ({ lat, lon }: { lat: number; lon: number }) =>
  context.setGeolocation({ latitude: lat, longitude: lon, accuracy: 5 })

/** Watches as this player, and notes what is heard. */
const watchAs = ({ headers }: { headers: Record<string, string> }) =>
  page.evaluate(
    ({ baseUrl, appKey, session }) => {
      const { fences } = cairn.createCairn({ baseUrl, appKey, session, retry: { attempts: 1 } })
      const heard: string[] = []
      const storage: Storage = Reflect.get(globalThis, 'localStorage')
      const watch = fences.watch({ every: 200, storage, onEvent: ({ type, name }) => heard.push(`${type} ${name}`) })
      Object.assign(globalThis, { heard, watch })
    },
    { baseUrl: service.url, appKey: headers['x-app-api-key']!, session: headers.authorization!.slice(7) },
  )
const heard = () => page.evaluate('heard')

test('a page reports where its device is, and what it could not send while it was offline', async () => {
  const world = await fenceWorldOn(service)
  await world.circle(WELL, 20)
  const player = await world.player()
  await stand(away(WELL, 200))
  await watchAs(player)
  await stand(WELL)
  await expect.poll(heard).toEqual(['enter Well'])
  await context.setOffline(true)
  await stand(away(WELL, 150))
  await expect.poll(() => page.evaluate(`localStorage.getItem('cairn.positions') ?? ''`)).toContain('lat')
  expect(await heard()).toEqual(['enter Well'])
  await context.setOffline(false)
  await expect.poll(heard).toEqual(['enter Well', 'exit Well'])
  await page.evaluate('watch.stop()')
})

test('a watch beside another one reports a device that does not move', async () => {
  const world = await fenceWorldOn(service)
  await world.circle(WELL, 20)
  const player = await world.player()
  await stand(WELL)
  await page.evaluate(`new Promise((known, failed) => {
    navigator.geolocation.watchPosition(known, failed, { enableHighAccuracy: true })
  })`)
  await watchAs(player)
  await expect.poll(heard).toEqual(['enter Well'])
  await page.evaluate('watch.stop()')
})
