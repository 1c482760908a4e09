import { runTaskLoop } from '../sandbox/task-loop.ts'
import { ImageFault, loadImageDecoders, readHeader, resize } from './image-operations.ts'
import { type ImageAnswer, type ImageTask, PIECE_BYTES } from './image-tasks.ts'

type Answer = { head: ImageAnswer; bytes?: Uint8Array }

/**
 * Runs in a process of `createImageReader`. Any error but an ImageFault ends the process, which fails this image only.
 */
let image: Uint8Array = new Uint8Array()
let made: Uint8Array = new Uint8Array()

/** Takes the received bytes, which are released as soon as they are read. */
function taken(): Uint8Array {
  const bytes = image
  image = new Uint8Array()
  return bytes
}

function take(at: number, size: number, piece: Uint8Array): void {
  if (at === 0) image = piece.length === size ? piece : new Uint8Array(size)
  if (image !== piece) image.set(piece, at)
}

function pieceOf(at: number): Uint8Array {
  const piece = made.subarray(at, at + PIECE_BYTES)
  if (at + piece.length === made.length) made = new Uint8Array()
  return piece
}

async function answer(task: ImageTask, bytes: Uint8Array): Promise<Answer> {
  if (task.kind === 'more') return { head: { kind: 'more' }, bytes: pieceOf(task.at) }
  take(task.at, task.size, bytes)
  if (task.kind === 'piece') return { head: { kind: 'taken' } }
  if (task.kind === 'measure') return { head: { kind: 'measured', ...(await readHeader(taken(), task.reading)) } }
  made = await resize(taken(), task.reading, task.making)
  return { head: { kind: 'made', size: made.length }, bytes: pieceOf(0) }
}

await runTaskLoop(
  (task: ImageTask, bytes): Promise<Answer> =>
    answer(task, bytes).catch((error) => {
      if (error instanceof ImageFault) return { head: { kind: 'refused', reason: error.message } }
      throw error
    }),
  { load: loadImageDecoders },
)
