import { type AddressInfo, createServer, type Socket, connect as toHost } from 'node:net'

/** What the network does, in both directions unless it says otherwise. */
export type Weather = {
  /** Each piece is as much later. */
  delayMs?: number
  /** Bytes a second of each connection and direction. */
  bytesPerSecond?: number
  /** Nothing arrives any more and nothing is told to either side: connections stay open, new ones open too. What is sent meanwhile waits, and arrives when the weather is fair again, unless the connection was closed by then. */
  halfOpen?: boolean
  /** So too, but what is sent meanwhile is gone: a connection that lost bytes is reset when the weather changes. */
  drop?: boolean
  /** New connections are refused by a reset. */
  refuse?: boolean
}

export type FaultProxy = Awaited<ReturnType<typeof startProxy>>

/** A place where nobody listens is known at once; a port of loopback where the proxy may stand again is kept. */
type Target = { host: string; port: number } | { path: string }

/** Stands between two processes and does to their connections what a network does. The weather can be changed at any time, also for connections that are open. */
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
    /** How many connections go through it now. */
    get open() {
      return pairs.size
    },
    /** From now on, for connections that are open too. Without words: fair weather. */
    set(next: Weather = {}): void {
      weather = next
      for (const pair of pairs) pair.changed()
    },
    /** Resets every open connection, on both sides. */
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
    // A socket that breaks breaks the other one too, once that may be known.
    socket.on('error', () => {
      if (!weather().halfOpen && !weather().drop) other.resetAndDestroy()
    })
    socket.on('close', () => --open === 0 && resolve())
  }
  const changed = () => {
    for (const way of ways) way.changed()
    if (weather().halfOpen || weather().drop) return
    // One side gave up while nothing came through: now the other one hears of it.
    if (near.destroyed && !far.destroyed) far.end()
    if (far.destroyed && !near.destroyed) near.end()
  }
  return { closed, changed, reset }
}

/** Bytes from one socket to another, as the weather lets them. */
function oneWay(from: Socket, to: Socket, weather: () => Weather, reset: () => void) {
  /** What has come and not gone on, each piece with the time from which it may; null: the end. */
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
    // Whoever sends more than is taken is to feel it, as on a network.
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
