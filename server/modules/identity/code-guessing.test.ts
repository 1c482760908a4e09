import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type CodeTests, codeTests } from '../../test/network/codes.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let given: Builders
let codes: CodeTests
beforeAll(async () => {
  service = await startService({ CAIRN_TRUSTED_PROXIES: 'loopback', CAIRN_CODE_SECONDS: '900' })
  given = buildersOn(service)
  codes = codeTests(service)
})
afterAll(() => service.stop())

const KEYLESS = '00000000-0000-0000-0000-000000000000'

/** Ages the failures. */
const age = (interval: string) => codes.sql(`update code_failures set at = at - ${interval}`)
const forgetAll = () => codes.sql('truncate code_failures, code_lockouts, code_peaks, codes')

const statuses = (answers: Answer[]) => answers.map(({ status, body }) => (status === 200 ? body.status : status))
const count = (answers: Answer[], what: unknown) => statuses(answers).filter((one) => one === what).length
const lockouts = async () => {
  const { body } = await service.anonymous.get('/metrics')
  return Number(/^cairn_code_lockouts (\d+)$/m.exec(body)![1])
}
const alarms = async (space: string) =>
  (await codes.sql("select 1 from audit_log where action = 'codes.locked' and subject = $1", [space])).length

/** Creates users, each with an active code. */
async function liveCodes(many: number, of: (user: Caller) => Caller = (user) => user): Promise<string[]> {
  const made: string[] = []
  for (let i = 0; i < many; i++) made.push(await codes.make(of(await given.user())))
  return made
}

/** Records recent wrong guesses without a key, from other addresses. */
const failedElsewhere = (many: number) =>
  codes.sql(
    `insert into code_failures (space, address, at) select $1, 'elsewhere ' || i, now() from generate_series(1, $2) i`,
    [KEYLESS, many],
  )

/** Sends wrong guesses, eight at once, each from its own address. */
async function guess(many: number, live: string[], key?: string): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.length < many) {
    const wave = Math.min(8, many - answers.length)
    const wrong = () => codes.exchange(codes.wrongCode(live), key ? { key } : {})
    answers.push(...(await Promise.all(Array.from({ length: wave }, wrong))))
  }
  return answers
}

describe('5 failures in 10 minutes per address', () => {
  test('the sixth try is 429 with status ERROR and Retry-After, even a valid code, until the first failure is 10 minutes old', async () => {
    await forgetAll()
    const code = await codes.make(await given.user())
    const from = codes.freshAddress()
    for (let i = 0; i < 5; i++)
      expect((await codes.exchange(codes.wrongCode([code]), { from })).body.status).toBe('INVALID')
    const over = await codes.exchange(code, { from })
    expect(over).toMatchObject({
      status: 429,
      body: { status: 'ERROR', error: expect.stringMatching(/Retry in \d+ seconds$/) },
    })
    const wait = Number(over.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(540)
    expect(wait).toBeLessThanOrEqual(600)
    expect(over.headers.get('ratelimit')).toBe(`"codes";r=0;t=${wait}`)
    await age("interval '10 minutes'")
    expect((await codes.exchange(code, { from })).body.status).toBe('VALID')
  })

  test('an IPv6 /64 is one address; the next /64 is another', async () => {
    await forgetAll()
    const code = await codes.make(await given.user())
    for (let i = 1; i <= 5; i++) await codes.exchange(codes.wrongCode([code]), { from: `2001:db8:1:1::${i}` })
    expect(await codes.exchange(code, { from: '2001:db8:1:1:ffff::9' })).toMatchObject({ status: 429 })
    expect((await codes.exchange(code, { from: '2001:db8:1:2::1' })).body.status).toBe('VALID')
  })

  test('successes are not counted, EXPIRED is, because it was a guess', async () => {
    await forgetAll()
    const user = await given.user()
    const from = codes.freshAddress()
    for (let i = 0; i < 8; i++)
      expect((await codes.exchange(await codes.make(user), { from })).body.status).toBe('VALID')
    const ended = await codes.make(user)
    await codes.sql("update codes set expires_at = now() - interval '1 second' where live")
    for (let i = 0; i < 5; i++) expect((await codes.exchange(ended, { from })).body.status).toBe('EXPIRED')
    expect(await codes.exchange(ended, { from })).toMatchObject({ status: 429 })
  })

  test('count in all spaces together, exactly for concurrent guesses', async () => {
    await forgetAll()
    // As many spaces as guesses, so that they share only the address.
    const owner = await given.user()
    const keys: string[] = []
    for (let i = 0; i < 10; i++) keys.push((await given.app({ owner })).key)
    const from = codes.freshAddress()
    const answers = await codes.allAtOnce(keys.map((key) => () => codes.exchange('000000', { from, key })))
    expect(count(answers, 'INVALID')).toBe(5)
    expect(count(answers, 429)).toBe(5)
  })
})

describe('the budget of a space: risk × 10^6 ÷ n in 24 hours', () => {
  test('n is at least 20: exactly 500 failures, also for concurrent guesses, and one alarm', async () => {
    await forgetAll()
    await failedElsewhere(498)
    const [metric, audit] = [await lockouts(), await alarms('keyless')]
    const answers = await codes.allAtOnce(Array.from({ length: 10 }, () => () => codes.exchange('000000')))
    expect(count(answers, 'INVALID')).toBe(2)
    expect(count(answers, 429)).toBe(8)
    expect(count(await guess(10, []), 429)).toBe(10)
    expect([(await lockouts()) - metric, (await alarms('keyless')) - audit]).toEqual([1, 1])
  })

  test('n is the highest number of active user codes in the window, even if they have expired or were used', {
    tags: ['long'],
  }, async () => {
    await forgetAll()
    const [first, ...rest] = await liveCodes(40)
    await codes.exchange(first)
    await codes.sql("update codes set expires_at = now() - interval '1 second' where live")
    rest.push(await codes.make(await given.user()))
    const answers = await guess(260, rest)
    expect(count(answers, 429)).toBe(260 - 10_000 / 40)
    await codes.sql("update code_peaks set minute = minute - interval '24 hours 17 minutes'")
    expect(count(await guess(3, rest), 429)).toBe(0)
  })

  test('with more than 10,000 active codes no failure is allowed, and so no guess', async () => {
    await forgetAll()
    const code = await codes.make(await given.user())
    await codes.sql('update code_peaks set live = 10001')
    const locked = await codes.exchange(code)
    expect(locked).toMatchObject({ status: 429, body: { status: 'ERROR' } })
    expect(locked.headers.get('retry-after')).toBe('3600')
    await codes.sql('update code_peaks set live = 10000')
    expect((await codes.exchange(code)).body.status).toBe('VALID')
    expect((await codes.exchange(code)).body.status).toBe('INVALID')
    expect(await codes.exchange(code)).toMatchObject({ status: 429 })
  })

  test('the accepted risk is a setting: 0.0004 a day is 20 failures', async () => {
    const strict = await startService({ CAIRN_TRUSTED_PROXIES: 'loopback', CAIRN_CODE_RISK: '0.0004' })
    const there = codeTests(strict)
    const answers = await Promise.all(Array.from({ length: 30 }, () => there.exchange('000000')))
    expect(count(answers, 'INVALID')).toBe(20)
    await strict.stop()
  })

  test('codes created by an app do not count: they open no session', async () => {
    await forgetAll()
    const app = await given.app()
    for (let i = 0; i < 40; i++) await codes.make(app, { playerId: (await given.player(app)).id })
    expect(await codes.sql('select * from code_peaks')).toEqual([])
    await codes.make(await given.user())
    expect(await codes.sql('select live from code_peaks')).toEqual([{ live: 1 }])
  })

  test('each app has its own; the keyless one counts all user codes, and only keyless guesses spend it', {
    tags: ['long'],
  }, async () => {
    await forgetAll()
    const [one, other] = [await given.app(), await given.app()]
    const live = await liveCodes(100, (user) => service.as({ ...user.headers, 'x-app-api-key': one.key }))
    expect(await codes.sql('select space, live from code_peaks where live = 100 order by space')).toEqual(
      [KEYLESS, one.id].toSorted().map((space) => ({ space, live: 100 })),
    )
    expect(count(await guess(110, live, one.key), 429)).toBe(10)
    expect(await codes.exchange(live[0], { key: one.key })).toMatchObject({ status: 429, body: { status: 'ERROR' } })
    expect(count(await guess(10, live, other.key), 429)).toBe(0)
    expect((await codes.exchange(live[0])).body.status).toBe('VALID')
    expect(count(await guess(110, live), 429)).toBe(10)
  })

  test('is stored in the database: another or a restarted process continues it', async () => {
    await forgetAll()
    const live = await liveCodes(1)
    await failedElsewhere(480)
    const other = await startSecondService(service)
    const there = (code: string) =>
      other.as({ 'x-forwarded-for': codes.freshAddress() }).post('/auth/codes/exchange', { code })
    for (let i = 0; i < 10; i++) {
      expect((await there(codes.wrongCode(live))).body.status).toBe('INVALID')
      expect((await codes.exchange(codes.wrongCode(live))).body.status).toBe('INVALID')
    }
    expect(await there(live[0]!)).toMatchObject({ status: 429 })
    expect(await codes.exchange(live[0])).toMatchObject({ status: 429 })
    await other.stop()
  })
})

test('64 concurrent exchanges of one code, each from its own address: exactly one is VALID', async () => {
  for (let round = 0; round < 5; round++) {
    await forgetAll()
    const code = await codes.make(await given.user())
    const answers = await Promise.all(Array.from({ length: 64 }, () => codes.exchange(code)))
    expect(statuses(answers).toSorted()).toEqual([...Array(63).fill('INVALID'), 'VALID'])
  }
})

test('a user has at most 20 active codes for any players, so that one user cannot exhaust the shared budget', async () => {
  await forgetAll()
  const [user, app] = [await given.user(), await given.app()]
  const players: string[] = []
  for (let i = 0; i < 24; i++) players.push((await given.player(app)).id)
  const answers = await Promise.all(players.map((playerId) => user.post('/auth/codes', { playerId })))
  expect(count(answers, 429)).toBe(4)
  expect(await codes.sql('select max(live)::int as live from code_peaks')).toEqual([{ live: 20 }])

  const [refused] = answers.filter(({ status }) => status === 429)
  expect(refused).toMatchObject({ body: { error: expect.stringContaining('20 active codes') } })
  const again = players[answers.findIndex(({ status }) => status === 200)]
  expect(await user.post('/auth/codes', { playerId: again })).toMatchObject({ status: 200 })
  await codes.sql("update codes set expires_at = now() - interval '1 second' where live")
  expect(await user.post('/auth/codes', { playerId: players[0] })).toMatchObject({ status: 200 })
})

test('64 codes created at once by one user: one is active', async () => {
  await forgetAll()
  const user = await given.user()
  const made = await Promise.all(Array.from({ length: 64 }, () => codes.make(user)))
  expect(await codes.sql('select count(*)::int as live from codes where live')).toEqual([{ live: 1 }])
  const answers = await Promise.all([...new Set(made)].map((code) => codes.exchange(code)))
  expect(count(answers, 'VALID')).toBe(1)
})

test('an attacker with 1,000 fresh addresses against 200 active user codes stays under 1 % a day; the lock-out is visible, alarmed, and ends', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  await forgetAll()
  const owner = await given.user()
  const live = [await codes.make(owner), ...(await liveCodes(199))]
  const alarmsBefore = await lockouts()
  const auditBefore = await alarms('keyless')

  // Two days minus the last hour, hour by hour; new codes replace expired ones, so that their number is constant.
  const decided: number[] = []
  const refused: Answer[] = []
  for (let hour = 0; hour < 47; hour++) {
    const answers = await guess(hour < 24 ? 42 : 25, live)
    refused.push(...answers.filter(({ status }) => status === 429))
    decided.push(answers.length - count(answers, 429))
    await age("interval '1 hour'")
    live[0] = await codes.make(owner)
  }

  for (let from = 0; from + 24 <= decided.length; from++) {
    const guesses = decided.slice(from, from + 24).reduce((sum, one) => sum + one, 0)
    expect(guesses).toBeLessThanOrEqual(10_000 / 200)
    expect(1 - (1 - 200 / 1_000_000) ** guesses).toBeLessThan(0.01)
  }
  expect(decided.slice(0, 3)).toEqual([42, 8, 0])
  for (const { body, headers } of refused) {
    expect(body).toEqual({ status: 'ERROR', error: expect.any(String) })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(24 * 3600)
  }

  // Locked in the second hour, and again on the next day after its failures left the window and new ones arrived.
  expect(decided.slice(24, 27)).toEqual([25, 25, 0])
  expect((await lockouts()) - alarmsBefore).toBe(2)
  expect((await alarms('keyless')) - auditBefore).toBe(2)

  expect(await codes.exchange(live[0])).toMatchObject({ status: 429 })
  await age("interval '24 hours'")
  expect((await codes.exchange(live[0])).body.status).toBe('VALID')
})

test('an operator sees where failures came from, and lifts a lock', async () => {
  await forgetAll()
  const { codes: spaces } = service.app.operator
  const code = await codes.make(await given.user())
  await failedElsewhere(498)
  for (let i = 0; i < 2; i++) await codes.exchange(codes.wrongCode([code]), { from: '203.0.113.7' })
  expect(await codes.exchange(code)).toMatchObject({ status: 429 })
  const [space, ...others] = await spaces.list()
  expect(others).toEqual([])
  expect(space).toMatchObject({ space: 'keyless', failures: 500, budget: 500, wait: expect.any(Number) })
  expect(space!.addresses).toHaveLength(10)
  expect(space!.addresses[0]).toEqual({ address: '203.0.113.7', failures: 2 })

  expect(await spaces.unlock('keyless')).toBe(500)
  expect(await spaces.list()).toEqual([])
  expect((await codes.exchange(code)).body.status).toBe('VALID')
  const [row] = await codes.sql("select actor, subject from audit_log where action = 'codes.unlocked'")
  expect(row).toEqual({ actor: 'operator', subject: 'keyless' })
})
