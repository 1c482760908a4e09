import { expect } from 'vitest'
import type { Answer, Caller } from '../service.ts'
import { appUrl, nextOf } from './scoring-steps.ts'

export type Entry = { playerId: string; playerScore: number; ranking: number; gameSessionId: string }
export const entriesOf = async (app: Caller, path: string): Promise<Entry[]> => {
  const { status, body } = await app.get(appUrl(path))
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.leaderboard
}
export const scoresAndRanks = (entries: Entry[]) => entries.map(({ playerScore, ranking }) => [playerScore, ranking])

/** Follows the Link headers of a board to its end. */
export async function allPages(app: Caller, path: string): Promise<Entry[]> {
  const entries: Entry[] = []
  let next: string | undefined = appUrl(path)
  while (next) {
    const { body, headers }: Answer = await app.get(next)
    entries.push(...body.leaderboard)
    next = nextOf(headers)
  }
  return entries
}
