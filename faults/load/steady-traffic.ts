import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Call, Client, Lost } from './client.ts'
import type { Game } from './game.ts'

export type Traffic = {
  /** The number of successful responses. */
  good: number
  /** Latency percentiles in milliseconds. */
  p50: number
  p99: number
  /** The count of other responses by status. */
  others: Record<string, number>
  /** The longest time to any response. */
  slowestMs: number
}

/** Sends requests at a fixed rate, independent of earlier responses (open loop). */
export async function steadyTraffic(
  client: Client,
  { perSecond, seconds, calls }: { perSecond: number; seconds: number; calls: () => Call },
): Promise<Traffic> {
  const startedAt = performance.now()
  const sent: Promise<Answer | Lost>[] = []
  while (performance.now() - startedAt < seconds * 1000) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    while (sent.length <= due) sent.push(client.send(calls()))
    await sleep(2)
  }
  const answers = await Promise.all(sent)
  const good = answers.filter(({ status }) => status >= 200 && status < 300)
  const times = good.map(({ ms }) => ms).sort((a, b) => a - b)
  const others: Record<string, number> = {}
  for (const one of answers.filter((answer) => !good.includes(answer))) {
    const what = one.status === 0 ? (one as Lost).code : String(one.status)
    others[what] = (others[what] ?? 0) + 1
  }
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return {
    good: good.length,
    p50: at(0.5),
    p99: at(0.99),
    others,
    slowestMs: Math.max(0, ...answers.map(({ ms }) => ms)),
  }
}

/** Formats two latency results in one line. */
export const describeLatencies = (quiet: Traffic, meanwhile: Traffic): string =>
  `p99 ${ms(quiet.p99)} quiet, ${ms(meanwhile.p99)} under load (median ${ms(quiet.p50)} and ${ms(meanwhile.p50)})`

const ms = (time: number) => `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`

/**
 * Tells whether p99 is below twice that of the quiet run, or below 50 ms, where other work on the machine dominates.
 */
export const isUnharmed = (quiet: Traffic, meanwhile: Traffic): boolean => meanwhile.p99 < Math.max(2 * quiet.p99, 50)

/** Generates requests of a game: three rank lookups for each score. */
export function rankAndScoreCalls({ key, sessions, players }: Game) {
  const headers = { 'x-app-api-key': key }
  let turn = 0
  return () => {
    const player = players[++turn % players.length]!
    if (turn % 4 === 0) {
      const path = `/api/v1/apps/game-sessions/${sessions[0]!.id}/players/${player}`
      return { method: 'PATCH', path, headers, body: { score: turn } }
    }
    return { method: 'GET', path: `/api/v1/apps/players/${player}/global-ranking`, headers }
  }
}
