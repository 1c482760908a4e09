import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { dropRoot } from './drop-root.ts'
import { readFrames, writeFrame } from './frames.ts'
import { READY } from './worker-process.ts'

type Answer<Head> = { head: Head; bytes?: Uint8Array | undefined }

/**
 * The other side of `startWorkerProcess`: answers one task after the other for as long as there is somebody to ask. What
 * `answer` throws is told and ends the process.
 * @param loadAhead loads what `answer` would load at its first use. It is called only in a process that gives up root
 * before its first task: nothing of the project may be readable for it afterwards
 */
export async function runTaskLoop<Task, Head extends object>(
  answer: (task: Task, bytes: Uint8Array<ArrayBuffer>) => Answer<Head> | Promise<Answer<Head>>,
  loadAhead: () => Promise<unknown>,
): Promise<void> {
  endWithParent()
  const socket = new Socket({ fd: 3, readable: true, writable: true })
  socket.on('error', () => process.exit(1))
  try {
    await dropRoot(loadAhead)
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

/** A task that does not end would not see that nobody waits for it any more: a thread looks every second. */
function endWithParent(): void {
  const look = `const parent = ${process.ppid}
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)`
  new Worker(look, { eval: true }).unref()
}
