import type { Caller, Service } from '../service.ts'

/** A session of the user that came from a six-digit code: a caller. */
export async function limitedSession(service: Service, user: Caller): Promise<Caller> {
  const { code } = (await user.post('/auth/codes', {})).body
  const { status, body } = await service.anonymous.post('/auth/codes/exchange', { code })
  if (status !== 200 || body.status !== 'VALID') throw new Error(`no session: ${JSON.stringify(body)}`)
  return service.as({ authorization: `Bearer ${body.sessionToken}` })
}
