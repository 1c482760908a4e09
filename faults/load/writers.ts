import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind, WriteRecorder } from '../checks/write-recorder.ts'
import type { Answer, Call, Client, Lost } from './client.ts'
import type { Game } from './game.ts'

/** Statistics of the responses. */
export type WriterFigures = {
  requests: number
  /** Counts by status; 0 stands for no response. */
  statuses: Record<number, number>
  /** The number of 5xx responses whose body was not {error}. */
  malformed: number
  /** The longest time to a response or failure, in milliseconds. */
  slowestMs: number
  /** The longest time to a response of 500 or above. */
  slowestFailureMs: number
  /** Requests without a response. */
  lost: Lost[]
  /** The number of retries with the same Idempotency-Key. */
  repeats: number
}

type Write = { call: Call; sent: () => void; acknowledged: (body: Answer['body']) => void; refused: () => void }
export type Seen = (call: Call, answer: Answer | Lost) => void

let run = 0
/** Shared by all writers: no two points with the same AprilTag are at one place. */
let sequence = 0

/**
 * Starts writers (16 by default) that run until stopped: 60 % scores, 20 % new players, 20 % new points. Each write has
 * an Idempotency-Key; without a response, or after 503, it is retried up to `repeats` times.
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
  /** The pause between two writes of a writer. */
  pauseMs?: number
  /** Called for every response or failure. */
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
    // Distinct values, rising and falling.
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
      // The outcome is unknown, as already recorded. Any other 409 means that the write
      // was rejected; if its own first attempt took the name, the checks report it.
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

  /** Each writer has its own players, so that the last score sent is the last one written. */
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
    /** Stops all writers and waits for their last responses. */
    async stop(): Promise<WriterFigures> {
      isRunning = false
      await Promise.all(working)
      return figures
    },
  }
}

const isUndecided = ({ body }: Answer) => String(body?.error).includes('Idempotency-Key')

/** Returns the counts of unexpected statuses as `{"500":2}`; 0 stands for no response. */
export function unexpectedStatuses(statuses: Record<number, number>, ...wanted: number[]): string | undefined {
  const others = Object.entries(statuses).filter(([status]) => !wanted.includes(Number(status)))
  return others.length > 0 ? JSON.stringify(Object.fromEntries(others)) : undefined
}

const poseOf = (at: number) => ({
  position: { lat: (at % 170) - 85, lon: (at % 359) - 179, h: at % 100 },
  angles: { yaw: 0, pitch: 0, roll: 0 },
})
