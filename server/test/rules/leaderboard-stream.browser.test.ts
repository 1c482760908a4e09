import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { appUrl, makeSession, makeType, playSession, setScore } from '../scoring/scoring-steps.ts'
import { startService } from '../service.ts'

/** The program in docs/scoring.md. */
const example = /```js\n(.*?)```/s.exec(readFileSync(new URL('../../../docs/scoring.md', import.meta.url), 'utf8'))![1]!

test('the example of docs/scoring.md follows a board in a browser, across a lost connection after its token expired', async () => {
  const service = await startService()
  const app = await buildersOn(service).app()
  await makeType(app, 'Hill run', { sortOrder: 'asc' })
  const { id } = await makeSession(app, { miniGameTypeName: 'Hill run' })
  const players = await playSession(buildersOn(service), app, id, [30, 20, 10])

  // The game's own server on another origin: only it knows the app key.
  const game = createServer(async (request, response) => {
    if (request.url === '/my-server/stream-token') {
      const { body } = await app.post(appUrl('leaderboards/stream-token'), { miniGameTypeName: 'Hill run' })
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
      return
    }
    const script = `function render(entries) { window.shown = entries }\n${example.replaceAll('https://cairn.example', service.url)}`
    response.setHeader('content-type', 'text/html').end(`<!doctype html><script>${script}</script>`)
  }).listen(0, '127.0.0.1')
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(120_000)
    await page.goto(`http://127.0.0.1:${(game.address() as AddressInfo).port}/`)
    const expectShown = async () => {
      const { leaderboard } = (await app.get(appUrl('leaderboards/mini-game?miniGameTypeName=Hill%20run'))).body
      await page.waitForFunction(
        (goal) => JSON.stringify(Reflect.get(globalThis, 'shown')) === goal,
        JSON.stringify(leaderboard),
      )
    }
    await expectShown()
    await setScore(app, id, players[0]!.id, 5)
    await app.delete(appUrl(`game-sessions/${id}/players/${players[2]!.id}`))
    await expectShown()
    // The expired token is refused on reconnection: the page requests another one, and resumes.
    await page.route('**/leaderboards/stream?*', (route) => route.fulfill({ status: 401, body: '' }), { times: 1 })
    service.app.http.server.closeAllConnections()
    // These include this process's own connections: do not reuse one of them next.
    await new Promise(setImmediate)
    await setScore(app, id, players[1]!.id, 1)
    await expectShown()
    const shown = await page.evaluate(() => Reflect.get(globalThis, 'shown'))
    expect(shown).toMatchObject([
      { playerId: players[1]!.id, playerScore: 1, ranking: 1 },
      { playerId: players[0]!.id, playerScore: 5, ranking: 2 },
    ])
  } finally {
    await browser.close()
    game.close()
    await service.stop()
  }
})
