import { accessTable } from '../../server/test/access/access-table.ts'
import { tenantOn } from '../../server/test/access/access-world.ts'
import type { Big, Case } from './cases.ts'
import type { RemoteService } from './remote-service.ts'

type Parameter = { name: string; in: string; schema: { maximum?: number } }
type Described = { description?: string; parameters?: Parameter[]; requestBody?: { content: object } }

/** Builds a request for each operation: reads with the largest page, writes with the largest accepted body. */
export async function everyOperation(
  service: RemoteService,
  big: Big,
): Promise<{ name: string; make: () => Promise<Case> }[]> {
  const tenant = await tenantOn(service.forBuilders)
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, described]) => {
      const method = verb.toUpperCase()
      const name = `${method} ${path}`
      const rule = accessTable[name]
      // Streams do not end on their own.
      if (!rule || path.endsWith('/stream')) return []
      // The seeded files have no content to export.
      const isBig = !path.includes('{') && path !== '/api/v1/user/export'
      const of = {
        appKey: isBig ? big.key : tenant.app.headers,
        user: isBig && method === 'GET' ? big.user : tenant.user.headers,
        optionalUser: tenant.user.headers,
        open: {},
        ops: big.user,
        admin: big.user,
      }
      const make = async (): Promise<Case> => {
        const call = await rule.call(tenant)
        const page = method === 'GET' ? pageOf(described) : undefined
        const asked = page && `${call.path}${call.path.includes('?') ? '&' : '?'}${page}`
        const isJson = isRecord(call.body) && described.requestBody !== undefined
        return {
          operation: name,
          what: page ? page.replace('=', ' ') : isJson ? 'the largest body' : '',
          method,
          path: asked ?? call.path,
          headers: { ...of[rule.needs], ...call.headers, ...(isJson && { 'content-type': 'application/json' }) },
          body: isJson ? padded(call.body as object, boundOf(described)) : call.body,
        }
      }
      return [{ name, make }]
    }),
  )
  // It ends the tenant's session.
  const isLast = ({ name }: { name: string }) => name === 'POST /auth/sign-out'
  return [...all.filter((one) => !isLast(one)), ...all.filter(isLast)]
}

const isRecord = (body: unknown): boolean => typeof body === 'object' && body !== null && !(body instanceof FormData)

function pageOf({ parameters }: Described): string | undefined {
  const limit = parameters?.find((one) => one.name === 'limit' && one.in === 'query')
  return limit?.schema.maximum === undefined ? undefined : `limit=${limit.schema.maximum}`
}

function boundOf({ description = '' }: Described): number {
  const [, figure, unit] = /up to (\d+) (KiB|MiB)\.$/.exec(description) ?? [undefined, '32', 'KiB']
  return Number(figure) * (unit === 'MiB' ? 2 ** 20 : 1024)
}

/** Adds an unknown member of the largest size: an array of small numbers, the slowest to parse. */
function padded(body: object, bytes: number): string {
  const text = JSON.stringify(body)
  const count = Math.floor((bytes - text.length - 20) / 2)
  const more = `"any":[${Array.from({ length: count }, (_, i) => i % 10).join(',')}]`
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${more}}`
}
