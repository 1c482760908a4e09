import type { Writer } from '../../platform/credentials/callers.ts'
import { actorOf, assertMayChange } from '../../platform/credentials/guards.ts'
import { badRequest, invalid } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import { pathOf } from '../../platform/storage/own-urls.ts'
import { PENDING } from './checks/check-result.ts'
import type { KeptFile, PhotoReceiver, Waiting } from './photo-receiver.ts'
import type { PhotoPresenters } from './presenters.ts'
import { MAX_OF_GCP, type PhotosKept, type PhotosTexts, type UploadedFile } from './schema.ts'
import type { PhotoStore, Within } from './store.ts'

/** Creates the record of a file. */
export type InsertFile = (transaction: Within, file: KeptFile & { id: number; userId: string | null }) => Promise<void>

type Deps = {
  store: PhotoStore
  intake: PhotoReceiver
  insert: InsertFile
  userExists: (id: string) => Promise<boolean>
  presenters: PhotoPresenters
  /** Requests the checks of new photos, in the transaction that adds them. */
  requestChecks: (trx: Within, photos: { id: number; userId: string | null }[]) => Promise<void>
  /** Starts them at once, after the commit. */
  wakeChecks: () => void
  newFileId: () => number
}

export type PhotoService = ReturnType<typeof photoService>

export function photoService({
  store,
  intake,
  insert,
  userExists,
  presenters,
  requestChecks,
  wakeChecks,
  newFileId,
}: Deps) {
  const { shown, file } = presenters

  const unknownGcp = (gcpId: number) =>
    invalid([{ code: 'custom', message: `there is no GCP ${gcpId}`, path: ['gcpId'] }])

  const ofGcps = async (gcpIds: number[]): Promise<Map<number, UploadedFile[]>> => {
    const photos = (await store.ofGcps(gcpIds)).map(shown)
    return Map.groupBy(photos, ({ gcpId }) => gcpId!)
  }

  /** @throws 400, 403 */
  const senderOf = async (writer: Writer, userId: string | undefined) => {
    const sender = actorOf(writer, userId)
    if (sender !== null && sender !== writer.id && !(isId(sender) && (await userExists(sender))))
      throw invalid([{ code: 'custom', message: 'there is no such user', path: ['userId'] }])
    return sender
  }

  return {
    ofGcps,

    /** The uploaded photos of a GCP, all or those of one user. @throws 400 for an unknown GCP */
    async ofGcp(gcpId: number, userId: string | undefined): Promise<UploadedFile[]> {
      if (!(await store.gcpExists(gcpId))) throw unknownGcp(gcpId)
      const photos = (await ofGcps([gcpId])).get(gcpId) ?? []
      return photos.filter((photo) => userId === undefined || photo.userId === userId)
    },

    /**
     * Stores photos unchanged, all or none, and adds them to the GCP, if given, in the same transaction. @throws 400
     * also if the GCP is unknown or would have too many photos; 403
     */
    async keep(writer: Writer, { gcpId, userId }: PhotosTexts, waiting: Waiting[]): Promise<PhotosKept> {
      const sender = await senderOf(writer, userId)
      const files = await intake.keep(waiting, async (kept) => {
        const records = kept.map((file) => ({ ...file, id: newFileId(), userId: sender }))
        const ids = records.map(({ id }) => id)
        return store.transaction(async (trx) => {
          if (gcpId !== undefined) {
            const gcp = await store.lockGcp(trx, gcpId)
            if (!gcp) throw unknownGcp(gcpId)
            assertMayChange(writer, gcp.owners, 'GCP')
            assertPhotoCount(gcp.count + records.length)
          }
          for (const record of records) await insert(trx, record)
          await store.markSent(trx, ids, { given: gcpId !== undefined })
          await requestChecks(trx, records)
          if (gcpId !== undefined)
            await store.show(
              trx,
              gcpId,
              records.map(({ key }) => pathOf(key)),
            )
          const rows = await store.hold(trx, ids)
          return ids.map((id) => ({ ...file(rows.get(id)!, gcpId ?? null), ...PENDING }))
        })
      })
      wakeChecks()
      return {
        status: 'success',
        message: files.length === 1 ? '1 photo stored.' : `${files.length} photos stored.`,
        files,
      }
    },

    /**
     * Makes photos of files uploaded before, in the transaction that adds them: those of the user, and those uploaded
     * without a session. @returns their URLs, as stored @throws 400
     */
    async claim(trx: Within, userId: string | null, fileIds: number[]): Promise<string[]> {
      if (fileIds.length === 0) return []
      const files = await store.hold(trx, fileIds)
      const hidden = new Set(await store.private(trx, fileIds))
      const urls = fileIds.map((id, at) => {
        const file = files.get(id)
        const path = ['uploadedFileIds', at]
        if (!file || (file.userId !== null && file.userId !== userId))
          throw invalid([{ code: 'custom', message: `you have no uploaded photo ${id}`, path }])
        if (hidden.has(id))
          throw invalid([
            { code: 'custom', message: `the photo ${id} belongs to a private scan: make the scan public first`, path },
          ])
        if (!file.mimeType.startsWith('image/'))
          throw invalid([{ code: 'custom', message: `the file ${id} is not an image but ${file.mimeType}`, path }])
        return pathOf(file.key)
      })
      await store.markClaimed(trx, fileIds)
      await requestChecks(trx, [...files.values()])
      return urls
    },
  }
}

/** @throws 400 */
function assertPhotoCount(photos: number) {
  if (photos > MAX_OF_GCP)
    throw badRequest(
      `A GCP can have at most ${MAX_OF_GCP} photos; with these it would have ${photos}. Remove some first`,
    )
}
