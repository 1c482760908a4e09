import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { callerAt, requestsAt, type Service } from '../../server/test/service.ts'
import type { Question, Spent } from './service.ts'

export type RemoteService = Awaited<ReturnType<typeof startRemoteService>>

/** Starts the service in its own process, with the interface that the test builders use. */
export async function startRemoteService(databaseUrl: string, folder: string) {
  const child = fork(fileURLToPath(new URL('service.ts', import.meta.url)), [databaseUrl, folder], { stdio: 'inherit' })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  const request = requestsAt(url)
  const as = (headers: Record<string, string>) => callerAt(url, headers)
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
    /** The part of a test service that the builders use. */
    forBuilders: { url, request, as, anonymous: as({}), app } as unknown as Service,
    begin: (watchesTurns: boolean) => asked(child, { ask: 'begin', watchesTurns }),
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
