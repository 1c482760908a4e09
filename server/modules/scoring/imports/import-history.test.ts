import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { appUrl } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const imported = (app: Caller, text: string) =>
  app.post(appUrl('leaderboards/import'), formOf({ name: 'scores.csv', bytes: text }))

test('an import of scores with times restarts the history of the board', async () => {
  const app = await given.app()
  const before = new Date().toISOString()
  expect((await imported(app, 'player_name,score,achieved_at\nAda,10,2026-05-01T10:00:00Z\n')).status).toBe(200)
  expect(await app.get(appUrl(`leaderboards/mini-game?at=${before}`))).toMatchObject({
    status: 400,
    body: { error: [{ path: ['at'], message: expect.stringContaining('before the history of this leaderboard') }] },
  })
})

test('the score of a banned player fails, and the others of the file are written', async () => {
  const app = await given.app()
  const cheater = await given.player(app, 'Cheater')
  await app.patch(appUrl(`players/${cheater.id}`), { standing: 'banned' })
  const { body } = await imported(app, 'player_name,score\nCheater,99\nAda,10\n')
  expect(body).toMatchObject({
    summary: { rows: 2, applied: 1, failed: 1 },
    rows: [{ row: 1, code: 'player_banned' }],
  })
  const { leaderboard } = (await app.get(appUrl('leaderboards/mini-game'))).body
  expect(leaderboard).toMatchObject([{ playerDisplayName: 'Ada', ranking: 1 }])
})

test('the score of a hidden player is imported and shows on no board until it is normal again', async () => {
  const app = await given.app()
  const hidden = await given.player(app, 'Hidden')
  await app.patch(appUrl(`players/${hidden.id}`), { standing: 'hidden' })
  await imported(app, 'player_name,score\nHidden,99\nAda,10\n')
  const names = async () =>
    (await app.get(appUrl('leaderboards/mini-game'))).body.leaderboard.map(
      ({ playerDisplayName }: { playerDisplayName: string }) => playerDisplayName,
    )
  expect(await names()).toEqual(['Ada'])
  await app.patch(appUrl(`players/${hidden.id}`), { standing: 'normal' })
  expect(await names()).toEqual(['Hidden', 'Ada'])
})
