import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCairn } from '@cairn/sdk'
import { openHunt, Refusal } from './hunt.ts'
import { sendFile } from './static.ts'

export type GameOptions = {
  /** The URL of Cairn. */
  baseUrl: string
  /** The server key of this game's app. It never leaves this server. */
  serverKey: string
  /** The client key that the page reads the leaderboard with. */
  clientKey: string
  /** The zone whose pins are the treasures. */
  zoneId: number
  /** A MapLibre style for the map. Without one the page draws its own, offline. */
  mapStyleUrl?: string | undefined
  port?: number | undefined
  host?: string | undefined
}

const BODY_BYTES = 10_000

/** The game's server: the built page, and the few operations that need the server key. */
export async function startGame(options: GameOptions) {
  const { baseUrl, serverKey, clientKey, zoneId, mapStyleUrl, port = 0, host = '127.0.0.1' } = options
  const hunt = await openHunt(createCairn({ baseUrl, appKey: serverKey }), { baseUrl, zoneId })

  /** The game's API. Players authenticate with their Cairn session. */
  const routes: Record<string, (request: IncomingMessage) => Promise<unknown>> = {
    'GET /game/settings': async () => ({ baseUrl, clientKey, zoneId, mapStyleUrl: mapStyleUrl ?? null }),
    'GET /game/me': (request) => hunt.standingOf(sessionOf(request)),
    'POST /game/join': async (request) => {
      const { displayName } = await bodyOf(request)
      return hunt.join(sessionOf(request), String(displayName ?? '').trim())
    },
    'POST /game/dig': async (request) => {
      const { pinId, lat, lon } = await bodyOf(request)
      if (![pinId, lat, lon].every(Number.isFinite)) throw new Refusal(400, 'Say pinId, lat and lon')
      return hunt.dig(sessionOf(request), { pinId: Number(pinId), lat: Number(lat), lon: Number(lon) })
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    // The path may be malformed.
    const [path = ''] = request.url!.split('?')
    const route = routes[`${request.method} ${path}`]
    try {
      if (!route) return sendFile(path, response)
      send(response, 200, await route(request))
    } catch (error) {
      if (error instanceof Refusal) return send(response, error.status, { error: error.message })
      console.error(error)
      send(response, 500, { error: 'Something went wrong here: try again in a moment' })
    }
  }

  const server = createServer((request, response) => void answer(request, response)).listen(port, host)
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** @throws Refusal 401 without a session token */
function sessionOf({ headers }: IncomingMessage): string {
  const [, token] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
  if (!token) throw new Refusal(401, 'Sign in first')
  return token
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > BODY_BYTES) throw new Refusal(413, 'That is too much')
  }
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  } catch {}
  throw new Refusal(400, 'Send a JSON object')
}
