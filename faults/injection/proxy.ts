import { type AddressInfo, createServer, type Socket, connect as toHost } from 'node:net'

/** Network faults, in both directions unless stated otherwise. */
export type Weather = {
  /** Delay of each chunk. */
  delayMs?: number
  /** Bandwidth of each connection and direction in bytes a second. */
  bytesPerSecond?: number
  /** Delivers nothing and reports nothing: connections stay open, and new ones open too. Sent bytes wait, and are delivered after the fault, unless the connection was closed by then. */
  halfOpen?: boolean
  /** The same, but sent bytes are lost: their connection is reset when the fault ends. */
  drop?: boolean
  /** Resets new connections. */
  refuse?: boolean
}

export type FaultProxy = Awaited<ReturnType<typeof startProxy>>

/** A closed port fails at once; the loopback port is reserved, so that the proxy can listen again. */
type Target = { host: string; port: number } | { path: string }

/** A TCP proxy between two processes that injects network faults. The faults can be changed at any time, also for open connections. */
export async function startProxy(target: Target) {
  let weather: Weather = {}
  const pairs = new Set<Pair>()
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: false }, (near) => {
    if (weather.refuse) return void near.resetAndDestroy()
    const pair = connectPair(near, toHost({ ...target, allowHalfOpen: true }), () => weather)
    pairs.add(pair)
    pair.closed.then(
      () => pairs.delete(pair),
      () => pairs.delete(pair),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const reset = () => {
    for (const pair of pairs) pair.reset()
  }
  return {
    port,
    /** Number of open connections. */
    get open() {
      return pairs.size
    },
    /** Sets the faults, also for open connections; without arguments, none. */
    set(next: Weather = {}): void {
      weather = next
      for (const pair of pairs) pair.changed()
    },
    /** Resets every open connection on both sides. */
    reset,
    async stop(): Promise<void> {
      reset()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

type Pair = { closed: Promise<void>; changed: () => void; reset: () => void }

function connectPair(near: Socket, far: Socket, weather: () => Weather): Pair {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const reset = () => {
    near.resetAndDestroy()
    far.resetAndDestroy()
  }
  const ways = [oneWay(near, far, weather, reset), oneWay(far, near, weather, reset)]
  let open = 2
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    socket.setNoDelay(true)
    // A broken socket breaks the other one too, once the fault allows it to be noticed.
    socket.on('error', () => {
      if (!weather().halfOpen && !weather().drop) other.resetAndDestroy()
    })
    socket.on('close', () => --open === 0 && resolve())
  }
  const changed = () => {
    for (const way of ways) way.changed()
    if (weather().halfOpen || weather().drop) return
    // One side gave up during the fault: now the other one is notified.
    if (near.destroyed && !far.destroyed) far.end()
    if (far.destroyed && !near.destroyed) near.end()
  }
  return { closed, changed, reset }
}

/** Forwards bytes from one socket to another, subject to the faults. */
function oneWay(from: Socket, to: Socket, weather: () => Weather, reset: () => void) {
  /** Received and undelivered chunks, each with its earliest delivery time; null is the end. */
  const waiting: { piece: Buffer | null; at: number }[] = []
  let timer: NodeJS.Timeout | undefined
  let hasLost = false
  let freeAt = 0

  from.on('data', (piece) => take(piece))
  from.on('end', () => take(null))

  function take(piece: Buffer | null): void {
    const { drop, delayMs = 0 } = weather()
    if (drop) {
      hasLost = true
      return
    }
    waiting.push({ piece, at: performance.now() + delayMs })
    // Apply backpressure to a fast sender, as on a network.
    if (waiting.length > 64) from.pause()
    go()
  }

  function go(): void {
    clearTimeout(timer)
    const { halfOpen, drop, bytesPerSecond } = weather()
    if (halfOpen || drop) return
    const now = performance.now()
    while (waiting.length > 0) {
      const due = Math.max(waiting[0]!.at, freeAt)
      if (due > now) {
        timer = setTimeout(go, due - now)
        return
      }
      const { piece } = waiting.shift()!
      if (piece === null) to.end()
      else if (!to.destroyed) {
        to.write(piece)
        if (bytesPerSecond) freeAt = now + (piece.length / bytesPerSecond) * 1000
      }
    }
    if (from.isPaused()) from.resume()
  }

  return {
    changed(): void {
      if (hasLost && !weather().drop) reset()
      else go()
    },
  }
}
