import { keepProcesses, ProcessesClosed } from '../apart/kept-processes.ts'
import { whyEnded } from '../apart/work-process.ts'
import { badRequest, unavailable } from '../errors.ts'
import { createTurns } from '../turns.ts'
import type { HeifPixels, HeifSize } from './libheif.ts'

export type HeifTask = { kind: 'measure' | 'decode'; mostPixels: number }
/** The pixels, when they were asked for, go beside it; their colours as base64. */
export type HeifAnswer = HeifSize | (Omit<HeifPixels, 'data' | 'icc'> & { icc: string | null }) | { reason: string }

type Options = {
  /** Seconds one image may take. */
  seconds?: number
  /** Milliseconds a process without work keeps its memory. */
  idleMs?: number
  /** What the process runs. */
  script?: URL
}

/** Images that wait for the process, on disk. */
const WAITING = 100

/** The pixels of the largest image, four bytes each, with some to spare. */
const MOST_BYTES = 256 * 2 ** 20

/** Pixels after which a process does not wait for the next image: the memory of a decoder only grows. */
const LARGE_BYTES = 64 * 2 ** 20

export type HeifReader = ReturnType<typeof createHeifReader>

/** Reads HEIC and HEIF in a process of its own, one at a time: an image that makes the decoder loop, fail or fill its memory ends that process alone. */
export function createHeifReader({
  seconds = 30,
  idleMs = 10_000,
  script = new URL('./heif-process.ts', import.meta.url),
}: Options = {}) {
  const inTurn = createTurns({
    free: 1,
    mostWaiting: WAITING,
    full: () => unavailable('Too many images are being read: try again', 5),
  })
  const processes = keepProcesses<HeifTask, HeifAnswer>(script, {
    heapMegabytes: 128,
    mostBytes: MOST_BYTES,
    idleMs,
  })

  const ask = async (task: HeifTask, load: () => Promise<Uint8Array>): Promise<HeifSize | HeifPixels> => {
    const image = await load()
    try {
      const process = await processes.take()
      const { head, bytes } = await process.ask(task, image, seconds)
      if (bytes.length > LARGE_BYTES) void process.end()
      else processes.giveBack(process)
      if ('reason' in head) throw badRequest(`The image cannot be read: ${head.reason}`)
      if (!('icc' in head)) return head
      return { ...head, icc: head.icc === null ? undefined : Buffer.from(head.icc, 'base64'), data: bytes }
    } catch (error) {
      if (error instanceof ProcessesClosed) throw unavailable('The service is stopping: try again', 5)
      const why = whyEnded(error)
      if (why === undefined) throw error
      if (why === 'killed')
        throw Object.assign(unavailable('What reads images was ended from outside: send this again', 5), {
          cause: error,
        })
      if (why !== 'late') throw spoilt()
      throw unavailable(`The image took longer than ${seconds} s to read: try again, or send a simpler one`, 30)
    }
  }

  return {
    /** @param load gives the bytes when it is their turn; @returns the size as it is seen, by the headers. @throws 400 */
    measure: (load: () => Promise<Uint8Array>, sender?: string): Promise<HeifSize> =>
      inTurn(1, () => ask({ kind: 'measure', mostPixels: 0 }, load), sender),

    /** @param use is given the pixels; until it ends the next image waits, so that one is in memory. @throws 400; 503 when it takes too long or too many wait. */
    decode: <T>(
      load: () => Promise<Uint8Array>,
      mostPixels: number,
      use: (pixels: HeifPixels) => Promise<T>,
      sender?: string,
    ): Promise<T> =>
      inTurn(1, async () => use((await ask({ kind: 'decode', mostPixels }, load)) as HeifPixels), sender),

    /** Ends the process, and reads no more. */
    close: processes.close,
  }
}

const spoilt = () => badRequest('The image cannot be read: it is damaged, or needs more memory than one image may take')
