import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { startOutside } from '../../test/network/outbound.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'
import { importsOn } from '../../test/surveying/imports.ts'

let outside: Awaited<ReturnType<typeof startOutside>>
let service: Service
let user: Caller
let imports: ReturnType<typeof importsOn>
let sql: Sql
beforeAll(async () => {
  outside = await startOutside((_, response) => response.end('name,lon,lat\nA,48.25,16.5\n'), {
    'files.example.org': [['93.184.216.34']],
  })
  service = await startService(
    { CAIRN_IMPORT_HOSTS: 'files.example.org', CAIRN_PUBLIC_URL: 'https://cairn.example.org' },
    outside.network,
  )
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
  sql = sqlOn(service)
})
afterAll(async () => {
  await service.stop()
  await outside.stop()
})

/** The queues that an import went through, in order. */
const queuesOf = async (id: string) =>
  (
    await sql<{ name: string }>(`select name from pgboss.job where data->>'uploadId' = $1 order by created_on`, [id])
  ).map(({ name }) => name)

describe('processes of a release without header lines', () => {
  test('never receive an import with a header line, whether sent, downloaded or retried', {
    tags: ['long'],
  }, async () => {
    const zoneId = await imports.zone()
    const key = await imports.stored('name,lon,lat\nA,48.25,16.5\n')
    const sent = (await imports.send(zoneId, key, '?header=name,lat,lon')).body
    expect(await imports.ended(sent.id)).toMatchObject({ status: 'COMPLETED', processedRows: 1 })
    expect(await queuesOf(sent.id)).toEqual(['gcp-csv-import-by-header'])

    const upload = { fileName: 'a.csv', fileUrl: 'https://files.example.org/a.csv', zoneId }
    const fetched = (await user.post('/api/gcp/upload?header=name,lat,lon', upload)).body
    expect(await imports.ended(fetched.id)).toMatchObject({ status: 'COMPLETED', processedRows: 1 })
    expect(await queuesOf(fetched.id)).toEqual(['gcp-csv-fetch-by-header', 'gcp-csv-import-by-header'])

    const bare = await imports.stored('A;48,25;16,5;brass\n')
    const { id } = (await imports.send(zoneId, bare)).body
    expect(await imports.ended(id)).toMatchObject({ status: 'FAILED' })
    expect((await user.post(`/api/gcp/upload/${id}/retry?header=foo`)).status).toBe(200)
    expect(await imports.ended(id)).toMatchObject({ status: 'FAILED' })
    // A retry without a header keeps the stored one.
    expect((await user.post(`/api/gcp/upload/${id}/retry?onError=skip`)).status).toBe(200)
    expect(await imports.ended(id)).toMatchObject({ status: 'FAILED', header: 'foo' })
    expect(await queuesOf(id)).toEqual(['gcp-csv-import', 'gcp-csv-import-by-header', 'gcp-csv-import-by-header'])
  })
})
