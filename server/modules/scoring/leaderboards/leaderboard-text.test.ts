import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, playSession } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

const PLAYERS = 48
/** How many boards are drawn. More finds rarer faults. */
const rounds = Number(process.env.CAIRN_TEST_ROUNDS || 12)

let service: Service
let app: Caller & { id: string }
let players: { id: string }[]
let boards: { type: string; session: string }[]
beforeAll(async () => {
  service = await startService()
  app = await buildersOn(service).app()
  const types = [await makeType(app, 'Hunt'), await makeType(app, 'Race', { sortOrder: 'asc' })]
  boards = await Promise.all(
    types.map(async ({ id }) => ({ type: id, session: (await makeSession(app, { miniGameTypeId: id })).id })),
  )
  players = await playSession(buildersOn(service), app, boards[0]!.session, Array(PLAYERS).fill(undefined))
  for (const { id } of players) await app.post(appUrl(`game-sessions/${boards[1]!.session}/players`), { playerId: id })
})
afterAll(() => service.stop())

/** Any number a score can be: each bit is drawn. */
function anyDouble(): number {
  const bits = new DataView(new ArrayBuffer(8))
  for (;;) {
    bits.setUint32(0, Math.random() * 2 ** 32)
    bits.setUint32(4, Math.random() * 2 ** 32)
    if (Number.isFinite(bits.getFloat64(0))) return bits.getFloat64(0)
  }
}
const anySize = () => (Math.random() - 0.5) * 10 ** (Math.random() * 19 - 4)
const plain = () => Math.sign(Math.random() - 0.5) * 10 ** (Math.random() * 18.9999 - 3.9999)
const whole = () => Math.round((Math.random() - 0.5) * 10 ** (Math.random() * 15))
const special = [0, -0, 0.1 + 0.2, 1e21, 1e20, 1e15, 1e15 - 1, 999999999999999.9, 2 ** 53, 2 ** 53 + 2, 2 ** 63]
special.push(1e-4, 0.0001234, 9.999999999999999e-5, 1e-5, 1e-6, 1e-7, 5e-324, 1e23, Number.MAX_VALUE, 1 / 3, 100, 1e22)
const draws = [whole, plain, plain, anySize, anyDouble, () => special[Math.floor(Math.random() * special.length)]!]

async function boardText(type: string, query = ''): Promise<string> {
  const response = await fetch(`${service.url}${appUrl(`leaderboards/mini-game?miniGameTypeId=${type}${query}`)}`, {
    headers: app.headers,
  })
  expect(response.status).toBe(200)
  return response.text()
}

describe('a board from its top', () => {
  test('is byte for byte what JSON.stringify writes, with any scores, and has the scores that were set', async () => {
    for (let round = 0; round < rounds; round++) {
      const [draw, { type, session }] = [draws[round % draws.length]!, boards[round % 2]!]
      const scores = players.map(({ id }) => ({ playerId: id, score: draw() }))
      expect((await app.post(appUrl(`game-sessions/${session}/scores`), { scores })).status).toBe(200)
      for (const query of ['', '&limit=5', `&aroundPlayerId=${players[0]!.id}`]) {
        const text = await boardText(type, query)
        expect(text).toBe(JSON.stringify(JSON.parse(text)))
      }
      const { leaderboard } = JSON.parse(await boardText(type))
      const shown = new Map<string, number>()
      for (const entry of leaderboard) shown.set(entry.playerId, entry.playerScore)
      for (const { playerId, score } of scores) expect(shown.get(playerId)).toBe(score + 0)
    }
  })

  test('writes names as JSON.stringify does, character by character', async () => {
    const sql = sqlOn(service)
    const { type, session } = boards[0]!
    const scores = players.map(({ id }, n) => ({ playerId: id, score: n }))
    await app.post(appUrl(`game-sessions/${session}/scores`), { scores })
    const pieces = [
      '\u2028\u2029',
      '\u007f\u0080\u009f',
      '"\\/',
      '\\u0000 \\"',
      '</script>&',
      '😀\u{10ffff}',
      '\ufeff\ufffd',
    ]
    const controls = Array.from({ length: 31 }, (_, n) => String.fromCharCode(n + 1))
    const names = [...pieces, ...controls].map((piece) => `a${piece}b`)
    // Releases before took names with characters that are refused now.
    const ids = names.map((_, n) => players[n]!.id)
    await sql(
      `update players p set display_name = i.name, name_key = i.id::text
         from unnest($1::uuid[], $2::text[]) i(id, name) where p.app_id = $3 and p.id = i.id`,
      [ids, names, app.id],
    )
    const { status } = await app.patch(appUrl(`players/${players.at(-1)!.id}`), { displayName: 'changed' })
    expect(status).toBe(200)
    const text = await boardText(type)
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
    const shown = JSON.parse(text).leaderboard.map((entry: { playerDisplayName: string }) => entry.playerDisplayName)
    expect(shown).toEqual(expect.arrayContaining(names))
  })

  test('refuses a name that is no text: half of a character', async () => {
    const { id } = players[0]!
    for (const name of ['\\ud83d', '\\ude00 x', '\\u0000'])
      expect(
        (
          await service.request('PATCH', appUrl(`players/${id}`), `{"displayName":"${name}"}`, {
            ...app.headers,
            'content-type': 'application/json',
          })
        ).status,
      ).toBe(400)
  })
})
