import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Lost } from './client.ts'
import type { Game } from './game.ts'

const BOUNDARY = 'a-boundary-of-the-faults'
const FORM = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`
const PIECES = 12

/**
 * Starts background traffic: four readers of boards, ranks, lists and pins, and two uploads of 120 kB in pieces over
 * more than a second.
 */
export function startBackgroundTraffic({ client, game }: { client: Client; game: Game }) {
  const statuses: Record<number, number> = {}
  /** Requests without a response. */
  const lost: Lost[] = []
  let requests = 0
  let isRunning = true
  const note = (answer: { status: number } | Lost) => {
    requests++
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if ('code' in answer) lost.push(answer)
  }
  const paths = [
    '/api/v1/apps/leaderboards',
    '/api/v1/apps/players?limit=20',
    '/api/location/pins?lat=10&lon=10&radius=100000',
    `/api/v1/apps/players/${game.players[0]}/global-ranking`,
  ]
  const readers = paths.map(async (path) => {
    while (isRunning) {
      const answer = await client.send({ method: 'GET', path, headers: { 'x-app-api-key': game.key } })
      note(answer)
      await sleep(answer.status === 0 ? 100 : 10)
    }
  })
  const uploaders = [0, 1].map(async () => {
    while (isRunning) {
      const answer = await trickle(client.url())
      note(answer)
      if (answer.status === 0) await sleep(100)
    }
  })
  return {
    async stop() {
      isRunning = false
      await Promise.all([...readers, ...uploaders])
      return { requests, statuses, lost }
    },
  }
}

/** Uploads a file slowly. */
function trickle(url: string): Promise<{ status: number } | Lost> {
  const at = performance.now()
  const lost = (code: string): Lost => ({ status: 0, code: `upload ${code}`, at, ms: performance.now() - at })
  return new Promise((resolve) => {
    const sending = request(
      new URL('/api/upload', url),
      { method: 'POST', agent: false, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } },
      (answer) => {
        answer.resume()
        answer.on('close', () => resolve(answer.complete ? { status: answer.statusCode! } : lost('CUT_OFF')))
      },
    )
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(lost(error.code ?? error.message)))
    const send = async () => {
      sending.write(FORM)
      for (let piece = 0; piece < PIECES; piece++) {
        sending.write(Buffer.alloc(10_000, piece))
        await sleep(100)
      }
      sending.end(`\r\n--${BOUNDARY}--\r\n`)
    }
    void send()
  })
}
