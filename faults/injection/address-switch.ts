import { type AddressInfo, createServer, type Socket, connect as toPort } from 'node:net'

/**
 * Starts an address that forwards to one server and later to another, like a name or a load balancer in a failover.
 * Without a target, connections are reset.
 */
export async function startSwitch(first: number) {
  let port: number | undefined = first
  const open = new Set<Socket>()
  const server = createServer((near) => {
    if (port === undefined) return void near.resetAndDestroy()
    const far = toPort(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  /** Switches the target and resets open connections. */
  const leadTo = (next: number | undefined) => {
    port = next
    for (const socket of open) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    leadTo,
    async stop(): Promise<void> {
      leadTo(undefined)
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
