import type { IncomingMessage } from 'node:http'
import { addressIn, ask, FetchRefused } from './https-request.ts'
import type { Network } from './network.ts'

export type FetchBounds = {
  /** Maximum bytes of the response body. */
  bytes: number
  /** Until the response to one request begins: resolving, connecting and waiting. */
  answerMs: number
  /** Between two chunks of the body. */
  idleMs: number
  totalMs: number
}

type Deps = {
  /** Which hosts may be requested; checked again for every redirect. */
  allows: (address: URL) => boolean
  network: Network
  bounds: FetchBounds
}

export type GuardedFetch = ReturnType<typeof guardedFetch>

const MAX_REDIRECTS = 5

/**
 * Downloads from addresses given by callers, protected against server-side request forgery. On every hop: https only,
 * allowed hosts only, the host resolved once, all of its addresses public, and the connection made to a checked address.
 * Sends no credentials and accepts neither cookies nor compressed bodies.
 */
export function guardedFetch({ allows, network, bounds }: Deps) {
  /** @returns the address as it will be requested. @throws FetchRefused with what to change */
  const check = (address: string): URL => {
    const url = addressIn(address)
    if (url.protocol !== 'https:') throw new FetchRefused('it must begin with https://')
    if (!allows(url)) throw new FetchRefused(`files from ${url.host} are not accepted by this service`)
    url.hash = ''
    return url
  }

  /** The response after at most 5 redirects. */
  const follow = async (first: URL, signal: AbortSignal): Promise<IncomingMessage> => {
    let url = first
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const answer = await ask(url, { network, answerMs: bounds.answerMs, stop: signal })
      const location = isRedirect(answer) ? answer.headers.location : undefined
      if (location === undefined) return answer
      answer.destroy()
      try {
        url = check(new URL(location, url.href).href)
      } catch {
        // The target is part of the response, which callers must not see.
        throw new FetchRefused(`${url.host} redirects to an address that is not accepted`)
      }
    }
    throw new FetchRefused(`${first.host} redirects more than ${MAX_REDIRECTS} times`)
  }

  return {
    check,

    /** Streams the bytes at an address. @throws FetchRefused, also mid-stream; the reason of `stop` when that is aborted */
    async *read(address: string, stop?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
      const url = check(address)
      const total = AbortSignal.timeout(bounds.totalMs)
      const signal = stop ? AbortSignal.any([total, stop]) : total
      try {
        const answer = await follow(url, signal)
        try {
          yield* bodyOf(answer, url.host, bounds)
        } finally {
          answer.destroy()
        }
      } catch (error) {
        if (stop?.aborted) throw stop.reason
        if (total.aborted) throw new FetchRefused(`${url.host} took longer than ${bounds.totalMs / 1000} s`)
        throw error
      }
    },
  }
}

const isRedirect = ({ statusCode }: IncomingMessage) => [301, 302, 303, 307, 308].includes(statusCode!)

/** The body, limited in size and in pauses. */
async function* bodyOf(answer: IncomingMessage, host: string, { bytes, idleMs }: FetchBounds) {
  if (answer.statusCode !== 200) throw new FetchRefused(`${host} answered ${answer.statusCode} instead of the file`)
  if (!['identity', ''].includes((answer.headers['content-encoding'] ?? '').trim().toLowerCase()))
    throw new FetchRefused(`${host} sends the file compressed`)
  const tooLarge = () => new FetchRefused(`the file at ${host} is larger than ${bytes} bytes`)
  if (Number(answer.headers['content-length'] ?? 0) > bytes) throw tooLarge()
  let size = 0
  let idle: NodeJS.Timeout | undefined
  const wait = () => {
    idle = setTimeout(() => answer.destroy(new FetchRefused(`${host} stopped in mid-file`)), idleMs)
  }
  try {
    wait()
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      // Time that the consumer takes is not the sender's pause.
      clearTimeout(idle)
      size += chunk.length
      if (size > bytes) throw tooLarge()
      yield chunk
      wait()
    }
  } catch (error) {
    throw error instanceof FetchRefused ? error : new FetchRefused(`${host} broke off in mid-file`)
  } finally {
    clearTimeout(idle)
  }
}
