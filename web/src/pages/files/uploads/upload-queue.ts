import type { Cairn } from '@cairn/sdk'
import { createStore } from '../../../shell/store.ts'
import { loadUploads, storeUploads } from './stored-uploads.ts'

export type Upload = {
  key: string
  name: string
  size: number
  sent: number
  state: 'waiting' | 'sending' | 'paused' | 'converting' | 'done' | 'failed'
  /** Where it goes on; a small file goes in one piece and has none. */
  address?: string
  /** What is sent. After a reload nobody has it until it is chosen again. */
  file?: File
  fileId?: number
  /** Why it was not sent; of one that was: why there is no USDZ. */
  error?: unknown
}

/** Files sent at a time; the others wait. */
const MAX_PARALLEL = 2

/** The uploads of one person, which go on while other pages are looked at.
 * @param present the person's session as it is now: uploads outlive one @param onSent told after each one */
export function createUploadQueue(present: { cairn: Cairn }, userId: string, onSent: () => void) {
  let count = 0
  const kept = loadUploads(userId).map((one): Upload => ({ ...one, key: `kept-${++count}`, state: 'paused' }))
  const list = createStore<Upload[]>(kept)
  const running = new Map<string, AbortController>()

  const find = (key: string) => list.get().find((one) => one.key === key)
  const keep = () =>
    storeUploads(
      userId,
      list.get().flatMap(({ name, size, sent, address }) => (address ? [{ name, size, sent, address }] : [])),
    )
  const change = (key: string, change: Partial<Upload>) => {
    list.set(list.get().map((one) => (one.key === key ? { ...one, ...change } : one)))
    keep()
  }

  const send = async (key: string, file: File) => {
    const left = new AbortController()
    running.set(key, left)
    change(key, { state: 'sending', error: undefined })
    try {
      const { fileId } = await present.cairn.files.upload(file, {
        resume: find(key)?.address ?? null,
        signal: left.signal,
        onBegun: (address) => change(key, { address }),
        onProgress: ({ sent }) => change(key, { sent }),
      })
      const isModel = /\.glb$/i.test(file.name)
      change(key, { fileId, sent: file.size, address: undefined, state: isModel ? 'converting' : 'done' })
      onSent()
      if (isModel) void convert(key, fileId)
    } catch (error) {
      change(key, left.signal.aborted ? { state: 'paused' } : { state: 'failed', error })
    } finally {
      running.delete(key)
      next()
    }
  }

  const convert = async (key: string, fileId: number) => {
    const error = await present.cairn.files.convert(fileId).then(
      () => undefined,
      (error: unknown) => error,
    )
    change(key, { state: 'done', error })
    onSent()
  }

  const next = () => {
    const waiting = list.get().find(({ state, file }) => state === 'waiting' && file)
    if (!waiting?.file || running.size >= MAX_PARALLEL) return
    void send(waiting.key, waiting.file)
    next()
  }

  return {
    list,
    /** Sends files; one that was begun before, known by its name and size, goes on. */
    add(files: File[]) {
      for (const file of files) {
        const begun = list
          .get()
          .find((one) => one.state === 'paused' && !one.file && one.name === file.name && one.size === file.size)
        if (begun) change(begun.key, { file, state: 'waiting' })
        else
          list.set([
            { key: `new-${++count}`, name: file.name, size: file.size, sent: 0, state: 'waiting', file },
            ...list.get(),
          ])
      }
      next()
    },
    pause(key: string) {
      const left = running.get(key)
      if (left) left.abort()
      else change(key, { state: 'paused' })
    },
    resume(key: string) {
      change(key, { state: 'waiting' })
      next()
    },
    /** Takes it off the list; what was sent of it ends at the service by itself. */
    remove(key: string) {
      running.get(key)?.abort()
      list.set(list.get().filter((one) => one.key !== key))
      keep()
    },
  }
}

export type UploadQueue = ReturnType<typeof createUploadQueue>
