import type { Writer } from '../../../platform/credentials/callers.ts'
import { assertMayChange } from '../../../platform/credentials/guards.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { publishChecked } from '../checks/publish-checked.ts'
import type { Corners, UploadedFile } from '../schema.ts'
import type { PhotoRow, PhotoStore, Within } from '../store.ts'
import type { CornerStore } from './corner-store.ts'
import { inHundredths, problemOf } from './quadrilateral.ts'

type Deps = { store: PhotoStore; corners: CornerStore; shown: (row: PhotoRow) => UploadedFile }
/** A photo before and after a change. */
export type PhotoChange = { before: UploadedFile; after: UploadedFile }

export type CornerService = ReturnType<typeof cornerService>

/** Corners of the tag of a GCP in its photos, placed by hand where the detector failed. */
export function cornerService({ store, corners, shown }: Deps) {
  /** Changes the corners in a photo that the writer may change, and publishes what it shows then. @throws 403, 404 */
  const change = (
    writer: Writer,
    gcpId: number,
    photoId: number,
    write: (trx: Within, row: PhotoRow) => Promise<void>,
  ) =>
    store.transaction(async (trx): Promise<PhotoChange> => {
      const gcp = await store.lockGcp(trx, gcpId)
      if (!gcp) throw notFound('GCP')
      assertMayChange(writer, gcp.owners, 'GCP')
      // The photo cannot be deleted meanwhile.
      await store.hold(trx, [photoId])
      const read = async () => (await store.ofGcps([gcpId], trx)).find(({ id }) => id === photoId)
      const row = await read()
      if (!row) throw notFound('Photo')
      await write(trx, row)
      const [before, after] = [shown(row), shown((await read())!)]
      if (JSON.stringify(before) !== JSON.stringify(after)) await publishChecked(trx, after)
      return { before, after }
    })

  return {
    /** @throws 400, 403, 404, 409 if the photo is not read or the GCP has no tag */
    place: (writer: Writer, gcpId: number, photoId: number, placed: Corners) =>
      change(writer, gcpId, photoId, async (trx, { check, aprilTagId }) => {
        if (aprilTagId === null) throw conflict('The GCP has no tag: set its aprilTagId first')
        if (check?.state === 'unreadable') throw conflict('The photo cannot be read: upload it again')
        if (check?.state !== 'read') throw conflict('The photo is being checked: try again in a few seconds')
        const [a, b, c, d] = placed
        const rounded: Corners = [inHundredths(a), inHundredths(b), inHundredths(c), inHundredths(d)]
        const message = problemOf(rounded, { width: check.width!, height: check.height! })
        if (message) throw invalid([{ code: 'custom', message, path: ['corners'] }])
        await corners.set(trx, { gcpId, photoId }, { aprilTagId, corners: rounded }, writer.id)
      }),

    /** @throws 403, 404 also if none were placed */
    remove: (writer: Writer, gcpId: number, photoId: number) =>
      change(writer, gcpId, photoId, async (trx, { placed }) => {
        if (!placed) throw notFound('Corners')
        await corners.remove(trx, { gcpId, photoId })
      }),
  }
}
