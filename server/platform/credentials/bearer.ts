import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../errors.ts'

/** @returns the token of `Authorization: Bearer …` (RFC 6750), or undefined without that header */
export function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(header) ?? []
  if (!token) throw unauthorized('The header Authorization must read "Bearer <token>"')
  return token
}
