import { once } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  addressIn,
  anyAddresses,
  bareHost,
  connected,
  connectTls,
  FetchRefused,
  failureOf,
  publicAddresses,
  unlessAborted,
} from './https-request.ts'
import type { Network } from './network.ts'
import { isPublicAddress } from './public-address.ts'

export type Posted = {
  status: number
  headers: IncomingHttpHeaders
  /** The beginning of the response body, as text. */
  text: string
  /** Whether `text` is all of it; otherwise the body did not end in time, was cut off, or is longer than what is kept. */
  end: 'whole' | 'late' | 'cut' | 'long'
}

type Deps = {
  /** Which hosts may be in the service's own network, and be reached without TLS. */
  isInside: (address: URL) => boolean
  network: Network
  /** From resolving the host to the end of the response. */
  totalMs: number
  /** How much of the response body is returned. */
  keptBytes: number
  /** Maximum connections to one address. */
  perAddress: number
}

export type GuardedPosts = ReturnType<typeof guardedPosts>

/** A response body is read up to this size so that its connection can be reused; a longer one ends the connection. */
const READ_BYTES = 64 * 1024
const IDLE_MS = 10_000

/**
 * Posts to addresses given by callers, protected against server-side request forgery: https only, the host resolved for
 * each connection, all of its addresses public, and the connection made to a checked address. Redirects are not followed.
 * Hosts in the service's own network must be named by the operator. Connections are reused.
 */
export function guardedPosts({ isInside, network, totalMs, keptBytes, perAddress }: Deps) {
  const open = async (url: URL): Promise<Socket> => {
    const signal = AbortSignal.timeout(totalMs)
    if (!isInside(url))
      return connectTls(url, await unlessAborted(publicAddresses(url, network), signal), network, signal)
    const addresses = await unlessAborted(anyAddresses(url, network), signal)
    if (url.protocol === 'https:') return connectTls(url, addresses, network, signal)
    return connected(url, addresses, network, signal)
  }
  const kept = {
    keepAlive: true,
    maxSockets: perAddress,
    maxFreeSockets: perAddress,
    timeout: Math.max(IDLE_MS, totalMs),
  }
  const agents = {
    'https:': withConnections(new HttpsAgent(kept), open, 'https'),
    'http:': withConnections(new HttpAgent(kept), open, 'http'),
  }

  /** @returns the address as it will be requested. @throws FetchRefused with what to change */
  const check = (address: string): URL => {
    const url = addressIn(address)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isInside(url)))
      throw new FetchRefused('it must begin with https://')
    if (url.hash) throw new FetchRefused('it must hold no #')
    if (isIP(bareHost(url)) && !isPublicAddress(bareHost(url)) && !isInside(url))
      throw new FetchRefused(`${bareHost(url)} is not on the public internet, and not a host that the operator named`)
    return url
  }

  const send = async (url: URL, headers: Record<string, string>, body: Buffer, signal: AbortSignal, again: boolean) => {
    const make = url.protocol === 'https:' ? httpsRequest : httpRequest
    const agent = agents[url.protocol as keyof typeof agents]
    const request = make(url, {
      ...({ postedTo: url.pathname + url.search } satisfies Named),
      method: 'POST',
      agent,
      signal,
      headers: { 'user-agent': 'Cairn', 'content-length': String(body.length), ...headers },
    })
    request.end(body)
    try {
      const [answer] = (await once(request, 'response')) as [IncomingMessage]
      return { status: answer.statusCode!, headers: answer.headers, ...(await beginning(answer, keptBytes, signal)) }
    } catch (error) {
      // The server closed an idle connection at that moment: it received nothing.
      const isClosed = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '')
      if (isClosed && !again && !signal.aborted) return send(url, headers, body, signal, true)
      throw error
    }
  }

  return {
    check,

    /** Sends one request. @throws FetchRefused with what went wrong; the reason of `stop` when that is aborted */
    async post(address: string, headers: Record<string, string>, body: Buffer, stop: AbortSignal): Promise<Posted> {
      const url = check(address)
      const late = AbortSignal.timeout(totalMs)
      try {
        return await send(url, headers, body, AbortSignal.any([late, stop]), false)
      } catch (error) {
        if (stop.aborted) throw stop.reason
        if (error instanceof FetchRefused) throw error
        throw new FetchRefused(
          late.aborted ? `${url.host} did not answer within ${totalMs / 1000} s` : failureOf(url, error),
        )
      }
    },

    /** Closes idle connections. */
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** The part of an address after its host, for the agent: it does not get the path of a request. */
type Named = { postedTo: string }

/** An agent that opens its connections with `open`. Each address has its own connections: a slow one does not hold up others of its host. */
function withConnections<One extends HttpAgent>(agent: One, open: (url: URL) => Promise<Socket>, scheme: string): One {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options) => `${nameOf(options)} ${(options as Partial<Named> | undefined)?.postedTo ?? ''}`
  agent.createConnection = (options, done) => {
    const { host, port } = options as { host: string; port: number }
    const name = isIP(host) === 6 ? `[${host}]` : host
    open(new URL(`${scheme}://${name}:${port}`)).then(
      (socket) => done!(null, socket),
      (error: Error) => done!(error, undefined as unknown as Duplex),
    )
    return undefined
  }
  return agent
}

/** The beginning of a response body; the rest is dropped. An interrupted body is no error. */
async function beginning(
  answer: IncomingMessage,
  bytes: number,
  signal: AbortSignal,
): Promise<Pick<Posted, 'text' | 'end'>> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (size < bytes) chunks.push(chunk)
      size += chunk.length
      if (size > Math.max(READ_BYTES, bytes)) break
    }
  } catch {
    // `end` says so.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytes))
  if (size > bytes) return { text, end: 'long' }
  return { text, end: answer.complete ? 'whole' : signal.aborted ? 'late' : 'cut' }
}
