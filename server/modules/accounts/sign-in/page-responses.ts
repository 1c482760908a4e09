import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { databaseError } from '../../../platform/database/database-errors.ts'
import { HttpError } from '../../../platform/errors.ts'
import { noticePage, type Page, renderPage } from '../../../platform/html/page.ts'

export function sendPage(reply: FastifyReply, page: Page, status = 200) {
  const { text, headers } = renderPage(page)
  return reply.code(status).headers(headers).send(text)
}

/** Parses forms and shows errors as pages. @param startAgain the link on an error page */
export async function registerPageErrors(app: FastifyInstance, startAgain: () => string) {
  await app.register(formbody)
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof HttpError ? error : databaseError(error)
    if (!known || known.status >= 500) throw error
    const link = { href: startAgain(), text: 'Start again' }
    return sendPage(
      reply.headers(known.headers),
      noticePage('Something went wrong', `${known.message}.`, link),
      known.status,
    )
  })
}

/**
 * Returns an error that the person can fix in the form, such as a wrong password or too many tries, and throws every
 * other.
 */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError && [400, 429, 503].includes(error.status)) return error
  throw error
}
