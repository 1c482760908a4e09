import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import { badRequest, conflict, invalid, notFound } from '../../../platform/errors.ts'
import { ensureDir } from '../../../platform/storage/folder/ensure-dir.ts'
import { addArchive, archivesIn, removeArchives } from './add-archive.ts'
import { UnusableArchive } from './pmtiles.ts'

type Deps = {
  /** The bytes of an uploaded file of this user; undefined if there is none. */
  read: (fileId: number, userId: string) => Promise<Readable | undefined>
  /** The folder of archives. */
  folder: string
  /** CAIRN_BASEMAP, which has precedence over the folder. */
  configuredFile: string | undefined
  audit: AuditLog
}

export type UploadedArchives = ReturnType<typeof uploadedArchives>

/** Archives that ops upload. */
export function uploadedArchives({ read, folder, configuredFile, audit }: Deps) {
  const assertNotConfigured = () => {
    if (configuredFile) throw conflict('CAIRN_BASEMAP names the archive to draw: unset it, or replace that file')
  }
  return {
    /**
     * Copies an uploaded file into the folder of archives, in place of the archive before, with an audit entry. A file that
     * cannot be drawn changes nothing. @throws 400, 409
     */
    async replace(fileId: number, userId: string, actor: Actor): Promise<void> {
      assertNotConfigured()
      const bytes = await read(fileId, userId)
      if (!bytes) throw invalid([{ code: 'custom', message: `you have no uploaded file ${fileId}`, path: ['fileId'] }])
      ensureDir(folder)
      const own = await mkdtemp(join(folder, '.upload-'))
      try {
        const path = join(own, 'archive')
        await pipeline(bytes, createWriteStream(path))
        const { bytes: size } = await addArchive(path, folder)
        await audit.record([
          {
            ...actor,
            action: 'basemap.archive_replaced',
            subject: String(fileId),
            changes: { bytes: { from: null, to: size } },
          },
        ])
      } catch (error) {
        throw error instanceof UnusableArchive ? badRequest(`The file ${error.message}`) : error
      } finally {
        await rm(own, { recursive: true, force: true })
      }
    },

    /** Deletes the archives of the folder, with an audit entry. @throws 404, 409 */
    async remove(actor: Actor): Promise<void> {
      assertNotConfigured()
      if ((await archivesIn(folder)).length === 0) throw notFound('Archive of the basemap')
      // First, so that no archive is deleted without an entry.
      await audit.record([{ ...actor, action: 'basemap.archive_deleted', subject: 'basemap' }])
      await removeArchives(folder)
    },
  }
}
