import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../errors.ts'
import { isPersonalToken } from './personal-tokens.ts'

/**
 * @returns the token of `Authorization: Bearer …` (RFC 6750), or a personal token that is the password of HTTP Basic, for
 * programs that know no other way; undefined without that header @throws 401
 */
export function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(header) ?? []
  const password = token === undefined ? passwordIn(header) : undefined
  if (password !== undefined && isPersonalToken(password)) return password
  if (!token) throw unauthorized('The header Authorization must read "Bearer <token>"')
  return token
}

/** The password of HTTP Basic (RFC 7617); the user name may be anything. */
function passwordIn(header: string): string | undefined {
  const [, encoded] = /^Basic +([\w+/-]+=*)$/i.exec(header) ?? []
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : text.slice(colon + 1)
}
