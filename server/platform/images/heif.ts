import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { badRequest, unavailable } from '../errors.ts'
import { createTurns } from '../turns.ts'
import type { HeifPixels, HeifSize } from './libheif.ts'

export type HeifTask = { kind: 'measure' | 'decode'; bytes: Uint8Array; mostPixels: number }
export type HeifAnswer = HeifSize | HeifPixels | { fault: string }

type Options = {
  /** Seconds one image may take. */
  seconds?: number
  /** Milliseconds a thread without work keeps its memory. */
  idleMs?: number
  /** The script of the thread. */
  thread?: URL
}

/** Images that wait for the thread, on disk. */
const WAITING = 100

/** Pixels after which a thread does not wait for the next image: the memory of a decoder only grows. */
const LARGE_BYTES = 64 * 2 ** 20

export type HeifReader = ReturnType<typeof createHeifReader>

/** Reads HEIC and HEIF in a thread of its own, one at a time: an image that makes the decoder loop, fail or fill its memory ends that thread alone. */
export function createHeifReader({
  seconds = 30,
  idleMs = 10_000,
  thread = new URL('./heif-thread.ts', import.meta.url),
}: Options = {}) {
  const inTurn = createTurns({
    free: 1,
    mostWaiting: WAITING,
    full: () => unavailable('Too many images are being read: try again', 5),
  })
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  const end = () => {
    clearTimeout(idle)
    const ended = worker?.terminate()
    worker = undefined
    return ended
  }

  const start = () => {
    const started = new Worker(thread, { resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 8 } })
    started.on('error', () => {})
    started.once('exit', () => {
      if (worker === started) worker = undefined
    })
    return started
  }

  const ask = async (task: HeifTask): Promise<Exclude<HeifAnswer, { fault: string }>> => {
    clearTimeout(idle)
    worker ??= start()
    try {
      const answer = await answerOf(worker, task, seconds)
      if ('data' in answer && answer.data.length > LARGE_BYTES) void end()
      if (!('fault' in answer)) return answer
      throw badRequest(`The image cannot be read: ${answer.fault}`)
    } catch (error) {
      // A thread that answered is sound; one that did not has to go.
      if (error instanceof ThreadEnded) {
        worker?.unref()
        void end()
      }
      throw error instanceof ThreadEnded ? error.answer : error
    } finally {
      idle = setTimeout(end, idleMs).unref()
    }
  }

  return {
    /** @param load gives the bytes when it is their turn; their buffer goes to the thread. @returns the size as it is seen, by the headers. @throws 400 */
    measure: (load: () => Promise<Uint8Array>, sender?: string): Promise<HeifSize> =>
      inTurn(1, async () => ask({ kind: 'measure', bytes: await load(), mostPixels: 0 }), sender),

    /** @param use is given the pixels; until it ends the next image waits, so that one is in memory. @throws 400; 503 when it takes too long or too many wait. */
    decode: <T>(
      load: () => Promise<Uint8Array>,
      mostPixels: number,
      use: (pixels: HeifPixels) => Promise<T>,
      sender?: string,
    ): Promise<T> =>
      inTurn(
        1,
        async () => use((await ask({ kind: 'decode', bytes: await load(), mostPixels })) as HeifPixels),
        sender,
      ),

    /** Ends the thread. One that does not end is left behind. */
    close: async () => {
      await Promise.race([end(), sleep(2000, undefined, { ref: false })])
    },
  }
}

/** The thread is of no more use; `answer` is for whoever asked. */
class ThreadEnded extends Error {
  readonly answer: Error

  constructor(answer: Error) {
    super()
    this.answer = answer
  }
}

const spoilt = badRequest('The image cannot be read: it is damaged, or needs more memory than one image may take')

function answerOf(worker: Worker, task: HeifTask, seconds: number): Promise<HeifAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
      how()
    }
    const onMessage = (answer: HeifAnswer) => settle(() => resolve(answer))
    const onEnd = () => settle(() => reject(new ThreadEnded(spoilt)))
    const late = () =>
      unavailable(`The image took longer than ${seconds} s to read: try again, or send a simpler one`, 30)
    const timer = setTimeout(() => settle(() => reject(new ThreadEnded(late()))), seconds * 1000)
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
    worker.postMessage(task, [task.bytes.buffer as ArrayBuffer])
  })
}
