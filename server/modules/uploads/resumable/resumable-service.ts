import { singleFlight } from '../../../platform/concurrency/coalesce.ts'
import { inBatches } from '../../../platform/database/query/batches.ts'
import { badRequest, HttpError, notFound, unavailable } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { newKey, ObjectExists, type Objects, type StoredObject } from '../../../platform/storage/objects.ts'
import { displayName } from '../../../platform/storage/types/file-names.ts'
import { detectType, PEEK_BYTES, typeOfKey } from '../../../platform/storage/types/file-types.ts'
import { readObjectInfo } from '../../../platform/storage/types/read-object-info.ts'
import type { NewFile } from '../../files/schema.ts'
import type { FilesKept } from '../presigned/presigned-service.ts'
import type { Metadata, Resumable, ResumableState } from '../schema.ts'
import type { ResumableStore } from './resumable-store.ts'
import { isUploadId, type SpoolFolder } from './spool-folder.ts'

/** How long an upload may take from its beginning, and how long it is remembered after its end. */
export const LIFETIME_SECONDS = 24 * 60 * 60
/** A file that no upload knows was left by one that is gone, unless it was only just made. */
const STRAY_SECONDS = 60 * 60
const BATCH = 100

export type UploadCaller = { userId: string | null; appId: string | null }

/** Whether somebody may see a file. */
export type MaySee = (key: string, viewer: { id: string; roles: string[] } | undefined) => Promise<boolean>

type Deps = {
  store: ResumableStore
  spool: SpoolFolder
  objects: Objects
  files: Pick<FilesKept, 'find' | 'insert' | 'result'>
  maySee: MaySee
  newFileId: () => number
  /** Bytes that the disk of the spool has left for uploads. */
  room: () => Promise<number>
  log: Log
}

export type ResumableService = ReturnType<typeof resumableService>

/** What becomes of uploads that arrive in pieces. */
export function resumableService({ store, spool, objects, files, maySee, newFileId, room, log }: Deps) {
  const share = singleFlight<NewFile | undefined>()

  /** Moves what has arrived into the storage. Whoever broke off before may have done so already. */
  const move = async (id: string, key: string): Promise<StoredObject> => {
    try {
      return await objects.put(spool.read(id), { key })
    } catch (error) {
      const there = error instanceof ObjectExists ? await readObjectInfo(objects, key) : undefined
      if (!there) throw error
      return there
    }
  }

  const finishOnce = async (id: string): Promise<NewFile | undefined> => {
    const upload = await store.get(id)
    if (!upload) return undefined
    if (upload.finishedAt) {
      await spool.remove(id)
      return files.find(upload.key!)
    }
    const arrived = await spool.size(id)
    if (arrived === undefined || arrived !== upload.size) return undefined
    const fileName = nameIn(upload.metadata)
    const type = await detectType(await spool.head(id, PEEK_BYTES), fileName)
    const place = await store.place(id, newFileId(), newKey(type.extension))
    if (!place) return undefined
    const { key, fileId } = place
    const { size, sha256 } = await move(id, key)
    const file = { id: fileId, key, fileName, mimeType: typeOfKey(key).mimeType, size, sha256, userId: upload.userId }
    const isOurs = await store.settle(id, (transaction) => files.insert(transaction, file))
    await spool.remove(id)
    if (isOurs) return file
    const other = await files.find(key)
    if (!other) await objects.remove(key)
    return other
  }

  /** Another process may have been faster, and removed the bytes. */
  const finishHere = async (id: string): Promise<NewFile | undefined> => {
    try {
      return await finishOnce(id)
    } catch (error) {
      const now = await store.get(id)
      if (!now?.finishedAt) throw error
      return files.find(now.key!)
    }
  }

  /** Makes the file of an upload that has arrived whole. Safe to ask again, and at once from several places. @returns undefined while it is not whole */
  const finish = (id: string): Promise<NewFile | undefined> => share(id, () => finishHere(id))

  const remove = async ({ id, key, finishedAt }: Resumable) => {
    if (key && !finishedAt) await objects.remove(key)
    await spool.remove(id)
    await store.remove(id)
  }

  return {
    finish,

    /** @throws 404 for an upload that is not there, or was begun by somebody else: with a session, only that user goes on; with an app key alone, only that app. 503 where its bytes are in the folder of another machine */
    async find(id: string, caller: UploadCaller): Promise<Resumable> {
      const upload = isUploadId(id) ? await store.get(id) : undefined
      if (!upload || !mayGoOn(upload, caller)) throw notFound('Upload')
      const isElsewhere = upload.folder !== null && !upload.finishedAt && upload.folder !== (await spool.name())
      if (isElsewhere) throw bytesElsewhere()
      // What was sent without a session may have become a private scan since.
      const viewer = caller.userId === null ? undefined : { id: caller.userId, roles: [] }
      if (upload.key && !(await maySee(upload.key, viewer))) throw notFound('Upload')
      return upload
    },

    /** @throws 400 for what cannot become a file, 507 for more than there is room for */
    async begin(id: string, { size, metadata }: Pick<Resumable, 'size' | 'metadata'>, caller: UploadCaller) {
      if (size === 0) throw emptyFile()
      if (Object.values(metadata ?? {}).some((value) => value?.includes('\0')))
        throw badRequest('Upload-Metadata must be Unicode text without NUL')
      if ((size ?? 0) > (await room()))
        throw new HttpError(507, 'The service has no room for a file of this length', { 'retry-after': '300' })
      await store.insert({ id, size, metadata, ...caller })
    },

    /** Says how long it will be, where that was not known. @throws 400 */
    async setSize(id: string, size: number): Promise<void> {
      if (size === 0) throw emptyFile()
      await store.setSize(id, size)
    },

    /** How far it is. */
    async state(upload: Resumable): Promise<ResumableState> {
      const file = await finish(upload.id)
      const now = (await store.get(upload.id)) ?? upload
      const uploadOffset = now.finishedAt ? now.size! : ((await spool.size(upload.id)) ?? 0)
      return {
        id: now.id,
        status: now.finishedAt ? 'finished' : 'uploading',
        uploadOffset,
        uploadLength: now.size,
        fileName: nameIn(now.metadata),
        expiresAt: new Date(Date.parse(now.finishedAt ?? now.createdAt) + LIFETIME_SECONDS * 1000).toISOString(),
        result: file ? files.result(file) : null,
      }
    },

    /** Forgets uploads that took too long or ended a while ago, and the bytes of those that are gone. */
    async sweep(): Promise<void> {
      await inBatches(BATCH, async () => {
        const old = await store.old(LIFETIME_SECONDS, BATCH)
        for (const upload of old) {
          const isDone = upload.finishedAt !== null || (await finish(upload.id).catch(toldTo(log))) !== undefined
          await remove({ ...upload, finishedAt: isDone ? 'by now' : null })
        }
        return old.length
      })
      const strays = await spool.old(STRAY_SECONDS)
      for (let at = 0; at < strays.length; at += BATCH) {
        const some = strays.slice(at, at + BATCH)
        const known = await store.known(some)
        for (const id of some) if (!known.has(id)) await spool.remove(id)
      }
    },
  }
}

/** Several machines with a folder each, and nothing that leads the requests of one upload to the same. */
export const bytesElsewhere = () =>
  unavailable('The bytes of this upload are on another machine of this service: try again', 1)

const emptyFile = () => badRequest('The file is empty: Upload-Length must be at least 1')

const mayGoOn = ({ userId, appId }: Resumable, caller: UploadCaller) =>
  userId !== null ? caller.userId === userId : appId === null || caller.appId === appId

/** Clients of tus call the name `filename` or `name`. */
const nameIn = (metadata: Metadata | null) => displayName(metadata?.filename ?? metadata?.name ?? undefined)

/** What is wrong with an upload is told and ends it; a storage that is away does not. */
const toldTo = (log: Log) => (error: unknown) => {
  if (!(error instanceof HttpError) || error.status === 503) throw error
  log.warn({ err: error }, 'an upload could not be finished')
  return undefined
}
