import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../platform/logging/log.ts'
import type { Claimed, Disabled, OutboxStore, Settled } from './outbox-store.ts'

type Deps = {
  store: Pick<OutboxStore, 'claim' | 'settle' | 'release'>
  send: (delivery: Claimed, stop: AbortSignal) => Promise<Settled>
  /** Reports an endpoint that was disabled. */
  onDisabled: (endpoint: Disabled) => void
  /** Concurrent deliveries to one endpoint, from this process. */
  concurrency: number
  /** Deliveries per second to one endpoint, from this process. */
  rate: number
  log: Log
}

/** How often the outbox is polled for new events. */
const POLL_MS = 250
/** Results are collected for this long, so that one round trip settles many. */
const COLLECT_MS = 10
/**
 * After a long claim the deliverer rests this many times as long as the claim took beyond `SHORT_CLAIM_MS`, so that a
 * backlog takes a bounded share of the database's time.
 */
const REST = 2
const SHORT_CLAIM_MS = 20
const LONGEST_REST_MS = 1000
/** Longer than a claimed delivery can take: its wait for a turn, plus one attempt. */
const LEASE_SECONDS = 90
/** Deliveries claimed per concurrent attempt, so that the next is at hand when one completes. */
const CLAIMED_PER_ATTEMPT = 4
/** A claimed delivery this old is returned without an attempt: the lease must not expire during an attempt. */
const STALE_MS = 60_000
/**
 * After this time (for example after a pause of the process or an outage of the database) another process may have
 * claimed the delivery: only a success is still reported.
 */
const LEASE_LOST_MS = 85_000
/** An endpoint without a successful delivery for this long is disabled; a delivery is retried for as long. */
const GIVE_UP_DAYS = 3
const OUTAGE_PAUSE_MS = 1000
/** Concurrent attempts to all endpoints; at this number, lanes take turns. */
const MAX_AT_ONCE = 500
const BURST_MS = 50
/** Attempts started per turn of the event loop: each blocks it for half a millisecond while requests wait. */
const MAX_STARTED_PER_TURN = 4
/**
 * After this many consecutive failures an endpoint gets fewer attempts until one succeeds: each attempt costs the
 * database two writes.
 */
const FAILING_AFTER = 5
/** Deliveries per second to such an endpoint, from this process. */
const FAILING_RATE = 5

/** `claimedAt`: when it was claimed, by this process's own clock. */
type Waiting = { delivery: Claimed; claimedAt: number }
type Reported = { result: Settled; claimedAt: number }
/** `failures`: consecutive ones. */
type Lane = {
  waiting: Waiting[]
  active: number
  nextAt: number
  failures: number
  timer?: NodeJS.Timeout | undefined
}

/**
 * Claims due deliveries from the outbox, sends them and settles the results, until it is stopped. Each endpoint has its
 * own lane, so a slow one does not delay others. If the process is killed, its claimed deliveries are claimed again
 * when their lease expires.
 */
export function createDeliverer({ store, send, onDisabled, concurrency, rate, log }: Deps) {
  const lanes = new Map<string, Lane>()
  const stopping = new AbortController()
  let results: Reported[] = []
  let wake = () => {}
  let running: Promise<void> | undefined
  let sending = 0
  /** Attempts started in this turn of the event loop. */
  let startedThisTurn = 0

  const report = (one: Reported) => {
    results.push(one)
    wake()
  }

  /** Starts the attempts that a lane may start. */
  function advance(endpointId: string, lane: Lane) {
    for (;;) {
      if (lane.waiting.length === 0 || lane.active >= concurrency) break
      if (isBusy() && !stopping.signal.aborted) break
      const now = performance.now()
      if (lane.nextAt > now) {
        lane.timer ??= setTimeout(() => {
          lane.timer = undefined
          advance(endpointId, lane)
        }, lane.nextAt - now)
        break
      }
      const { delivery, claimedAt } = lane.waiting.shift()!
      if (stopping.signal.aborted || now - claimedAt > STALE_MS) {
        report({ result: { seq: delivery.seq, outcome: 'RETURNED', wait: 0, pause: 0, attempt: null }, claimedAt })
        continue
      }
      // Catch up a little after a late timer.
      lane.nextAt =
        Math.max(lane.nextAt, now - BURST_MS) +
        1000 / (lane.failures < FAILING_AFTER ? rate : Math.min(rate, FAILING_RATE))
      lane.active++
      sending++
      if (startedThisTurn++ === 0) setImmediate(nextTurn)
      // Move the lane behind those that have not had a turn.
      lanes.delete(endpointId)
      lanes.set(endpointId, lane)
      void send(delivery, stopping.signal).then((result) => {
        lane.active--
        if (result.outcome === 'DELIVERED') lane.failures = 0
        else if (result.outcome === 'FAILED') lane.failures++
        const wasBusy = isBusy()
        sending--
        report({ result, claimedAt })
        if (wasBusy) takeTurns()
        advance(endpointId, lane)
      })
    }
    if (lane.waiting.length === 0 && lane.active === 0 && lane.nextAt <= performance.now()) lanes.delete(endpointId)
  }

  const isBusy = () => sending >= MAX_AT_ONCE || startedThisTurn >= MAX_STARTED_PER_TURN

  function nextTurn() {
    const wasBusy = isBusy()
    startedThisTurn = 0
    if (wasBusy) takeTurns()
  }

  /** Gives free capacity to the lanes in turn. */
  function takeTurns() {
    for (const [id, lane] of [...lanes]) {
      if (isBusy()) return
      advance(id, lane)
    }
  }

  async function claim(): Promise<number> {
    const most = concurrency * CLAIMED_PER_ATTEMPT
    const capacities = new Map([...lanes].map(([id, { waiting, active }]) => [id, most - waiting.length - active]))
    const claimedAt = performance.now()
    const claimed = await store.claim(most, capacities, LEASE_SECONDS)
    for (const delivery of claimed) {
      const lane = lanes.get(delivery.endpointId) ?? { waiting: [], active: 0, nextAt: 0, failures: 0 }
      lanes.set(delivery.endpointId, lane)
      lane.waiting.push({ delivery, claimedAt })
    }
    for (const [id, lane] of [...lanes]) advance(id, lane)
    return claimed.length
  }

  /** Settles results. Those that fail are settled with the next batch; those whose lease has expired are dropped. */
  async function settle(): Promise<void> {
    const now = performance.now()
    const reportable = results.filter(
      ({ result, claimedAt }) => result.outcome === 'DELIVERED' || now - claimedAt < LEASE_LOST_MS,
    )
    results = []
    if (reportable.length === 0) return
    const settled = reportable.map(({ result }) => result)
    try {
      for (const endpoint of await store.settle(settled, GIVE_UP_DAYS)) onDisabled(endpoint)
    } catch (error) {
      results = [...reportable, ...results]
      throw error
    }
  }

  /** Waits until there is a result, or it is time to poll. */
  async function pause(): Promise<void> {
    if (results.length > 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(resolve, POLL_MS)
    await promise
    clearTimeout(timer)
    wake = () => {}
    if (results.length > 0) await sleep(COLLECT_MS)
  }

  /** Waits, until stopped at most. */
  const interval = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})

  async function run(): Promise<void> {
    let isFailing = false
    while (!stopping.signal.aborted) {
      try {
        await settle()
        const begun = performance.now()
        await claim()
        isFailing = false
        const rest = REST * (performance.now() - begun - SHORT_CLAIM_MS)
        await Promise.all([pause(), rest > 0 && interval(Math.min(rest, LONGEST_REST_MS))])
      } catch (error) {
        // Logged once per outage.
        if (!isFailing) log.warn({ err: error }, 'webhook deliveries are waiting for the database')
        isFailing = true
        await interval(OUTAGE_PAUSE_MS)
      }
    }
  }

  return {
    /** @param isAlone whether no other process sends: then deliveries of a killed predecessor are claimed at once */
    async start({ isAlone }: { isAlone: boolean }): Promise<void> {
      if (isAlone) await store.release()
      running = run()
    },

    /** Aborts running attempts and returns their deliveries. */
    async stop(): Promise<void> {
      if (!running) return
      stopping.abort(new Error('The process is stopping'))
      wake()
      await running
      for (const [id, lane] of [...lanes]) {
        clearTimeout(lane.timer)
        lane.nextAt = 0
        advance(id, lane)
      }
      // Aborted attempts end at once.
      while ([...lanes.values()].some(({ active }) => active > 0)) await sleep(5)
      await settle().catch((error) =>
        log.warn({ err: error }, 'failed to return claimed deliveries; they are sent again later'),
      )
    },
  }
}
