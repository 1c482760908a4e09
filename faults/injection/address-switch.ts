import { type AddressInfo, createServer, type Socket, connect as toPort } from 'node:net'

/** An address that leads to one server and then to another, as a name or a load balancer does in a failover. Where it leads nowhere, connections are reset. */
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
  /** Resets what is open. */
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
