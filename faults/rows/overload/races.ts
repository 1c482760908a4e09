import { randomUUID } from 'node:crypto'
import type { Answer, Call, Client, Lost } from '../../load/client.ts'
import { expectStatus } from '../../load/client.ts'
import { type Game, openGame } from '../../load/game.ts'
import { type Context, createFindings, type Findings, type Row } from '../../row.ts'
import type { Sql } from '../../sites/sql.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

const AT_ONCE = 64
const ATTEMPTS = 5

type Site = { processes: Client[]; sql: Sql; game: Game; wrong: Findings }
type Race = (site: Site, round: number) => Promise<void>

/** F13 on one process. */
export const raceOnOne: Row = {
  id: 'F13',
  title: 'Races at one process',
  isLong: true,
  run: (context) => race(context, { apis: 1 }),
}

/** F13 across processes. */
export const raceOnThree: Row = {
  id: 'F13',
  title: 'Races at three processes',
  run: (context) => race(context, { apis: 3, redis: true }),
}

async function race(context: Context, parts: { apis: number; redis?: boolean }) {
  const rounds = context.times(1, 5, 50)
  const wrong = createFindings()
  // Requests may state their client address.
  const { client, processes, sql, token } = await openTopologySite(context, {
    ...parts,
    settings: { CAIRN_TRUSTED_PROXIES: 'loopback' },
  })
  const game = await openGame(client, await token(), { players: 1 })
  for (let round = 0; round < rounds; round++)
    for (const one of [names, tags, codes, registrations, repeats]) await one({ processes, sql, game, wrong }, round)
  return {
    what: `${AT_ONCE} at once, over ${parts.apis} process${parts.apis > 1 ? 'es' : ''}: the same display name, AprilTag at one place, six-digit code, registration, Idempotency-Key`,
    count: `${rounds} rounds of 5 × ${AT_ONCE}`,
    criterion: 'exactly one winner each time, the expected error for all others, one row in the database',
    seen: wrong.any ? wrong.text() : `${rounds * 5} races, one winner each`,
    passed: !wrong.any,
  }
}

/**
 * Sends the same request concurrently, spread over the processes. After 503 (no free connection) it is retried: nothing
 * was decided.
 */
const everybody = ({ processes }: Site, call: (at: number) => Call): Promise<(Answer | Lost)[]> =>
  Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      const send = () => processes[at % processes.length]!.send(call(at))
      let answer = await send()
      for (let again = 0; again < ATTEMPTS && answer.status === 503; again++) answer = await send()
      return answer
    }),
  )

/** @param isWinner matches exactly one response; all others match `isLoser` */
function judge(
  what: string,
  { wrong }: Site,
  answers: (Answer | Lost)[],
  isWinner: (answer: Answer) => boolean,
  isLoser: (answer: Answer) => boolean,
): void {
  const came = answers.filter((answer): answer is Answer => answer.status !== 0)
  const winners = came.filter(isWinner)
  if (winners.length !== 1) wrong.add(`${what}: ${winners.length} winners`)
  const strange = answers.find(
    (answer) => answer.status === 0 || !(isWinner(answer as Answer) || isLoser(answer as Answer)),
  )
  if (strange) {
    const { headers: _headers, ...rest } = strange as Answer
    wrong.add(`${what}: a loser got another response`, JSON.stringify(rest))
  }
}

async function countIs(what: string, { sql, wrong }: Site, statement: string, values: unknown[]): Promise<void> {
  const [row] = await sql<{ many: number }>(statement, values)
  if (row!.many !== 1) wrong.add(`${what}: ${row!.many} rows`)
}

const withKey = (game: Game) => ({ 'x-app-api-key': game.key })
const asUser = (game: Game) => ({ authorization: `Bearer ${game.token}` })

const names: Race = async (site, round) => {
  const displayName = `One and only ${round}`
  const call = { method: 'POST', path: '/api/v1/apps/players', headers: withKey(site.game), body: { displayName } }
  const answers = await everybody(site, () => call)
  judge(
    'display name',
    site,
    answers,
    ({ status }) => status === 200,
    ({ status }) => status === 409,
  )
  await countIs('display name', site, 'select count(*) as many from players where display_name = $1', [displayName])
}

const tags: Race = async (site, round) => {
  const geoPose = { position: { lat: round, lon: 100, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const body = (at: number) => ({ title: `Tag ${round} ${at}`, gcpType: 'SINGLE', geoPose, aprilTagId: 7 })
  const answers = await everybody(site, (at) => ({
    method: 'POST',
    path: '/api/gcp',
    headers: asUser(site.game),
    body: body(at),
  }))
  const isConflict = ({ status, body }: Answer) => status === 400 && body.error?.[0]?.code === 'april_tag_conflict'
  judge('AprilTag', site, answers, ({ status }) => status === 201, isConflict)
  await countIs('AprilTag', site, 'select count(*) as many from gcps where title like $1', [`Tag ${round} %`])
}

const codes: Race = async (site, round) => {
  const asked = await expectStatus(
    site.processes[0]!.send({ method: 'POST', path: '/auth/codes', headers: asUser(site.game) }),
  )
  const answers = await everybody(site, (at) => ({
    method: 'POST',
    path: '/auth/codes/exchange',
    headers: { 'x-forwarded-for': `10.${round}.0.${at}` },
    body: { code: asked.body.code },
  }))
  const isValid = ({ status, body }: Answer) =>
    status === 200 && body.status === 'VALID' && body.sessionToken !== undefined
  judge('code', site, answers, isValid, ({ status, body }) => status === 200 && body.status === 'INVALID')
}

const registrations: Race = async (site) => {
  const { game, processes } = site
  const post = { method: 'POST', headers: withKey(game) }
  const { body } = await expectStatus(processes[0]!.send({ ...post, path: '/api/v1/apps/game-sessions', body: {} }))
  const path = `/api/v1/apps/game-sessions/${body.id}/players`
  const answers = await everybody(site, () => ({ ...post, path, body: { playerId: game.players[0]! } }))
  judge(
    'registration',
    site,
    answers,
    ({ status }) => status === 201,
    ({ status }) => status === 200,
  )
  await countIs('registration', site, 'select count(*) as many from session_players where session_id = $1', [body.id])
}

const repeats: Race = async (site, round) => {
  const headers = { ...asUser(site.game), 'idempotency-key': randomUUID() }
  const body = { title: `Repeat ${round}`, gcpType: 'SINGLE' }
  const answers = await everybody(site, () => ({ method: 'POST', path: '/api/gcp', headers, body }))
  const isFirst = (answer: Answer) => answer.status === 201 && answer.headers['idempotency-replayed'] === undefined
  // While the first is running the others are asked to retry.
  judge(
    'Idempotency-Key',
    site,
    answers,
    isFirst,
    ({ status, headers }) => status === 409 || headers['idempotency-replayed'] === 'true',
  )
  await countIs('Idempotency-Key', site, 'select count(*) as many from gcps where title = $1', [body.title])
}
