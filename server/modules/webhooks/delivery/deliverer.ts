import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../platform/logging/log.ts'
import type { Claimed, Disabled, OutboxStore, Settled } from './outbox-store.ts'

type Deps = {
  store: Pick<OutboxStore, 'claim' | 'settle' | 'release'>
  send: (delivery: Claimed, stop: AbortSignal) => Promise<Settled>
  /** Tells of an endpoint that was disabled. */
  disabled: (endpoint: Disabled) => void
  /** Deliveries to one endpoint at once, by this process. */
  concurrency: number
  /** Deliveries to one endpoint a second, by this process. */
  rate: number
  log: Log
}

/** How soon what was just published is seen. */
const POLL_MS = 250
/** Results are gathered for so long, so that a round trip serves many. */
const GATHER_MS = 10
/** Longer than everything that was taken can take: its turns, each as long as an attempt may last. */
const LEASE_SECONDS = 90
/** Taken from the outbox for each that is sent at once, so that the next is here when one is done. */
const AHEAD = 4
/** After this what was taken is given back without being tried: the lease must not end in the middle of an attempt. */
const STALE_MS = 60_000
/** After this, as when the process was stopped or the database away, others may have taken it: what became of it is theirs to say, unless it arrived. */
const ENDED_MS = 85_000
/** An endpoint that nothing arrived at for so long is disabled; so long a delivery is tried. */
const GIVE_UP_DAYS = 3
const FAILED_PAUSE_MS = 1000
/** To all endpoints together. Once so many are being sent, lanes take turns. */
const MAX_AT_ONCE = 500
const BURST_MS = 50
/** Attempts that begin in one turn of the event loop: each takes half a millisecond of it, and requests wait meanwhile. */
const MAX_BEGUN_AT_ONCE = 4
/** After so many failures in a row an endpoint is tried more slowly, until something arrives: each attempt costs the database two writes. */
const SLOW_AFTER = 5
/** Deliveries a second to such an endpoint, by this process. */
const SLOW_RATE = 5

/** `askedAt`: when it was asked for, by this process's own clock. */
type Taken = { delivery: Claimed; askedAt: number }
type Said = { result: Settled; askedAt: number }
/** `failures`: in a row. */
type Lane = {
  waiting: Taken[]
  active: number
  nextAt: number
  failures: number
  timer?: NodeJS.Timeout | undefined
}

/**
 * Takes what is due from the outbox, sends it, and says what became of it, as long as it runs. Endpoints have lanes of
 * their own, so that a slow one holds up no other. What was taken and not settled, because the process was killed, is
 * taken again when its lease has ended.
 */
export function createDeliverer({ store, send, disabled, concurrency, rate, log }: Deps) {
  const lanes = new Map<string, Lane>()
  const stopping = new AbortController()
  let results: Said[] = []
  let wake = () => {}
  let running: Promise<void> | undefined
  let sending = 0
  /** Attempts begun in this turn of the event loop. */
  let begun = 0

  const say = (one: Said) => {
    results.push(one)
    wake()
  }

  /** Begins what may begin in a lane. */
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
      const { delivery, askedAt } = lane.waiting.shift()!
      if (stopping.signal.aborted || now - askedAt > STALE_MS) {
        say({ result: { seq: delivery.seq, outcome: 'RETURNED', wait: 0, pause: 0, attempt: null }, askedAt })
        continue
      }
      // A late timer is made up for, a little.
      lane.nextAt =
        Math.max(lane.nextAt, now - BURST_MS) + 1000 / (lane.failures < SLOW_AFTER ? rate : Math.min(rate, SLOW_RATE))
      lane.active++
      sending++
      if (begun++ === 0) setImmediate(nextTurn)
      // Behind those that have not had their turn yet.
      lanes.delete(endpointId)
      lanes.set(endpointId, lane)
      void send(delivery, stopping.signal).then((result) => {
        lane.active--
        if (result.outcome === 'DELIVERED') lane.failures = 0
        else if (result.outcome === 'FAILED') lane.failures++
        const wasBusy = isBusy()
        sending--
        say({ result, askedAt })
        if (wasBusy) takeTurns()
        advance(endpointId, lane)
      })
    }
    if (lane.waiting.length === 0 && lane.active === 0 && lane.nextAt <= performance.now()) lanes.delete(endpointId)
  }

  const isBusy = () => sending >= MAX_AT_ONCE || begun >= MAX_BEGUN_AT_ONCE

  function nextTurn() {
    const wasBusy = isBusy()
    begun = 0
    if (wasBusy) takeTurns()
  }

  /** Gives what is free to the lanes in the order of their turns. */
  function takeTurns() {
    for (const [id, lane] of [...lanes]) {
      if (isBusy()) return
      advance(id, lane)
    }
  }

  async function claim(): Promise<number> {
    const most = concurrency * AHEAD
    const rooms = new Map([...lanes].map(([id, { waiting, active }]) => [id, most - waiting.length - active]))
    const askedAt = performance.now()
    const taken = await store.claim(most, rooms, LEASE_SECONDS)
    for (const delivery of taken) {
      const lane = lanes.get(delivery.endpointId) ?? { waiting: [], active: 0, nextAt: 0, failures: 0 }
      lanes.set(delivery.endpointId, lane)
      lane.waiting.push({ delivery, askedAt })
    }
    for (const [id, lane] of [...lanes]) advance(id, lane)
    return taken.length
  }

  /** What could not be said is said with the next; what is not this process's to say any more is not said. */
  async function settle(): Promise<void> {
    const now = performance.now()
    const saying = results.filter(({ result, askedAt }) => result.outcome === 'DELIVERED' || now - askedAt < ENDED_MS)
    results = []
    if (saying.length === 0) return
    const settled = saying.map(({ result }) => result)
    try {
      for (const endpoint of await store.settle(settled, GIVE_UP_DAYS)) disabled(endpoint)
    } catch (error) {
      results = [...saying, ...results]
      throw error
    }
  }

  /** Until there is a result, or it is time to look again. */
  async function pause(): Promise<void> {
    if (results.length > 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(resolve, POLL_MS)
    await promise
    clearTimeout(timer)
    wake = () => {}
    if (results.length > 0) await sleep(GATHER_MS)
  }

  async function run(): Promise<void> {
    let isFailing = false
    while (!stopping.signal.aborted) {
      try {
        await settle()
        await claim()
        isFailing = false
        await pause()
      } catch (error) {
        // Told once, not every second for as long as it lasts.
        if (!isFailing) log.warn({ err: error }, 'webhooks wait for the database')
        isFailing = true
        await sleep(FAILED_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  return {
    /** @param isAlone whether no other process sends: then what one before it was killed over is sent at once */
    async start({ isAlone }: { isAlone: boolean }): Promise<void> {
      if (isAlone) await store.release()
      running = run()
    },

    /** Ends what is being sent, and gives it back. */
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
      // Attempts that are broken off end at once.
      while ([...lanes.values()].some(({ active }) => active > 0)) await sleep(5)
      await settle().catch((error) => log.warn({ err: error }, 'webhooks that were being sent are sent again later'))
    },
  }
}
