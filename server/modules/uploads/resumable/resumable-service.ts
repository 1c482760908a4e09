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

/** Lifetime of an upload, and how long it is remembered after its end. */
export const LIFETIME_SECONDS = 24 * 60 * 60
/** A spool file of no known upload is stray, unless it is this new. */
const STRAY_SECONDS = 60 * 60
const BATCH = 100

export type UploadCaller = { userId: string | null; appId: string | null }

/** Whether a user may see a file. */
export type MaySee = (key: string, viewer: { id: string; roles: string[] } | undefined) => Promise<boolean>

type Deps = {
  store: ResumableStore
  spool: SpoolFolder
  objects: Objects
  files: Pick<FilesKept, 'find' | 'insert' | 'result'>
  maySee: MaySee
  newFileId: () => number
  /** Bytes that uploads may still use on the spool's disk. */
  freeSpace: () => Promise<number>
  log: Log
}

export type ResumableService = ReturnType<typeof resumableService>

/** The lifecycle of resumable uploads. */
export function resumableService({ store, spool, objects, files, maySee, newFileId, freeSpace, log }: Deps) {
  const share = singleFlight<NewFile | undefined>()

  /** Moves the received bytes into the storage. An interrupted predecessor may have done so already. */
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

  /**
   * Creates the file of a complete upload. Idempotent and safe to call concurrently. @returns undefined while it is
   * incomplete
   */
  const finish = (id: string): Promise<NewFile | undefined> => share(id, () => finishHere(id))

  const remove = async ({ id, key, finishedAt }: Resumable) => {
    if (key && !finishedAt) await objects.remove(key)
    await spool.remove(id)
    await store.remove(id)
  }

  return {
    finish,

    /**
     * @throws 404 if the upload does not exist, or was created by another caller: an upload of a session continues only
     * with that user, one of an app key only with that app; 503 if its bytes are on another machine
     */
    async find(id: string, caller: UploadCaller): Promise<Resumable> {
      const upload = isUploadId(id) ? await store.get(id) : undefined
      if (!upload || !mayGoOn(upload, caller)) throw notFound('Upload')
      const isElsewhere = upload.folder !== null && !upload.finishedAt && upload.folder !== (await spool.name())
      if (isElsewhere) throw bytesElsewhere()
      // A file sent without a session may have become part of a private scan.
      const viewer = caller.userId === null ? undefined : { id: caller.userId, roles: [] }
      if (upload.key && !(await maySee(upload.key, viewer))) throw notFound('Upload')
      return upload
    },

    /** @throws 400 if it cannot become a file; 507 if there is not enough room */
    async begin(id: string, { size, metadata }: Pick<Resumable, 'size' | 'metadata'>, caller: UploadCaller) {
      if (size === 0) throw emptyFile()
      if (Object.values(metadata ?? {}).some((value) => value?.includes('\0')))
        throw badRequest('Upload-Metadata must be Unicode text without NUL')
      if ((size ?? 0) > (await freeSpace()))
        throw new HttpError(507, 'The service has no room for a file of this length', { 'retry-after': '300' })
      await store.insert({ id, size, metadata, ...caller })
    },

    /** Sets the length of an upload that had none. @throws 400 */
    async setSize(id: string, size: number): Promise<void> {
      if (size === 0) throw emptyFile()
      await store.setSize(id, size)
    },

    /** The state of an upload. */
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

    /** Deletes uploads that took too long or ended a while ago, and stray bytes. */
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

/** For several machines with a folder each, without affinity of an upload's requests. */
export const bytesElsewhere = () =>
  unavailable('The bytes of this upload are on another machine of this service: try again', 1)

const emptyFile = () => badRequest('The file is empty: Upload-Length must be at least 1')

const mayGoOn = ({ userId, appId }: Resumable, caller: UploadCaller) =>
  userId !== null ? caller.userId === userId : appId === null || caller.appId === appId

/** tus clients send the name as `filename` or `name`. */
const nameIn = (metadata: Metadata | null) => displayName(metadata?.filename ?? metadata?.name ?? undefined)

/** A fault of the upload itself is reported and ends it; unavailable storage does not. */
const toldTo = (log: Log) => (error: unknown) => {
  if (!(error instanceof HttpError) || error.status === 503) throw error
  log.warn({ err: error }, 'failed to finish an upload')
  return undefined
}
