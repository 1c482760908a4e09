import { lookup } from 'node:dns/promises'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'

/** How external hosts are reached. Tests replace it. */
export type Network = {
  /** All addresses of a host. @throws the resolver's error */
  resolve: (host: string) => Promise<string[]>
  /** Opens a connection to one of these addresses, without resolving the host again. */
  connect: (target: { host: string; addresses: string[]; port: number }) => Socket
  /** PEM certificates that are trusted instead of the system's. */
  ca?: string
}

export const internet: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  connect: ({ host, addresses, port }) =>
    connect({ host, port, lookup: pinned(addresses), autoSelectFamily: true, noDelay: true }),
}

/** A lookup that returns only these addresses. */
const pinned =
  (addresses: string[]): LookupFunction =>
  (_host, options, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) done(null, found)
    else done(null, found[0]!.address, found[0]!.family)
  }
