import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { appUrl } from '../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startSecondService, startService } from '../../test/service.ts'

/** Writers send to two processes in turn. */
let services: Service[]
let app: Caller & { id: string }
beforeAll(async () => {
  const first = await startService()
  services = [first, await startSecondService(first, { CAIRN_ROLE: 'api' })]
  app = await buildersOn(first).app()
})
afterAll(async () => {
  for (const service of services.toReversed()) await service.stop()
})

const put = (at: number, path: string, body: object, headers: Record<string, string> = {}) =>
  services[at % 2]!.request('PUT', path, body, { ...app.headers, ...headers })

/** Rounds of writers that all have read the same state. Each writes a value of its own. */
const rounds = fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 1, maxLength: 4 })

async function playRounds(path: string, writers: number[]) {
  let tag: string | undefined
  for (const [round, count] of writers.entries()) {
    const condition: Record<string, string> = tag === undefined ? { 'if-none-match': '*' } : { 'if-match': tag }
    const answers = await Promise.all(
      Array.from({ length: count }, (_, writer) => put(writer, path, { round, writer }, condition)),
    )
    const winners = answers.flatMap(({ status }, writer) => (status < 300 ? [writer] : []))
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(count - 1)
    const { body, headers } = await app.get(path)
    expect(body).toEqual({ round, writer: winners[0] })
    tag = headers.get('etag')!
    expect(answers[winners[0]!]!.headers.get('etag')).toBe(tag)
  }
}

test('of writers with the same If-Match, or If-None-Match: *, exactly one wins, and its value stays', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (writers) => {
      const { id } = await buildersOn(services[0]!).player(app)
      await playRounds(appUrl(`players/${id}/storage/a`), writers)
    }),
    { numRuns: 12 },
  )
})

test('the same holds for the configuration of an app, whose versions have no gap', { tags: ['long'] }, async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (writers) => {
      app = await buildersOn(services[0]!).app()
      await playRounds(appUrl('config'), writers)
      const { versions } = (await app.get(appUrl('config/versions'))).body
      expect(versions.map(({ version }: { version: number }) => version)).toEqual(
        writers.map((_, round) => writers.length - round),
      )
    }),
    { numRuns: 12 },
  )
})

test('concurrent increments with If-Match and retries lose nothing', async () => {
  const path = appUrl(`players/${(await buildersOn(services[0]!).player(app)).id}/storage/count`)
  await put(0, path, { count: 0 })
  const addOne = async (writer: number) => {
    for (;;) {
      const { body, headers } = await services[writer % 2]!.request('GET', path, undefined, app.headers)
      const answer = await put(writer, path, { count: body.count + 1 }, { 'if-match': headers.get('etag')! })
      if (answer.status === 200) return
      // 503: the other writers held the lock for a second.
      expect([412, 503]).toContain(answer.status)
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, writer) => addOne(writer)))
  expect((await app.get(path)).body).toEqual({ count: 12 })
})
