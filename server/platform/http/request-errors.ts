import type { FastifyRequest } from 'fastify'
import type { Issue } from '../errors.ts'

const told = new WeakMap<FastifyRequest, string | Issue[]>()

/** Remembers what a request is answered in place of what it asked for. */
export const rememberRequestError = (request: FastifyRequest, error: string | Issue[]) => void told.set(request, error)

/** What a request that failed was told, or undefined. */
export const requestErrorOf = (request: FastifyRequest): string | Issue[] | undefined => told.get(request)
