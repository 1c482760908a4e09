import { Socket } from 'node:net'
import { dropRoot, type LoadedLater } from './drop-root.ts'
import { readFrames, writeFrame } from './frames.ts'
import { READY } from './worker-process.ts'

type Answer<Head> = { head: Head; bytes?: Uint8Array | undefined }

/**
 * The other side of `startWorkerProcess`: runs one task after the other while its parent exists. An error of `answer`
 * is reported and ends the process. @param later what `answer` would load on first use; a process that drops root loads
 * it before, unless its account may read it
 */
export async function runTaskLoop<Task, Head extends object>(
  answer: (task: Task, bytes: Uint8Array<ArrayBuffer>) => Answer<Head> | Promise<Answer<Head>>,
  later: LoadedLater,
): Promise<void> {
  const socket = new Socket({ fd: 3, readable: true, writable: true })
  socket.on('error', () => process.exit(1))
  try {
    await dropRoot(later)
    await writeFrame(socket, READY)
    for await (const { head, bytes } of readFrames<Task>(socket, 2 ** 32)) {
      const answered = await answer(head, bytes)
      await writeFrame(socket, answered.head, answered.bytes)
    }
  } catch (error) {
    await writeFrame(socket, { fault: error instanceof Error ? error.stack : String(error) })
    socket.end(() => process.exit(1))
    return
  }
  process.exit(0)
}
