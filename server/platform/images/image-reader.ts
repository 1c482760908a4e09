import { badRequest, unavailable } from '../errors.ts'
import { programFile } from '../process/project-files.ts'
import { createProcessPool, ProcessPoolClosed } from '../sandbox/process-pool.ts'
import { exitCause } from '../sandbox/worker-process.ts'
import {
  type ImageAnswer,
  type ImageHeader,
  type ImageTask,
  type Making,
  PIECE_BYTES,
  type Reading,
} from './image-tasks.ts'

/** An image as uploaded. */
export type ImageBytes = Reading & { bytes: AsyncIterable<Uint8Array>; size: number }

/** The time limit of an image, and whether its process ends with it, because a decoder's memory only grows. */
export type Effort = { seconds: number; isLarge?: boolean }

type Answer = { head: ImageAnswer; bytes: Uint8Array }
type Ask = (task: ImageTask, bytes?: Uint8Array) => Promise<Answer>
type AnswerOf<Kind> = Extract<ImageAnswer, { kind: Kind }>

type Options = {
  /** Milliseconds that an idle process keeps its memory. */
  idleMs?: number
  /** The script that the processes run. */
  script?: URL
}

const NOTHING = new Uint8Array()
/** Maximum size of an output: 50 million pixels of 8 bytes. A compromised process may claim anything. */
const MAX_MADE = 400 * 2 ** 20

export type ImageReader = ReturnType<typeof createImageReader>

/**
 * Reads images in sandboxed processes, which receive and return bytes in chunks: an image that makes a decoder loop,
 * fail, exhaust its memory or run foreign code affects that process only. The caller bounds how many are read at once.
 */
export function createImageReader({
  idleMs = 10_000,
  script = programFile('server/platform/images/image-process'),
}: Options = {}) {
  const processes = createProcessPool<ImageTask, ImageAnswer>(script, {
    heapMegabytes: 128,
    maxBytes: PIECE_BYTES,
    idleMs,
  })

  /** Sends a process the image, the last chunk with the task. @param use receives the answer, and can request more */
  async function withProcess<T>(
    { bytes, size }: ImageBytes,
    task: (place: { at: number; size: number }) => ImageTask,
    { seconds, isLarge = false }: Effort,
    use: (answer: Answer, ask: Ask) => Promise<T>,
  ): Promise<T> {
    return processes
      .run(async (process, keep) => {
        if (!isLarge) keep()
        const ask: Ask = async (asked, piece = NOTHING) => {
          const answer = await process.ask(asked, piece, seconds)
          if (answer.head.kind === 'refused') throw badRequest(`The image cannot be read: ${answer.head.reason}`)
          return answer
        }
        let at = 0
        let last: Uint8Array = NOTHING
        for await (const piece of bytes) {
          if (last.length > 0) await ask({ kind: 'piece', at, size }, last)
          at += last.length
          last = piece
        }
        return use(await ask(task({ at, size }), last), ask)
      })
      .catch((error) => meaning(error, seconds))
  }

  return {
    /** The header of an image. @throws 400; 503 if it takes too long */
    measure(image: ImageBytes, effort: Effort): Promise<ImageHeader> {
      const task = { kind: 'measure' as const, reading: readingOf(image) }
      return withProcess(
        image,
        (place) => ({ ...task, ...place }),
        effort,
        async ({ head }) => {
          const { width, height, frames, format } = head as AnswerOf<'measured'>
          return { width, height, frames, format }
        },
      )
    },

    /**
     * @param use receives the output bytes, while the process is reserved for it @throws 400; 503 if it takes too long
     */
    make<T>(
      image: ImageBytes,
      making: Making,
      effort: Effort,
      use: (made: AsyncIterable<Uint8Array>) => Promise<T>,
    ): Promise<T> {
      const task = { kind: 'make' as const, reading: readingOf(image), making }
      return withProcess(
        image,
        (place) => ({ ...task, ...place }),
        effort,
        ({ head, bytes }, ask) => use(piecesOf((head as AnswerOf<'made'>).size, bytes, ask)),
      )
    },

    /** Ends the processes; later calls fail. */
    close: processes.close,
  }
}

const readingOf = ({ format, isHevc, isAnimated }: ImageBytes): Reading => ({ format, isHevc, isAnimated })

/** @param first the chunk that came with the answer */
async function* piecesOf(size: number, first: Uint8Array, ask: Ask): AsyncGenerator<Uint8Array, void, undefined> {
  if (size > MAX_MADE) throw new Error(`an image of ${size} bytes was made: it is too large`)
  yield first
  for (let at = first.length; at < size; ) {
    const { bytes } = await ask({ kind: 'more', at })
    if (bytes.length === 0) throw new Error('an image that was made ends early')
    yield bytes
    at += bytes.length
  }
}

/** What the end of a process means for the sender of the image. */
function meaning(error: unknown, seconds: number): never {
  if (error instanceof ProcessPoolClosed) throw unavailable('The service is stopping: try again', 5)
  const why = exitCause(error)
  if (why === undefined) throw error
  if (why === 'late')
    throw unavailable(`The image took longer than ${seconds} s to read: try again, or send a simpler one`, 30)
  if (why !== 'killed' && why !== 'ended')
    throw badRequest('The image cannot be read: it is damaged, or needs more memory than one image may take')
  throw Object.assign(unavailable('The image reader was interrupted: send the request again', 5), { cause: error })
}
