import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessTable, type Rule } from '../access/access-table.ts'
import { type Tenant, tenantOn } from '../access/access-world.ts'
import { type Description, operationsOf } from '../attack/operations.ts'
import { buildersOn } from '../builders.ts'
import { type Caller, type Service, startService } from '../service.ts'
import { optionalMembers } from './required-members.ts'

/** Members that all responses of this test have, but that may be absent. */
const ABSENT_WHERE: Record<string, string> = {
  'App.role': 'an app of others',
  'CodeAnswer.error': 'a code that is VALID has none',
  'CsvUploadReport.detected.format': 'an import by an earlier release',
  'CsvUploadReport.detected.layer': 'an import by a release before layers',
  'CsvUploadReport.detected.layers': 'an import by a release before layers',
  'CsvUploadReport.detected.fields': 'an import by an earlier release',
  'CsvUploadReport.detected.cells': 'an import by an earlier release, and one of a file that could not be read',
  'CsvUploadReport.detected.transformations': 'an import whose rows are not all read yet',
  'CsvUploadReport.detected.heights': 'an import whose rows are not all read yet',
  'FeaturePage.numberMatched': 'a page whose features would take long to count',
}

let service: Service
let own: Tenant
let admin: Caller
beforeAll(async () => {
  service = await startService()
  own = await tenantOn(service)
  admin = await buildersOn(service).user({ roles: ['admin'] })
})
afterAll(() => service.stop())

function headersFor({ needs }: Rule): Record<string, string> {
  if (needs === 'appKey') return own.app.headers
  if (needs === 'open') return {}
  return needs === 'ops' || needs === 'admin' ? admin.headers : own.user.headers
}

test('a member that every response of its kind has is required in the OpenAPI document', {
  tags: ['long'],
}, async () => {
  const description: Description = (await service.anonymous.get('/openapi.json')).body
  const members = optionalMembers(description)
  const last = 'POST /auth/sign-out'
  const operations = operationsOf(description).toSorted((a, b) => Number(a.name === last) - Number(b.name === last))
  for (const { name, method, responses } of operations) {
    const schemas = new Map(
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content).flatMap(([type, { schema }]) =>
          status.startsWith('2') && schema && type.includes('json') ? [[Number(status), schema] as const] : [],
        ),
      ),
    )
    for (const schema of schemas.values()) members.of(name, schema)
    const rule = accessTable[name]!
    const { path, body, headers } = await rule.call(own)
    if (schemas.size === 0 || /\/stream(\?|$)/.test(path)) continue
    const answer = await service.request(method, path, body, { ...headers, ...headersFor(rule) })
    const schema = schemas.get(answer.status)
    if (schema && typeof answer.body === 'object') members.of(name, schema, answer.body)
  }
  const always = [...members.seen].filter(([, { present, absent }]) => present > 0 && absent === 0)
  expect(always.map(([name]) => name).filter((name) => !(name in ABSENT_WHERE))).toEqual([])
  expect(Object.keys(ABSENT_WHERE).filter((name) => !members.seen.has(name))).toEqual([])
})
