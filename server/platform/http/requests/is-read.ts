import type { FastifyRequest } from 'fastify'

/** Whether a request only reads: GET or HEAD. */
export const isRead = ({ method }: Pick<FastifyRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD'
