/** Responses of the game's server. */
export type Settings = { baseUrl: string; clientKey: string; zoneId: number; mapStyleUrl: string | null }
export type Standing = { player: { id: string; displayName: string } | null; score: number; found: number[] }
export type Find = { points: number; score: number; title: string }

/** An error of the game's server, with its message. */
export class Refused extends Error {}

/** Calls the game's server. @throws Refused with a message for the player */
async function ask<Answer>(path: string, session?: string | null, body?: object): Promise<Answer> {
  const headers = {
    ...(session ? { authorization: `Bearer ${session}` } : {}),
    ...(body ? { 'content-type': 'application/json' } : {}),
  }
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const response = await fetch(`/game/${path}`, request).catch(() => {
    throw new Refused('The game does not answer: are you online?')
  })
  const answer = (await response.json()) as Answer & { error?: string }
  if (!response.ok) throw new Refused(answer.error ?? `The game answered ${response.status}`)
  return answer
}

export const settings = () => ask<Settings>('settings')
export const standingOf = (session: string | null) => ask<Standing>('me', session)
export const join = (session: string | null, displayName: string) => ask<Standing>('join', session, { displayName })
export const dig = (session: string | null, at: { pinId: number; lat: number; lon: number }) =>
  ask<Find>('dig', session, at)
