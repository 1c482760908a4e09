import type { Clock } from '../../../platform/database/clock.ts'
import { inBatches } from '../../../platform/database/query/batches.ts'
import { badRequest, conflict, forbidden, HttpError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { newKey, ObjectExists, type Objects } from '../../../platform/storage/objects.ts'
import { displayName } from '../../../platform/storage/types/file-names.ts'
import { PEEK_BYTES, typeOfKey } from '../../../platform/storage/types/file-types.ts'
import { firstBytes } from '../../../platform/storage/types/first-bytes.ts'
import { readObjectInfo } from '../../../platform/storage/types/read-object-info.ts'
import type { NewFile, UploadResult } from '../../files/schema.ts'
import type { PresignAnswer, PresignBody, Reservation } from '../schema.ts'
import { announcedType, contentFault } from './announced-type.ts'
import type { InTransaction, ReservationStore } from './reservation-store.ts'

/** Validity of an upload URL. */
const ADDRESS_SECONDS = 15 * 60
/** How long after that a file may still be arriving, or wait for its first use. */
const GRACE_SECONDS = 60 * 60
const BATCH = 100

type Grant = { method: 'PUT'; key: string; expires: number; type: string; size: number }
export type SignedPut = Omit<Grant, 'method'> & { signature: string }

type Deps = {
  store: ReservationStore
  objects: Objects
  addresses: SignsPuts
  files: FilesKept
  newFileId: () => number
  maxBytes: number
  clock: Clock
  log: Log
}

export type SignsPuts = { sign: (grant: Grant) => string; isGood: (grant: Grant, signature: string) => boolean }

/** What uploads need of the files module. */
export type FilesKept = {
  find: (key: string) => Promise<NewFile | undefined>
  insert: (transaction: InTransaction, file: NewFile) => Promise<void>
  result: (file: NewFile) => UploadResult
}

export type PresignedService = ReturnType<typeof presignedService>

/** Files that are announced and then PUT to a signed URL. */
export function presignedService({ store, objects, addresses, files, newFileId, maxBytes, clock, log }: Deps) {
  const finishing = new Map<string, Promise<NewFile | undefined>>()

  /**
   * Creates the record. @returns the file; undefined, without storing anything, if the reservation was deleted
   * meanwhile
   */
  const keep = async (reservation: Reservation, { size, sha256 }: { size: number; sha256: string }) => {
    const { id, key, fileName, userId } = reservation
    const file: NewFile = { id, key, fileName, mimeType: typeOfKey(key).mimeType, size, sha256, userId }
    if (await store.settle(id, (transaction) => files.insert(transaction, file))) return file
    const kept = await files.find(key)
    if (!kept) await objects.remove(key)
    return kept
  }

  const judge = async ({ key, fileName, size, isExact }: Reservation, found: { size: number; head: Buffer }) => {
    if (found.size === 0) return 'The file is empty'
    if (found.size > size || (isExact && found.size !== size))
      return `The file was announced with ${isExact ? '' : 'at most '}${size} bytes, but has ${found.size}`
    return contentFault(typeOfKey(key), found.head, fileName)
  }

  /**
   * Checks the object of a reservation, if it exists. @throws 400 if it is not what was announced; then it is removed
   */
  const check = async (reservation: Reservation): Promise<NewFile | undefined> => {
    const found = await readObjectInfo(objects, reservation.key)
    if (!found) return undefined
    const fault = await judge(reservation, found)
    if (!fault) return keep(reservation, found)
    await objects.remove(reservation.key)
    throw badRequest(`${fault}. It was removed: upload it again`)
  }

  const finishReserved = (reservation: Reservation): Promise<NewFile | undefined> => {
    const { key } = reservation
    const running = finishing.get(key) ?? check(reservation).finally(() => finishing.delete(key))
    finishing.set(key, running)
    return running
  }

  const alreadyThere = () => conflict('This URL has already been used: get a new one for another file')

  return {
    /**
     * Returns a key, an ID and a URL to PUT the bytes to. @param countElsewhere counts bytes that will not pass through
     * the service @throws 413 for a file that is too large
     */
    async announce(
      announced: PresignBody,
      userId: string | null,
      countElsewhere: (size: number) => Promise<void>,
    ): Promise<PresignAnswer> {
      const { contentType, fileSize, direct } = announced
      if (fileSize !== undefined && fileSize > maxBytes)
        throw new HttpError(413, `The file is larger than ${maxBytes} bytes: upload it through /api/upload/tus`)
      const size = fileSize ?? maxBytes
      const fileName = displayName(announced.fileName)
      const key = newKey(announcedType(contentType, fileName).extension)
      const id = newFileId()
      const expires = Math.floor(clock.now() / 1000) + ADDRESS_SECONDS
      const elsewhere = direct
        ? await objects.directUpload?.(key, { seconds: ADDRESS_SECONDS, mimeType: contentType, size })
        : undefined
      if (elsewhere) await countElsewhere(size)
      await store.insert({ id, key, fileName, contentType, size, isExact: fileSize !== undefined, userId }, expires)
      return {
        uploadUrl: elsewhere?.url ?? addressOf({ key, expires, type: contentType, size }),
        key,
        url: objects.addressOf(key),
        fileId: id,
        headers: elsewhere?.headers ?? { 'content-type': contentType },
        expiresAt: new Date(expires * 1000).toISOString(),
      }
    },

    /**
     * Receives the bytes of an announced file. A refused or interrupted PUT stores nothing and can be sent again.
     * @throws 403 if the URL is not valid or has expired; 409 if the file exists; 400, 413 or 415 if it is not what was
     * announced
     */
    async put(
      { signature, ...grant }: SignedPut,
      sent: { contentType: string | undefined; size: number | undefined; bytes: AsyncIterable<Uint8Array> },
    ): Promise<UploadResult> {
      const { key } = grant
      if (!addresses.isGood({ method: 'PUT', ...grant }, signature))
        throw forbidden('This upload URL is not valid or has expired: get a new one from /api/upload/presigned')
      const reservation = await store.find({ key })
      if (!reservation || (await finishReserved(reservation))) throw alreadyThere()
      if (essence(sent.contentType) !== essence(reservation.contentType))
        throw new HttpError(415, `This URL accepts only ${reservation.contentType}: send it as Content-Type`)
      refuseSize(reservation, sent.size)

      const { head, all } = await firstBytes(sent.bytes, PEEK_BYTES)
      if (head.length === 0) throw badRequest('The file is empty: send its bytes as the body of the PUT')
      const fault = await contentFault(typeOfKey(key), head, reservation.fileName)
      if (fault) throw badRequest(fault)
      const stored = await objects.put(exactly(all, reservation), { key }).catch((error: unknown) => {
        throw error instanceof ObjectExists ? alreadyThere() : error
      })
      const file = await keep(reservation, stored)
      if (!file) throw conflict('This upload has expired: announce the file again')
      return files.result(file)
    },

    /**
     * Creates the record of an announced file whose object exists: one that was PUT to the storage directly, or whose
     * process was killed. Call it wherever a file is looked up and not found. @throws 400 if it is not what was
     * announced; then it is removed
     */
    async finish(where: { key: string } | { id: number }): Promise<NewFile | undefined> {
      const reservation = await store.find(where)
      return reservation && finishReserved(reservation)
    },

    /**
     * Checks files that were never used, and deletes reservations whose file never came. @throws 503 while the storage
     * is unavailable; the rest is retried next time
     */
    async sweep(): Promise<void> {
      await inBatches(BATCH, async () => {
        const ended = await store.ended(GRACE_SECONDS, BATCH)
        for (const reservation of ended) {
          await finishReserved(reservation).catch((error: unknown) => {
            // While the storage is unavailable, nothing is known about the object: retry later.
            if (!(error instanceof HttpError) || error.status >= 500) throw error
            log.info({ key: reservation.key }, error.message)
          })
          await store.remove(reservation.id)
        }
        return ended.length
      })
    },
  }

  function addressOf(grant: Omit<Grant, 'method'>): string {
    const signature = addresses.sign({ method: 'PUT', ...grant })
    const { expires, type, size } = grant
    const query = new URLSearchParams({ expires: String(expires), type, size: String(size), signature })
    return `${objects.addressOf(grant.key)}?${query}`
  }
}

/** The media type without its parameters: browsers add a charset by themselves. */
const essence = (contentType: string | undefined) => contentType?.replace(/;.*/s, '').trim().toLowerCase()

/** @param sent bytes, from Content-Length @throws 413, 400 */
function refuseSize({ size, isExact }: Reservation, sent: number | undefined) {
  if (sent !== undefined && sent > size) throw new HttpError(413, `This URL accepts at most ${size} bytes`)
  if (isExact && sent !== undefined && sent !== size)
    throw badRequest(`This URL accepts exactly ${size} bytes, as announced; the request has ${sent}`)
}

/** @throws if there are more bytes than announced or, for an exact size, fewer */
async function* exactly(bytes: AsyncIterable<Uint8Array>, reservation: Reservation) {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > reservation.size) refuseSize(reservation, size)
    yield chunk
  }
  refuseSize(reservation, size)
}
