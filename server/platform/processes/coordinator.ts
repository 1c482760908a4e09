import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { UnknownOutcome, unavailable } from '../errors.ts'
import { type Answers, createPeer, NoAnswer, type Peer } from './peer.ts'

export type Coordinator = ReturnType<typeof connectToCoordinator>

/** A killed coordinator is replaced within a second or two. */
const PATIENCE_MS = 10_000
const CONNECT_AGAIN_MS = 50
/** A write takes at most fifteen seconds, then its outcome is unknown to the coordinator too. */
const CALL_MS = 20_000
/** After an answer that came too late, questions that can do without are not asked for this long. */
const PAUSE_MS = 1_000

/** The coordinator, as a serving process sees it. Connects again whenever the connection ends. */
export function connectToCoordinator(path: string) {
  const answers: Answers = new Map()
  const connected: (() => void)[] = []
  let peer: Peer | undefined
  let next = Promise.withResolvers<Peer>()
  let isStopped = false
  let pausedUntil = 0

  function open(): void {
    const socket = connect(path)
    socket.once('connect', () => {
      peer = createPeer(socket, answers)
      pausedUntil = 0
      next.resolve(peer)
      for (const notify of connected) notify()
    })
    socket.on('error', () => {}) // 'close' follows
    socket.once('close', async () => {
      if (peer) next = Promise.withResolvers<Peer>()
      peer = undefined
      await sleep(CONNECT_AGAIN_MS, undefined, { ref: false })
      if (!isStopped) open()
    })
  }

  const tooLate = Symbol()

  async function connection(): Promise<Peer> {
    const found = await Promise.race([next.promise, sleep(PATIENCE_MS, tooLate, { ref: false })])
    if (found === tooLate) throw unavailable('The process that writes scores is not running: retry the request', 1)
    return found
  }

  return {
    /** Whether it is connected, and answers in time. */
    isConnected: (): boolean => peer !== undefined && performance.now() >= pausedUntil,

    /** Resolves once it is connected. @throws 503 after ten seconds */
    async start(): Promise<void> {
      open()
      await connection()
    },

    /** Waits for a coordinator that is being replaced. @throws what it throws; 503 if there is none; UnknownOutcome */
    async call<T>(name: string, ...args: unknown[]): Promise<T> {
      const asked = peer ?? (await connection())
      return asked.ask<T>(name, args, CALL_MS).catch((error: Error) => {
        if (!(error instanceof NoAnswer)) throw error
        throw new UnknownOutcome('The process that writes scores did not answer: send the request again', error)
      })
    },

    /** @returns undefined if there is no connection, or no answer in time */
    async askWithin<T>(ms: number, name: string, ...args: unknown[]): Promise<T | undefined> {
      if (performance.now() < pausedUntil) return undefined
      return peer?.ask<T>(name, args, ms).catch((error: Error) => {
        if (error instanceof NoAnswer) pausedUntil = performance.now() + PAUSE_MS
        return undefined
      })
    },

    /** Sends what may be lost. */
    notify: (name: string, ...args: unknown[]): void => peer?.notify(name, args),

    /** Sets what is done with an event, or the answer to a question. */
    answer: (name: string, answer: (...args: never[]) => unknown): void => void answers.set(name, answer),

    /** Called after every connection: events may have been lost before it. */
    whenConnected: (notify: () => void): void => void connected.push(notify),

    stop(): void {
      isStopped = true
      peer?.close()
    },
  }
}
