import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { hookSteps } from '../../../test/scoring/hook-steps.ts'
import { appUrl, makeSession, playSession, rankOf } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let receiver: Receiver
let service: Service
let given: Builders
let steps: ReturnType<typeof hookSteps>
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_SCORE_HOOK_SECONDS: '30' })
  given = buildersOn(service)
  steps = hookSteps(service, receiver)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.received.length = 0
  steps.decides(() => ({ decision: 'accept' }))
})

const verified = (secret: string, one: (typeof receiver.received)[number]) =>
  new Webhook(secret).verify(one.text, one.headers as Record<string, string>)

describe('the question about a score', () => {
  test('is signed with the secret of the hook, and says which score of whom it is', async () => {
    const { app, hook, session, miniGameTypeId, ids, write } = await steps.hooked()
    expect(await write(12, { replay: 'a' })).toMatchObject({ status: 200, body: { score: 12 } })
    const [one] = receiver.received
    expect(verified(hook.secret, one!)).toMatchObject({
      type: 'score.before',
      data: {
        appId: app.id,
        gameSessionId: session,
        miniGameTypeId,
        submittedBy: 'server',
        scores: [{ playerId: ids[0], score: 12, metadata: { replay: 'a' } }],
      },
    })
    expect(() => verified(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, one!)).toThrow()
  })

  test('says when a player token sent the score', async () => {
    const { app, ids, scoreAt } = await steps.hooked({ type: { submittedBy: 'player' } })
    const { playerToken } = (await app.post('/auth/player-token', { playerId: ids[0] })).body
    const game = service.as({ ...app.headers, authorization: `Bearer ${playerToken}` })
    expect((await game.patch(scoreAt, { score: 3 })).status).toBe(200)
    expect(receiver.received[0]!.data).toMatchObject({ submittedBy: 'player' })
  })

  test('has at most 100 scores: 250 are three questions, and written together', async () => {
    const { ids, writeAll } = await steps.hooked({ players: 250 })
    steps.decides(({ score }) => ({ decision: 'change', score: score + 1000 }))
    const { body } = await writeAll(ids.map((playerId, i) => ({ playerId, score: i })))
    expect(receiver.received.map(({ data }) => data.scores.length).toSorted()).toEqual([100, 100, 50])
    expect(body.players.map(({ score }: { score: number }) => score)).toEqual(ids.map((_id, i) => 1000 + i))
  })

  test('has another ID each time, so that a receiver recognizes one that is replayed', async () => {
    const { write } = await steps.hooked()
    await write(1)
    await write(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })

  test('expires: a receiver that verifies refuses it after five minutes, and with a newer time', async () => {
    const { hook, write } = await steps.hooked()
    await write(1)
    const [one] = receiver.received
    const later = Date.now() + 301_000
    const newer = { ...one!.headers, 'webhook-timestamp': String(Math.floor(later / 1000)) }
    vi.useFakeTimers({ toFake: ['Date'], now: later })
    onTestFinished(() => void vi.useRealTimers())
    expect(() => verified(hook.secret, one!)).toThrow('too old')
    expect(() => verified(hook.secret, { ...one!, headers: newer })).toThrow('signature')
  })
})

describe('the decision', () => {
  test('change writes the other score, which ranks', async () => {
    const { app, ids, miniGameTypeId, write, scoreNow } = await steps.hooked({ players: 2 })
    steps.decides(() => ({ decision: 'change', score: 40.5 }))
    expect((await write(9999)).body).toMatchObject({ score: 40.5 })
    expect(await scoreNow()).toBe(40.5)
    expect(await rankOf(app, ids[0]!, `?miniGameTypeId=${miniGameTypeId}`)).toBe(1)
  })

  test('a changed score outside the bounds is 400, and nothing is written', async () => {
    const { write, scoreNow } = await steps.hooked({ type: { maxScore: 100 } })
    steps.decides(() => ({ decision: 'change', score: 101 }))
    expect(await write(50)).toMatchObject({ status: 400, body: { error: [{ code: 'score_out_of_bounds' }] } })
    expect(await scoreNow()).toBe(0)
  })

  test('refuse is 400 with the note, and nothing is written', async () => {
    const { write, scoreNow } = await steps.hooked()
    steps.decides(() => ({ decision: 'refuse', note: 'No such replay' }))
    expect(await write(50)).toMatchObject({
      status: 400,
      body: { error: [{ code: 'score_refused', message: 'No such replay', path: ['score'] }] },
    })
    expect(await scoreNow()).toBe(0)
  })

  test('hold keeps the score for a review with the note, and accepting it writes it without asking again', async () => {
    const { app, write, scoreNow } = await steps.hooked()
    steps.decides(() => ({ decision: 'hold', note: 'Watch the \0 replay' }))
    const { body } = await write(50)
    expect(body).toMatchObject({ state: 'held', score: 0 })
    const review = appUrl(`reviews/${body.reviewId}`)
    expect((await app.get(review)).body).toMatchObject({ reasons: ['hook'], note: 'Watch the � replay', score: 50 })
    expect((await app.post(review, { decision: 'accept' })).body).toMatchObject({ state: 'accepted' })
    expect(await scoreNow()).toBe(50)
    expect(receiver.received).toHaveLength(1)
  })

  test('accept leaves the rules of the type in force', async () => {
    const { app, write } = await steps.hooked({ type: { rules: { requireMetadata: ['replay'] } } })
    const { body } = await write(5)
    expect(body.state).toBe('held')
    expect((await app.get(appUrl(`reviews/${body.reviewId}`))).body.reasons).toEqual(['requireMetadata'])
  })

  test('is made for each score of a request: held ones are held, the others written as decided', async () => {
    const { ids, writeAll } = await steps.hooked({ players: 3 })
    steps.decides(({ score }) =>
      score === 1 ? { decision: 'hold' } : score === 2 ? { decision: 'change', score: 20 } : { decision: 'accept' },
    )
    const { body } = await writeAll([1, 2, 3].map((score, i) => ({ playerId: ids[i]!, score })))
    expect(body.players).toMatchObject([
      { playerId: ids[0], score: 0, state: 'held' },
      { playerId: ids[1], score: 20 },
      { playerId: ids[2], score: 3 },
    ])
  })

  test('to refuse one score of a request refuses all, and names it', async () => {
    const { ids, writeAll, scoreNow } = await steps.hooked({ players: 2 })
    steps.decides(({ score }) => ({ decision: score === 2 ? 'refuse' : 'accept' }))
    expect(await writeAll([1, 2].map((score, i) => ({ playerId: ids[i]!, score })))).toMatchObject({
      status: 400,
      body: { error: [{ code: 'score_refused', path: ['scores', 1, 'score'] }] },
    })
    expect(await scoreNow()).toBe(0)
  })
})

describe('which hook is asked', () => {
  test('that of the type instead of that of all types, which is asked about the rest', async () => {
    const { owner, app, hooks, miniGameTypeId, write } = await steps.hooked()
    const other = await startReceiver()
    try {
      other.answer = (response) => {
        response.end('{"decisions":[{"decision":"change","score":77}]}')
        return true
      }
      // The port of the other receiver is not one that the operator named.
      expect((await owner.post(hooks, { url: other.url })).status).toBe(400)
    } finally {
      await other.stop()
    }
    expect((await owner.post(hooks, { url: `${receiver.url}?all` })).body.miniGameTypeId).toBeNull()
    await write(1)
    const session = (await makeSession(app)).id
    const [player] = await playSession(given, app, session, [2])
    expect(receiver.received.map(({ data }) => [data.miniGameTypeId, data.scores[0].playerId])).toEqual([
      [miniGameTypeId, expect.any(String)],
      [null, player!.id],
    ])
  })

  test('none for a correction, which a server key decides itself', async () => {
    const { app, scoreAt, scoreNow } = await steps.hooked()
    steps.decides(() => ({ decision: 'refuse' }))
    expect((await app.post(`${scoreAt}/correction`, { score: 8 })).status).toBe(200)
    expect(await scoreNow()).toBe(8)
    expect(receiver.received).toEqual([])
  })

  test('none in an app without hooks, of another app, or of another type', async () => {
    await steps.hooked()
    const app = await given.app()
    await playSession(given, app, (await makeSession(app)).id, [4])
    const { app: withHook } = await steps.hooked()
    await playSession(given, withHook, (await makeSession(withHook)).id, [4])
    expect(receiver.received).toEqual([])
  })
})

test('a request that is repeated with its Idempotency-Key asks and writes once', async () => {
  const { app, scoreAt, session } = await steps.hooked()
  const again = service.as({ ...app.headers, 'idempotency-key': 'one score' })
  steps.decides(({ score }) => ({ decision: 'change', score: score + receiver.received.length }))
  const first = await again.patch(scoreAt, { score: 10 })
  steps.decides(() => ({ decision: 'change', score: 999 }))
  expect(await again.patch(scoreAt, { score: 10 })).toMatchObject({ status: 200, body: first.body })
  expect(receiver.received).toHaveLength(1)
  const history = await app.get(appUrl(`game-sessions/${session}/players`))
  expect(history.body.players).toMatchObject([{ score: first.body.score }])
})
