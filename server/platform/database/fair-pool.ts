import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { unavailable } from '../errors.ts'

/** A request, as a pool of connections knows it: whose share it takes, who sent it, and how many connections it has now. */
export type Claimant = { lane: string; sender: string; held: number }

const current = new AsyncLocalStorage<Claimant | undefined>()

/** Runs what a request does: its statements take connections from the share of its lane, and do not wait long for locks. */
export const withClaimant = <T>(claimant: Claimant, run: () => T): T => current.run(claimant, run)

/** Runs what is no part of the request that began it: it waits for locks as long as it takes. */
export const withoutLockTimeout = <T>(run: () => T): T => current.run(undefined, run)

/** Milliseconds that a statement of a request waits for a lock. More than PostgreSQL's deadlock_timeout (1 s), so that it tells a deadlock by its name. */
export const LOCK_TIMEOUT_MS = 1500
/** Connections that the requests of one lane have at most, and those of one sender while somebody holds a lock that they wait for. */
const SHARE = 10
const SHARE_WHILE_LOCKED = 3
/** For so long after a statement of a sender gave up on a lock, its next ones are expected to. */
const LOCKED_MS = 2 * LOCK_TIMEOUT_MS
/** Until a request that waits for its turn is told that there is none. */
const TURN_MS = 10_000

type Waiting = { sender: string; begin: () => void; refuse: (error: Error) => void }
/** `senders`: connections by sender. `lockedUntil`: by sender whose statement hit the lock timeout, in milliseconds of `performance.now()`. */
type Lane = { active: number; waiting: Waiting[]; senders: Map<string, number>; lockedUntil: Map<string, number> }

export type FairPool = ReturnType<typeof fairPool>

/** Shares the connections of a pool among the lanes of requests, so that those who wait for one table leave connections to others. What is no request takes connections as they come. */
export function fairPool(pool: pg.Pool) {
  const lanes = new Map<string, Lane>()
  const patient = new WeakMap<pg.PoolClient, boolean>()

  const laneOf = (name: string): Lane => {
    const lane = lanes.get(name) ?? { active: 0, waiting: [], senders: new Map(), lockedUntil: new Map() }
    lanes.set(name, lane)
    return lane
  }
  const hasRoom = ({ active, senders, lockedUntil }: Lane, sender: string) => {
    const isLocked = performance.now() < (lockedUntil.get(sender) ?? 0)
    if (!isLocked) lockedUntil.delete(sender)
    return active < SHARE && (!isLocked || (senders.get(sender) ?? 0) < SHARE_WHILE_LOCKED)
  }
  const count = (lane: Lane, sender: string, by: 1 | -1) => {
    const now = (lane.senders.get(sender) ?? 0) + by
    lane.active += by
    if (now === 0) lane.senders.delete(sender)
    else lane.senders.set(sender, now)
  }

  function turnIn(lane: Lane, sender: string): Promise<void> {
    return new Promise((begin, reject) => {
      const refuse = (error: Error) => {
        clearTimeout(timer)
        lane.waiting.splice(lane.waiting.indexOf(waiting), 1)
        reject(error)
      }
      const timer = setTimeout(() => refuse(unavailable('The database is busy: try again in a moment', 2)), TURN_MS)
      const waiting: Waiting = {
        sender,
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
    count(lane, claimant.sender, -1)
    claimant.held--
    // Who begins counts at once, though it goes on only in its own turn.
    for (let next = nextOf(lane); next >= 0; next = nextOf(lane)) {
      const [waiting] = lane.waiting.splice(next, 1) as [Waiting]
      count(lane, waiting.sender, 1)
      waiting.begin()
    }
  }

  /** The first that waits and has room; -1 for none. */
  const nextOf = (lane: Lane): number =>
    lane.active < SHARE ? lane.waiting.findIndex(({ sender }) => hasRoom(lane, sender)) : -1

  /** Whoever has a connection already is given another: it could not finish otherwise. */
  async function enter(lane: Lane, claimant: Claimant): Promise<void> {
    const { sender } = claimant
    const isNext = nextOf(lane) < 0 && hasRoom(lane, sender)
    if (claimant.held > 0 || isNext) count(lane, sender, 1)
    else await turnIn(lane, sender)
    claimant.held++
  }

  async function waitForLocks(client: pg.PoolClient, isPatient: boolean): Promise<void> {
    if ((patient.get(client) ?? true) === isPatient) return
    await client.query(`set lock_timeout = ${isPatient ? 0 : LOCK_TIMEOUT_MS}`)
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
    /** A statement of a sender gave up on a lock: its others of this lane are refused, which would wait for the same, and few are let go on until it works again. */
    locked(name: string, sender: string): void {
      const lane = laneOf(name)
      const now = performance.now()
      for (const [other, until] of lane.lockedUntil) if (until < now) lane.lockedUntil.delete(other)
      lane.lockedUntil.set(sender, now + LOCKED_MS)
      for (const waiting of [...lane.waiting]) if (waiting.sender === sender) waiting.refuse(lockTimeoutError())
    },
  }
}

/** What whoever waited for a lock too long is told. */
export const lockTimeoutError = () =>
  unavailable('Something that this needs is locked by somebody else for longer than a second: try again', 1)
