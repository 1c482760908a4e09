import type { UserCaller } from '../../platform/credentials/callers.ts'
import type { Objects, StoredObject } from '../../platform/storage/objects.ts'
import { pathOf } from '../../platform/storage/own-urls.ts'
import type { CsvUpload, ImportOptions } from './schema.ts'
import type { CsvService } from './service.ts'

type NewImport = {
  bytes: AsyncIterable<Uint8Array>
  fileName: string
  zoneId: number
  /** The owner of the import; by default the owner of the zone. */
  userId: string | undefined
  options: ImportOptions
}

type Deps = {
  service: CsvService
  objects: Pick<Objects, 'put' | 'remove'>
  findZone: (id: number) => Promise<{ userId: string | null } | undefined>
  /** Records a stored object as a file of the user. */
  keep: (object: StoredObject, fileName: string, userId: string) => Promise<void>
}

/** Survey operations of the command line, with the rights of the user and of ops. */
export function surveyAdminCommands({ service, objects, findZone, keep }: Deps) {
  const asOps = (id: string): UserCaller => ({ id, sessionId: '', roles: ['ops'], limited: false })

  return {
    /**
     * @throws an error for an unknown zone, for one without an owner if no user is named, and errors of the
     * registration
     */
    async register({ bytes, fileName, zoneId, userId, options }: NewImport): Promise<CsvUpload> {
      const zone = await findZone(zoneId)
      if (!zone) throw new Error(`There is no zone ${zoneId}`)
      const owner = userId ?? zone.userId
      if (!owner) throw new Error('The zone has no owner: name the owner of the points with --user NAME')
      const object = await objects.put(bytes, { extension: 'csv' })
      await keep(object, fileName, owner)
      const upload = { fileName, fileUrl: pathOf(object.key), zoneId, userId: owner, ...options }
      return service.register(asOps(owner), upload, null)
    },

    get: (id: string): Promise<CsvUpload> => service.get(undefined, id),

    /** Streams the report, one JSON object a row. */
    report: (id: string): Promise<AsyncGenerator<string>> =>
      service.report(asOps(''), id, { format: 'json', rows: 'all' }),
  }
}
