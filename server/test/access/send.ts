import type { Service } from '../service.ts'
import type { Rule } from './access-table.ts'
import type { Tenant } from './access-world.ts'

type Headers = Record<string, string>
type Response = { status: number; body: unknown }

/** Calls an operation of the access table on a tenant's things. */
export const sendOn = async (
  service: Service,
  tenant: Tenant,
  operation: string,
  rule: Rule,
  headers: Headers,
): Promise<Response> => (await preparedOn(service, tenant, operation, rule))(headers)

/**
 * Creates what an operation of the access table needs, once, for several requests that are refused: these leave it as
 * it is.
 */
export async function preparedOn(service: Service, tenant: Tenant, operation: string, rule: Rule) {
  const [method] = operation.split(' ')
  const { path, body, headers: others } = await rule.call(tenant)
  return async (headers: Headers): Promise<Response> =>
    method === 'GET' && /\/stream(\?|$)/.test(path)
      ? firstOf(service.url + path, headers)
      : service.request(method!, path, body, { ...others, ...headers })
}

/** A stream does not end by itself: its status is the result, or the error. */
async function firstOf(url: string, headers: Headers): Promise<Response> {
  const cut = new AbortController()
  const response = await fetch(url, { headers, signal: cut.signal })
  const { status } = response
  if (status >= 400) return { status, body: await response.json() }
  cut.abort()
  await response.body?.cancel().catch(() => {})
  return { status, body: undefined }
}
