import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'
import type * as sdk from '../index.ts'
import { startPageServer } from './page-server.ts'

declare const cairn: typeof sdk

let service: Service
let browser: Browser
let page: Awaited<ReturnType<Browser['newPage']>>
let server: Awaited<ReturnType<typeof startPageServer>>

beforeAll(async () => {
  service = await startService()
  server = await startPageServer()
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  page = await browser.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(server.url)
  await page.waitForFunction('window.cairn')
})
afterAll(async () => {
  await browser?.close()
  server?.stop()
  await service?.stop()
})

test('a page uploads a chosen file over an interrupted connection and shows the progress', async () => {
  const bytes = randomBytes(3_000_000)
  const path = join(service.folder, 'hall.bin')
  await writeFile(path, bytes)
  await page.setInputFiles('input', path)
  await page.route('**/api/upload/tus/*', (route) => route.abort(), { times: 1 })
  const { url, fileName, heard } = await page.evaluate(
    async ({ baseUrl }) => {
      const heard: number[] = []
      const file: File = Reflect.get(globalThis, 'document').querySelector('input').files[0]
      const { files } = cairn.createCairn({ baseUrl, retry: { firstWait: 1 } })
      const result = await files.upload(file, { onProgress: ({ sent }) => heard.push(sent) })
      return { ...result, heard }
    },
    { baseUrl: service.url },
  )
  expect(fileName).toBe('hall.bin')
  expect(heard.length).toBeGreaterThan(2)
  expect(heard.at(-1)).toBe(bytes.length)
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true)
})

test('a page reads pages of a list, failures with their ids, and a board that moves', async () => {
  const app = await buildersOn(service).app()
  const options = { baseUrl: service.url, appKey: app.key }
  for (const name of ['Ada', 'Grace', 'Edsger']) await buildersOn(service).player(app, name)
  const seen = await page.evaluate(async (given) => {
    const { players, gameSessions, leaderboards } = cairn.createCairn(given)
    const names = (await players.list({ limit: 1 }).all()).map(({ displayName }) => displayName)
    const fault = await players.create({ displayName: 'Ada' }).catch((error) => error as sdk.CairnError)
    const [ada] = (await players.list({ limit: 1 }).first()).items
    const { id } = await gameSessions.create()
    await gameSessions.join(id, ada!.id)
    const scores: number[] = []
    for await (const { leaderboard } of leaderboards.follow()) {
      scores.push(leaderboard[0]?.playerScore ?? -1)
      if (scores.length === 3) break
      await gameSessions.setScore(id, ada!.id, 10 * scores.length)
    }
    const { status, requestId } = fault as sdk.CairnError
    return { names, status, requestId, scores }
  }, options)
  expect(seen).toEqual({
    names: ['Ada', 'Grace', 'Edsger'],
    status: 409,
    requestId: expect.stringMatching(/\S/),
    scores: [-1, 10, 20],
  })
})
