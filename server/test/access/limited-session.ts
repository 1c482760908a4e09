import type { Caller, Service } from '../service.ts'

/** A caller with a session of the user created with a six-digit code. */
export async function limitedSession(service: Service, user: Caller): Promise<Caller> {
  const { code } = (await user.post('/auth/codes', {})).body
  const { status, body } = await service.anonymous.post('/auth/codes/exchange', { code })
  if (status !== 200 || body.status !== 'VALID') throw new Error(`no session: ${JSON.stringify(body)}`)
  return service.as({ authorization: `Bearer ${body.sessionToken}` })
}
