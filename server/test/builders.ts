import type { Caller, Service } from './service.ts'

let count = 0

/** A signed-in user: a caller with a session token. */
export type User = Caller & { id: string }

/** An app: a caller with its key. */
export type App = Caller & { id: string; key: string }

export type Builders = ReturnType<typeof buildersOn>

/** Builders of records over the public API. All have defaults: name only what the test is about. */
export function buildersOn(service: Service) {
  const given = {
    async user({ name = `user-${++count}`, roles = [] as string[] } = {}): Promise<User> {
      const { identity } = service.app
      const user = await service.app.localUser(name, roles)
      const { token } = await identity.openFor(user)
      return { ...service.as({ authorization: `Bearer ${token}` }), id: user.id }
    },

    async app({ owner, ...fields }: { owner?: Caller; name?: string; visibility?: string } = {}): Promise<App> {
      const user = owner ?? (await given.user())
      const { status, body } = await user.post('/api/v1/apps', {
        name: 'Trail',
        description: 'A game in the park',
        ...fields,
      })
      if (status !== 201) throw new Error(`no app: ${JSON.stringify(body)}`)
      return { ...service.as({ 'x-app-api-key': body.apiKey }), id: body.id, key: body.apiKey }
    },

    async player(app: Caller, displayName = `Player ${++count}`): Promise<{ id: string; displayName: string }> {
      const { status, body } = await app.post('/api/v1/apps/players', { displayName })
      if (status !== 200) throw new Error(`no player: ${JSON.stringify(body)}`)
      return body
    },
  }
  return given
}
