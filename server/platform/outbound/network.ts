import { lookup } from 'node:dns/promises'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'

/** How hosts outside are reached. Tests put a network of their own in its place. */
export type Network = {
  /** All addresses of a host. @throws what the resolver says */
  resolve: (host: string) => Promise<string[]>
  /** Opens a connection to one of these addresses, and asks no resolver again. */
  connect: (target: { host: string; addresses: string[]; port: number }) => Socket
  /** Certificates, in PEM, that are trusted in place of the well-known ones. */
  ca?: string
}

export const internet: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  connect: ({ host, addresses, port }) =>
    connect({ host, port, lookup: pinned(addresses), autoSelectFamily: true, noDelay: true }),
}

/** A resolver that knows nothing but these addresses. */
const pinned =
  (addresses: string[]): LookupFunction =>
  (_host, options, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) done(null, found)
    else done(null, found[0]!.address, found[0]!.family)
  }
