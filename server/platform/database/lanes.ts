import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { unavailable } from '../errors.ts'

/** A request, as a pool of connections knows it: whose share it takes, and how many connections it has now. */
export type Claimant = { lane: string; held: number }

const current = new AsyncLocalStorage<Claimant | undefined>()

/** Runs what a request does: its statements take connections from the share of its lane, and do not wait long for locks. */
export const claiming = <T>(claimant: Claimant, run: () => T): T => current.run(claimant, run)

/** Runs what is no part of the request that began it: it waits for locks as long as it takes. */
export const patiently = <T>(run: () => T): T => current.run(undefined, run)

/** Milliseconds that a statement of a request waits for a lock. More than PostgreSQL's deadlock_timeout (1 s), so that it tells a deadlock by its name. */
export const LOCK_MS = 1500
/** Connections that the requests of one lane have at most, and while somebody holds a lock that they wait for. */
const SHARE = 10
const SHARE_WHILE_LOCKED = 3
/** For so long after a statement of a lane gave up on a lock, the next ones are expected to. */
const LOCKED_MS = 2 * LOCK_MS
/** Until a request that waits for its turn is told that there is none. */
const TURN_MS = 10_000

type Waiting = { begin: () => void; refuse: (error: Error) => void }
type Lane = { active: number; waiting: Waiting[]; lockedUntil: number }

export type Lanes = ReturnType<typeof laneConnections>

/** Shares the connections of a pool among the lanes of requests, so that those who wait for one table leave connections to others. What is no request takes connections as they come. */
export function laneConnections(pool: pg.Pool) {
  const lanes = new Map<string, Lane>()
  const patient = new WeakMap<pg.PoolClient, boolean>()

  const laneOf = (name: string): Lane => {
    const lane = lanes.get(name) ?? { active: 0, waiting: [], lockedUntil: 0 }
    lanes.set(name, lane)
    return lane
  }
  const hasRoom = ({ active, lockedUntil }: Lane) =>
    active < (performance.now() < lockedUntil ? SHARE_WHILE_LOCKED : SHARE)

  function turnIn(lane: Lane): Promise<void> {
    return new Promise((begin, reject) => {
      const refuse = (error: Error) => {
        clearTimeout(timer)
        lane.waiting.splice(lane.waiting.indexOf(waiting), 1)
        reject(error)
      }
      const timer = setTimeout(() => refuse(unavailable('The database is busy: try again in a moment', 2)), TURN_MS)
      const waiting: Waiting = {
        begin: () => {
          clearTimeout(timer)
          begin()
        },
        refuse,
      }
      lane.waiting.push(waiting)
    })
  }

  function leave(lane: Lane, claimant: Claimant): void {
    lane.active--
    claimant.held--
    // Who begins counts at once, though it goes on only in its own turn.
    while (lane.waiting.length > 0 && hasRoom(lane)) {
      lane.active++
      lane.waiting.shift()!.begin()
    }
  }

  /** Whoever has a connection already is given another: it could not finish otherwise. */
  async function enter(lane: Lane, claimant: Claimant): Promise<void> {
    if (claimant.held > 0 || (lane.waiting.length === 0 && hasRoom(lane))) lane.active++
    else await turnIn(lane)
    claimant.held++
  }

  async function waitForLocks(client: pg.PoolClient, isPatient: boolean): Promise<void> {
    if ((patient.get(client) ?? true) === isPatient) return
    await client.query(`set lock_timeout = ${isPatient ? 0 : LOCK_MS}`)
    patient.set(client, isPatient)
  }

  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  async function connected(): Promise<pg.PoolClient> {
    const claimant = current.getStore()
    const lane = claimant && laneOf(claimant.lane)
    const leaving = claimant ? () => leave(lane!, claimant) : () => {}
    if (claimant) await enter(lane!, claimant)
    const client = await connect().catch((error) => {
      leaving()
      throw error
    })
    const release = client.release.bind(client)
    client.release = (error?: Error | boolean) => {
      release(error)
      leaving()
    }
    await waitForLocks(client, !claimant).catch((error) => {
      client.release(true)
      throw error
    })
    return client
  }
  type Told = (error: Error | undefined, client?: pg.PoolClient, done?: (error?: Error | boolean) => void) => void
  pool.connect = ((told?: Told) => {
    if (!told) return connected()
    connected().then(
      (client) => told(undefined, client, client.release),
      (error) => told(error, undefined, () => {}),
    )
    return undefined
  }) as typeof pool.connect

  return {
    /** A statement of this lane gave up on a lock: others of it are refused who would wait for the same, and few are let go on until it works again. */
    locked(name: string): void {
      const lane = laneOf(name)
      lane.lockedUntil = performance.now() + LOCKED_MS
      for (const { refuse } of [...lane.waiting]) refuse(locked())
    },
  }
}

/** What whoever waited for a lock too long is told. */
export const locked = () =>
  unavailable('Something that this needs is locked by somebody else for longer than a second: try again', 1)
