import type { Cairn } from '@cairn/sdk'
import { createStore } from '../../../shell/store.ts'
import { loadUploads, storeUploads } from './stored-uploads.ts'

export type Upload = {
  key: string
  name: string
  size: number
  sent: number
  state: 'waiting' | 'sending' | 'paused' | 'converting' | 'done' | 'failed'
  /** The URL of a resumable upload; small files have none. */
  address?: string
  /** After a reload this is missing until the user chooses the file again. */
  file?: File
  fileId?: number
  /** Why the upload failed or, for a finished upload, why the conversion failed. */
  error?: unknown
}

/** Number of parallel uploads. */
const MAX_PARALLEL = 2

/** The uploads of one user. They continue while the user visits other pages. @param present holds the current client, which changes with the session @param onSent called after each upload and conversion */
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
    /** Queues files. A file with the name and size of an unfinished upload resumes it. */
    add(files: File[]) {
      for (const file of files) {
        const pausedUpload = list
          .get()
          .find((one) => one.state === 'paused' && !one.file && one.name === file.name && one.size === file.size)
        if (pausedUpload) change(pausedUpload.key, { file, state: 'waiting' })
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
    /** Removes an upload from the list. The service discards unfinished data itself. */
    remove(key: string) {
      running.get(key)?.abort()
      list.set(list.get().filter((one) => one.key !== key))
      keep()
    },
  }
}

export type UploadQueue = ReturnType<typeof createUploadQueue>
