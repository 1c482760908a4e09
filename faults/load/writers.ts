import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind, WriteRecorder } from '../checks/write-recorder.ts'
import type { Answer, Call, Client, Lost } from './client.ts'
import type { Game } from './game.ts'

/** What was seen of the answers, beside what was written. */
export type WriterFigures = {
  requests: number
  /** By status; 0: no answer. */
  statuses: Record<number, number>
  /** Answers 5xx whose body was not {error}. */
  malformed: number
  /** The longest that anybody waited for an answer, or for the lack of one, in milliseconds. */
  slowestMs: number
  /** The longest wait for an answer of 500 or more. */
  slowestFailureMs: number
  /** Requests that were never answered. */
  lost: Lost[]
  /** Repeats under the same Idempotency-Key. */
  repeats: number
}

type Write = { call: Call; sent: () => void; acknowledged: (body: Answer['body']) => void; refused: () => void }
export type Seen = (call: Call, answer: Answer | Lost) => void

let run = 0
/** Of all loads: no two points with the same April tag lie at one place. */
let sequence = 0

/**
 * Sixteen writers (unless told otherwise) that go on until they are stopped: of ten writes six are scores, two new players, two
 * new points. Each has an Idempotency-Key; what got no answer, or 503, is sent again under it, up to `repeats` times.
 */
export function startWriters({
  client,
  game,
  recorder,
  writers = 16,
  repeats = 5,
  pauseMs = 0,
  seen = () => {},
}: {
  client: Client
  game: Game
  recorder: WriteRecorder
  writers?: number
  repeats?: number
  /** Between two writes of one writer. */
  pauseMs?: number
  /** Told of every answer, or the lack of one. */
  seen?: Seen
}) {
  const figures: WriterFigures = {
    requests: 0,
    statuses: {},
    malformed: 0,
    slowestMs: 0,
    slowestFailureMs: 0,
    lost: [],
    repeats: 0,
  }
  const id = `${++run} of ${process.pid}`
  let isRunning = true
  const pick = <T>(from: T[]) => from[Math.floor(Math.random() * from.length)]!

  function score(players: string[]): Write {
    const [session, player] = [pick(game.sessions).id, pick(players)]
    // No value twice, up and down.
    const value = ((++sequence * 7919) % 1_000_003) / 4
    return {
      call: {
        method: 'PATCH',
        path: `/api/v1/apps/game-sessions/${session}/players/${player}`,
        body: { score: value },
      },
      sent: () => recorder.scoreSent(session, player, value),
      acknowledged: () => recorder.scoreAcknowledged(session, player, value),
      refused: () => recorder.scoreRefused(session, player, value),
    }
  }

  function made(kind: Kind): Write {
    const name = `Fault ${id} ${++sequence}`
    const asGcp = {
      method: 'POST',
      path: '/api/gcp',
      body: { title: name, gcpType: 'SINGLE', geoPose: poseOf(sequence), aprilTagId: sequence % 51 },
      headers: { authorization: `Bearer ${game.token}` },
    }
    const asPlayer = { method: 'POST', path: '/api/v1/apps/players', body: { displayName: name } }
    return {
      call: kind === 'gcp' ? asGcp : asPlayer,
      sent: () => recorder.sent(kind, name),
      acknowledged: (body) => recorder.acknowledged(kind, name, kind === 'gcp' ? body.gcp.id : body.id),
      refused: () => recorder.refused(kind, name),
    }
  }

  async function carryOut({ call, sent, acknowledged, refused }: Write): Promise<void> {
    const headers = { 'x-app-api-key': game.key, 'idempotency-key': randomUUID(), ...call.headers }
    sent()
    for (let attempt = 0; attempt <= repeats; attempt++) {
      if (attempt > 0) figures.repeats++
      const answer = await client.send({ ...call, headers })
      note(answer)
      seen(call, answer)
      if (answer.status >= 200 && answer.status < 300) return acknowledged((answer as Answer).body)
      // What became of it is not known, which is what was noted already. Any other 409 says that it was not done, e.g. for a
      // name that is taken: where its own first try took it, something is there that was refused.
      if (answer.status === 409 && isUndecided(answer as Answer)) return
      if (answer.status > 0 && answer.status < 500) return refused()
      if (!isRunning) return
      await sleep(Math.min(500, 100 + 100 * attempt))
    }
  }

  function note(answer: Answer | Lost): void {
    figures.requests++
    figures.statuses[answer.status] = (figures.statuses[answer.status] ?? 0) + 1
    figures.slowestMs = Math.max(figures.slowestMs, Math.round(answer.ms))
    if (answer.status === 0) figures.lost.push(answer as Lost)
    if (answer.status < 500) return
    figures.slowestFailureMs = Math.max(figures.slowestFailureMs, Math.round(answer.ms))
    if (typeof (answer as Answer).body?.error !== 'string') figures.malformed++
  }

  /** No two writers touch the same player's scores: what came later is then what was sent later. */
  const share = (writer: number) => game.players.filter((_, at) => at % writers === writer)
  const working = Array.from({ length: writers }, async (_, writer) => {
    const players = share(writer)
    while (isRunning) {
      const dice = Math.random()
      await carryOut(dice < 0.6 ? score(players) : made(dice < 0.8 ? 'player' : 'gcp'))
      if (pauseMs > 0) await sleep(pauseMs)
    }
  })

  return {
    figures,
    /** Resolves once every writer has its last answer. */
    async stop(): Promise<WriterFigures> {
      isRunning = false
      await Promise.all(working)
      return figures
    },
  }
}

const isUndecided = ({ body }: Answer) => String(body?.error).includes('Idempotency-Key')

/** How often answers came with statuses that none of these are, as `{"500":2}`; 0 stands for no answer. */
export function unexpectedStatuses(statuses: Record<number, number>, ...wanted: number[]): string | undefined {
  const others = Object.entries(statuses).filter(([status]) => !wanted.includes(Number(status)))
  return others.length > 0 ? JSON.stringify(Object.fromEntries(others)) : undefined
}

const poseOf = (at: number) => ({
  position: { lat: (at % 170) - 85, lon: (at % 359) - 179, h: at % 100 },
  angles: { yaw: 0, pitch: 0, roll: 0 },
})
