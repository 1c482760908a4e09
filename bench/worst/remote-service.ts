import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answer, Service } from '../../server/test/service.ts'
import type { Question, Spent } from './service.ts'

export type RemoteService = Awaited<ReturnType<typeof startRemoteService>>

/** The service in a process of its own, asked as the tests' builders ask one in theirs. */
export async function startRemoteService(databaseUrl: string, folder: string) {
  const child = fork(fileURLToPath(new URL('service.ts', import.meta.url)), [databaseUrl, folder], { stdio: 'inherit' })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  const request = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const isRaw = body instanceof FormData || typeof body === 'string' || body instanceof Uint8Array
    const answer = await fetch(path.startsWith('http') ? path : url + path, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const isJson = answer.headers.get('content-type')?.includes('json')
    // What is large is not looked into.
    const bytes = Buffer.from(await answer.arrayBuffer())
    return {
      status: answer.status,
      body: isJson && bytes.length > 0 && bytes.length < 1e6 ? JSON.parse(String(bytes)) : { length: bytes.length },
      headers: answer.headers,
    }
  }
  const as = (headers: Record<string, string>) => ({
    headers,
    get: (path: string) => request('GET', path, undefined, headers),
    post: (path: string, body?: unknown) => request('POST', path, body, headers),
    put: (path: string, body?: unknown) => request('PUT', path, body, headers),
    patch: (path: string, body?: unknown) => request('PATCH', path, body, headers),
    delete: (path: string, body?: unknown) => request('DELETE', path, body, headers),
  })
  const user = (name: string, roles: string[] = []) =>
    asked<{ id: string; token: string }>(child, { ask: 'user', name, roles })
  const app = {
    localUser: (name: string, roles: string[]) => user(name, roles),
    identity: { openFor: async (one: { token: string }) => one },
  }
  return {
    url,
    pid: child.pid!,
    request,
    as,
    user,
    /** What the builders of the tests use of a service. */
    forBuilders: { url, request, as, anonymous: as({}), app } as unknown as Service,
    begin: () => asked(child, { ask: 'begin' }),
    end: () => asked<Spent>(child, { ask: 'end' }),
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

async function asked<T>(child: ChildProcess, question: Question): Promise<T> {
  child.send(question)
  const [answer] = (await once(child, 'message')) as [T]
  return answer
}
