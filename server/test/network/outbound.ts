import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { Network } from '../../platform/outbound/network.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/outbound/${name}`, import.meta.url), 'utf8')

/**
 * A real https server for all hosts of the internet, and its network. Names resolve as in `names`, one list after the other
 * and then always the last; the server answers at any address, and `asked` records the connections.
 */
export async function startOutside(handler: RequestListener, names: Record<string, string[][]> = {}) {
  const certificate = fixture('certificate.pem')
  const server = createServer({ key: fixture('key.pem'), cert: certificate }, handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const asked: string[] = []
  const resolved: string[] = []
  const network: Network = {
    resolve: async (host) => {
      const answers = names[host]
      const answer = answers?.[Math.min(resolved.filter((one) => one === host).length, answers.length - 1)]
      resolved.push(host)
      if (!answer) throw new Error('ENOTFOUND')
      return answer
    },
    connect: (target) => {
      asked.push(`${target.addresses.join(' ')} ${target.port}`)
      return connect(port, '127.0.0.1')
    },
    ca: certificate,
  }
  return {
    network,
    /** The connected addresses and ports, in order. */
    asked,
    /** The resolved names, in order. */
    resolved,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
