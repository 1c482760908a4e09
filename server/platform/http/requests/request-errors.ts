import type { FastifyRequest } from 'fastify'
import type { Issue } from '../../errors.ts'

const errors = new WeakMap<FastifyRequest, string | Issue[]>()

/** Remembers the error response of a request. */
export const rememberRequestError = (request: FastifyRequest, error: string | Issue[]) =>
  void errors.set(request, error)

/** The error response of a request, or undefined. */
export const requestErrorOf = (request: FastifyRequest): string | Issue[] | undefined => errors.get(request)
