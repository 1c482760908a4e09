import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { connect as startTls, type TLSSocket } from 'node:tls'
import type { Network } from './network.ts'
import { isPublicAddress } from './public-address.ts'

/** A caller's address must not be requested, or returned nothing usable. The message is for the caller and shows nothing of the response. */
export class FetchRefused extends Error {}

type Asking = { network: Network; answerMs: number; stop: AbortSignal }

/**
 * Sends one GET to one host, over TLS, to checked addresses only: the host is not resolved again.
 * @param answerMs until the response begins @param stop ends the request, also during the body
 * @throws FetchRefused
 */
export async function ask(url: URL, { network, answerMs, stop }: Asking): Promise<IncomingMessage> {
  const late = AbortSignal.timeout(answerMs)
  const signal = AbortSignal.any([late, stop])
  let socket: TLSSocket | undefined
  try {
    const addresses = await unlessAborted(publicAddresses(url, network), signal)
    socket = await connectTls(url, addresses, network, signal)
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const headers = { 'user-agent': 'Cairn', accept: '*/*', 'accept-encoding': 'identity' }
    request(url, { createConnection: () => socket!, defaultPort: 443, headers, signal: stop })
      .on('response', resolve)
      .on('error', reject)
      .end()
    return await unlessAborted(promise, signal)
  } catch (error) {
    socket?.destroy()
    if (error instanceof FetchRefused || stop.aborted) throw error
    throw new FetchRefused(
      late.aborted ? `${url.host} did not answer within ${answerMs / 1000} s` : failureOf(url, error),
    )
  }
}

/** Parses a caller's address. @throws FetchRefused with what to change */
export function addressIn(text: string): URL {
  if (!URL.canParse(text)) throw new FetchRefused('it is not an address')
  const url = new URL(text)
  if (url.username || url.password) throw new FetchRefused('it must hold no name and password')
  return url
}

/** All addresses of a host, public or not. */
export async function anyAddresses(url: URL, network: Network): Promise<string[]> {
  const host = bareHost(url)
  const addresses = isIP(host) ? [host] : await network.resolve(host).catch(() => [])
  if (addresses.length === 0) throw new FetchRefused(`${host} could not be found`)
  return addresses
}

/** The addresses of a host, all of which must be public: a name that mixes public and private ones is not trusted. A name that resolves to a private address gets the same error as one that does not resolve, so that callers cannot probe internal names. */
export async function publicAddresses(url: URL, network: Network): Promise<string[]> {
  const host = bareHost(url)
  const addresses = await anyAddresses(url, network).catch(() => [])
  if (addresses.length > 0 && addresses.every(isPublicAddress)) return addresses
  const orThere = isIP(host) ? '' : ', or cannot be found'
  throw new FetchRefused(`${host} is not on the public internet${orThere}`)
}

/** A connection to one of these addresses, without TLS. */
export async function connected(url: URL, addresses: string[], network: Network, signal: AbortSignal): Promise<Socket> {
  const usual = url.protocol === 'https:' ? 443 : 80
  const socket = network.connect({ host: bareHost(url), addresses, port: Number(url.port || usual) })
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** A TLS connection to one of these addresses, verified against the host name. */
export async function connectTls(
  url: URL,
  addresses: string[],
  network: Network,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const host = bareHost(url)
  const plain = await connected(url, addresses, network, signal)
  try {
    const socket = startTls({
      socket: plain,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(network.ca && { ca: network.ca }),
    })
    socket.on('error', () => {})
    await once(socket, 'secureConnect', { signal })
    return socket
  } catch (error) {
    plain.destroy()
    throw error
  }
}

/** The host name, without the brackets of an IPv6 address. */
export const bareHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** The error message for a host that could not be reached. */
export function failureOf({ host }: URL, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (/CERT|ALTNAME|SIGNATURE|ISSUER/.test(code)) return `${host} has no valid certificate`
  return `${host} could not be reached`
}

/** Settles as the work does, or rejects with the signal's reason as soon as it is aborted. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
    work.catch(() => {})
  }
}
