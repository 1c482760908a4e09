import { openDatabase } from '../../platform/database/database.ts'
import { buildersOn } from '../builders.ts'
import { type Answer, type Caller, type Service, startService } from '../service.ts'

/** A survey file as text: `count` rows along a meridian. */
export const surveyRows = (count: number, latitude = 10) =>
  `title,lat,lon,h,description\n${Array.from({ length: count }, (_, i) => `P${i},${latitude + i * 1e-4},20,${i},row ${i}`).join('\n')}\n`

/** Common steps of import tests over HTTP, as this user unless another caller is given. */
export function importsOn(service: Service, user: Caller) {
  const { objects } = service.app
  const imports = {
    objects,

    /** Uploads a file. @returns its object key */
    async stored(content: string | Uint8Array<ArrayBuffer>, caller = user, name = 'marks.csv'): Promise<string> {
      const form = new FormData()
      const type = name.endsWith('.csv') ? 'text/csv' : 'application/octet-stream'
      form.set('file', new Blob([content], { type }), name)
      const { body } = await caller.post('/api/upload', form)
      return objects.keyOf(body.results[0].url)!
    },

    zone: async (fields: object = {}, caller = user): Promise<number> =>
      (await caller.post('/api/zones', { title: 'Park', ...fields })).body.id,

    send: (zoneId: number, key: string, query = ''): Promise<Answer> =>
      user.post(`/api/gcp/upload${query}`, { fileName: 'marks.csv', fileUrl: objects.addressOf(key), zoneId }),

    /** The record of an ended import. */
    async ended(id: string): Promise<Answer['body']> {
      for (;;) {
        const { body } = await user.get(`/api/gcp/upload/${id}`)
        if (body.status === 'COMPLETED' || body.status === 'FAILED') return body
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },

    gcps: async (zoneId: number): Promise<Answer['body']> => (await user.get(`/api/gcp?zoneId=${zoneId}`)).body,
    report: async (id: string): Promise<Answer['body']> => (await user.get(`/api/gcp/upload/${id}/report`)).body,

    /** Imports a file, by default into a new zone. @returns its final record, its report and the zone's points. */
    async imported(content: string | Uint8Array<ArrayBuffer>, { zoneId = 0, query = '', name = 'marks.csv' } = {}) {
      const into = zoneId || (await imports.zone())
      const { status, body } = await imports.send(into, await imports.stored(content, user, name), query)
      if (status !== 200) throw new Error(`not imported: ${JSON.stringify(body)}`)
      const record = await imports.ended(body.id)
      return { zoneId: into, record, report: await imports.report(body.id), gcps: await imports.gcps(into) }
    },
  }
  return imports
}

/** A service with these settings, a user's imports, and separate database connections, for tests that assemble an import themselves. */
export async function openImports(settings: Record<string, string> = {}) {
  const service = await startService(settings)
  const user = await buildersOn(service).user()
  const database = openDatabase({ url: service.databaseUrl, applicationName: 'test', max: 4 })
  return {
    service,
    user,
    database,
    imports: importsOn(service, user),
    async close() {
      await database.close()
      await service.stop()
    },
  }
}
