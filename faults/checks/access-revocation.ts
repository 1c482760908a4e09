import { setTimeout as sleep } from 'node:timers/promises'
import { areLatenciesReliable } from '../figures.ts'
import { type Client, expectStatus } from '../load/client.ts'
import type { Findings, Scale } from '../row.ts'

const APPS = '/api/v1/apps'
/** A sign-out takes effect in every process within a second; allow half a second more here, and longer where latencies are not judged. */
const SIGNED_OUT_MS = 1500
const SIGNED_OUT_SOMETIME_MS = 15_000
/** Longer than a process continues to count alone. */
const ALONE_MS = 1200

let addresses = 0

/** Checks that every process refuses forged, signed-out and used credentials, whatever fails. @param token of an active session, which stays active */
export async function checkAccess(
  processes: Client[],
  { token, key, scale }: { token: string; key: string; scale: Scale },
  wrong: Findings,
) {
  const bearer = (one: string) => ({ authorization: `Bearer ${one}` })
  const asked = (path: string, headers: Record<string, string>) =>
    Promise.all(processes.map((client) => client.send({ method: 'GET', path, headers }).then(({ status }) => status)))
  const mustBe = async (what: string, wanted: number, statuses: Promise<number[]>) => {
    const came = await statuses
    if (came.some((status) => status !== wanted)) wrong.add(`${what} was not ${wanted}`, came.join(', '))
  }
  const first = processes[0]!
  await mustBe('a valid session', 200, asked(APPS, bearer(token)))
  await mustBe('a valid key', 200, asked(`${APPS}/players`, { 'x-app-api-key': key }))
  await mustBe('a forged session', 401, asked(APPS, bearer(`${token.slice(0, -20)}${'A'.repeat(20)}`)))
  await mustBe('a wrong key', 401, asked(`${APPS}/players`, { 'x-app-api-key': `${key.slice(0, -6)}AAAAAA` }))

  // A code is used once, however many concurrent requests and processes.
  const { code } = (await expectStatus(first.send({ method: 'POST', path: '/auth/codes', headers: bearer(token) })))
    .body
  const uses = await Promise.all(
    [...processes, ...processes].map((client) =>
      expectStatus(
        client.send({ method: 'POST', path: '/auth/codes/exchange', headers: fresh(), body: { code } }),
        200,
        400,
        401,
        404,
        409,
        410,
        429,
      ),
    ),
  )
  const sessions = uses.flatMap(({ body }) => (body.sessionToken ? [body.sessionToken as string] : []))
  if (sessions.length !== 1) wrong.add('a code was not used exactly once', `${sessions.length} sessions`)

  for (const session of sessions) {
    await mustBe('a new session', 200, asked(APPS, bearer(session)))
    await expectStatus(first.send({ method: 'POST', path: '/auth/sign-out', headers: bearer(session) }))
    await sleep(SIGNED_OUT_MS)
    const latest = performance.now() + (areLatenciesReliable(scale) ? 0 : SIGNED_OUT_SOMETIME_MS)
    const isRefused = async () => (await asked(APPS, bearer(session))).every((status) => status === 401)
    while (performance.now() < latest && !(await isRefused())) await sleep(250)
    await mustBe('a session that was signed out', 401, asked(APPS, bearer(session)))
  }
}

/** How many requests without a credential from one address all processes together accept. @param atOnce number of concurrent requests */
export async function letThrough(processes: Client[], count: number, atOnce = count): Promise<number> {
  const headers = fresh()
  const statuses: number[] = []
  while (statuses.length < count) {
    const asked = Array.from({ length: Math.min(atOnce, count - statuses.length) }, (_, at) =>
      processes[at % processes.length]!.send({ method: 'GET', path: `${APPS}/public`, headers }),
    )
    statuses.push(...(await Promise.all(asked)).map(({ status }) => status))
  }
  const strange = statuses.find((status) => status !== 200 && status !== 429)
  if (strange !== undefined) throw new Error(`a request returned ${strange}, not 200 or 429`)
  return statuses.filter((status) => status === 200).length
}

/** Checks that all processes share the limit of an address. A process that waits too long for Redis counts alone for a second: on a busy machine not every attempt is conclusive, and later ones are a second apart. @param quota requests a minute */
export async function checkSharedLimit(processes: Client[], quota: number, wrong: Findings): Promise<void> {
  const seen = [await letThrough(processes, 3 * quota)]
  while (seen.at(-1) !== quota && seen.length < 5) {
    await sleep(ALONE_MS)
    seen.push(await letThrough(processes, 3 * quota, 2 * processes.length))
  }
  if (seen.at(-1) !== quota) wrong.add('the shared limit of all processes', `${seen.join(', ')} of ${quota} accepted`)
}

/** An unused address; the service trusts its proxy on loopback. */
export const fresh = () => ({ 'x-forwarded-for': `10.${process.pid & 255}.${++addresses >> 8}.${addresses & 255}` })
