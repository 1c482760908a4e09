import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { bytesElsewhere, LIFETIME_SECONDS, type ResumableService } from './resumable-service.ts'
import type { ResumableStore } from './resumable-store.ts'
import type { SpoolFolder } from './spool-folder.ts'

type Deps = {
  uploads: Pick<ResumableStore, 'get' | 'remove' | 'claimFolder'>
  spool: SpoolFolder
  service: Pick<ResumableService, 'setSize'>
  /** The bytes for as long as no other process can write. */
  whileHeld: (id: string, bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

/**
 * The data store of the tus library: records in the database, bytes in the spool. The offset is always what is on disk.
 */
export class TusSpool extends DataStore {
  readonly #parts: Deps

  constructor(parts: Deps) {
    super()
    this.#parts = parts
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration']
  }

  /** The record already exists: there are no bytes without one. */
  override async create(upload: Upload) {
    await this.#parts.spool.create(upload.id)
    return upload
  }

  override async write(bytes: Readable, id: string, offset: number) {
    const { uploads, spool, whileHeld } = this.#parts
    const upload = await uploads.get(id)
    if (upload?.finishedAt) return offset
    if (upload && !(await uploads.claimFolder(id, await spool.name()))) throw bytesElsewhere()
    return spool.append(id, offset, whileHeld(id, bytes))
  }

  override async getUpload(id: string) {
    const upload = await this.#parts.uploads.get(id)
    if (!upload) throw ERRORS.FILE_NOT_FOUND
    const { finishedAt, createdAt, metadata } = upload
    const size = upload.size ?? undefined
    // Before the first bytes arrive, no folder has a file.
    const none = upload.folder === null ? 0 : undefined
    const offset = finishedAt ? size : ((await this.#parts.spool.size(id)) ?? none)
    if (offset === undefined) throw ERRORS.FILE_NO_LONGER_EXISTS
    return new Upload({
      id,
      offset,
      creation_date: finishedAt ?? createdAt,
      ...(size === undefined ? {} : { size }),
      ...(metadata ? { metadata } : {}),
    })
  }

  override async declareUploadLength(id: string, size: number) {
    await this.#parts.service.setSize(id, size)
  }

  override async remove(id: string) {
    if (!(await this.#parts.uploads.get(id))) throw ERRORS.FILE_NOT_FOUND
    await this.#parts.spool.remove(id)
    await this.#parts.uploads.remove(id)
  }

  override getExpiration() {
    return LIFETIME_SECONDS * 1000
  }
}
