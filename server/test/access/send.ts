import type { Service } from '../service.ts'
import type { Rule } from './access-table.ts'
import type { Tenant } from './access-world.ts'

/** Calls an operation of the access table on a tenant's things. */
export async function sendOn(
  service: Service,
  tenant: Tenant,
  operation: string,
  rule: Rule,
  headers: Record<string, string>,
): Promise<{ status: number; body: unknown }> {
  const [method] = operation.split(' ')
  const { path, body, headers: others } = await rule.call(tenant)
  if (method === 'GET' && /\/stream(\?|$)/.test(path)) return firstOf(service.url + path, headers)
  return service.request(method!, path, body, { ...others, ...headers })
}

/** A stream does not end by itself: its status is the result, or the error. */
async function firstOf(url: string, headers: Record<string, string>) {
  const cut = new AbortController()
  const response = await fetch(url, { headers, signal: cut.signal })
  const { status } = response
  if (status >= 400) return { status, body: await response.json() }
  cut.abort()
  await response.body?.cancel().catch(() => {})
  return { status, body: undefined }
}
