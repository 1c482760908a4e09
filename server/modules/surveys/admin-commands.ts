import type { UserCaller } from '../../platform/credentials/guards.ts'
import type { Objects, StoredObject } from '../../platform/storage/objects.ts'
import { pathOf } from '../../platform/storage/own-urls.ts'
import type { CsvUpload, ImportOptions } from './schema.ts'
import type { CsvService } from './service.ts'

type NewImport = {
  bytes: AsyncIterable<Uint8Array>
  fileName: string
  zoneId: number
  /** Whose import it is; the owner of the zone unless said. */
  userId: string | undefined
  options: ImportOptions
}

type Deps = {
  service: CsvService
  objects: Pick<Objects, 'put' | 'remove'>
  findZone: (id: number) => Promise<{ userId: string | null } | undefined>
  /** Makes a stored object a file of the user. */
  keep: (object: StoredObject, fileName: string, userId: string) => Promise<void>
}

/** What an operator at the command line does with survey files: as the user could who is ops besides. */
export function surveyAdminCommands({ service, objects, findZone, keep }: Deps) {
  const asOps = (id: string): UserCaller => ({ id, sessionId: '', roles: ['ops'], limited: false })

  return {
    /** @throws a sentence for an unknown zone, one that is nobody's where no user is named, and what registering throws */
    async register({ bytes, fileName, zoneId, userId, options }: NewImport): Promise<CsvUpload> {
      const zone = await findZone(zoneId)
      if (!zone) throw new Error(`There is no zone ${zoneId}`)
      const owner = userId ?? zone.userId
      if (!owner) throw new Error('The zone belongs to nobody: say whose the points are, --user NAME')
      const object = await objects.put(bytes, { extension: 'csv' })
      await keep(object, fileName, owner)
      const upload = { fileName, fileUrl: pathOf(object.key), zoneId, userId: owner, ...options }
      return service.register(asOps(owner), upload, null)
    },

    get: (id: string): Promise<CsvUpload> => service.get(undefined, id),

    /** The report, row by row as JSON. */
    report: (id: string): Promise<AsyncGenerator<string>> =>
      service.report(asOps(''), id, { format: 'json', rows: 'all' }),
  }
}
