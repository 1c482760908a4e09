import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { databaseError } from '../../../platform/database/database-errors.ts'
import { HttpError } from '../../../platform/errors.ts'
import { languageOf } from '../../../platform/html/languages.ts'
import { noticePage, type Page, renderPage } from '../../../platform/html/page.ts'
import type { PageTexts } from '../page-texts/english.ts'
import { pageTexts } from '../page-texts/index.ts'
import { AccountDisabled } from './account-disabled.ts'
import { TooManyTries } from './sign-in-throttle.ts'

/** Sends a page whose texts are in the language of the request. */
export function sendPage(reply: FastifyReply, page: Page, status = 200) {
  const { text, headers } = renderPage({ ...page, language: languageOf(reply.request) })
  return reply.code(status).headers(headers).send(text)
}

/** An error whose message is a text of the pages, already in the language of the request. */
class PageFault extends HttpError {}

/** 400 with one of the texts of the pages. */
export const pageFault = (request: FastifyRequest, say: (texts: PageTexts) => string): HttpError =>
  new PageFault(400, say(pageTexts(request)))

/** Parses forms and shows errors as pages. @param startAgain the link on an error page */
export async function registerPageErrors(app: FastifyInstance, startAgain: () => string) {
  await app.register(formbody)
  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof HttpError ? error : databaseError(error)
    if (!known || known.status >= 500) throw error
    const texts = pageTexts(request)
    const link = { href: startAgain(), text: texts.startAgain }
    return sendPage(
      reply.headers(known.headers),
      noticePage(texts.failed, `${sentenceOf(known, texts)}.`, link),
      known.status,
    )
  })
}

/**
 * Returns an error that the person can fix in the form, such as a wrong password or too many tries, with its sentence, and
 * throws every other.
 */
export function fixable(error: unknown, texts: PageTexts): { status: number; headers: object; message: string } {
  if (!(error instanceof HttpError) || ![400, 403, 429, 503].includes(error.status)) throw error
  return { status: error.status, headers: error.headers, message: sentenceOf(error, texts) }
}

/** What an error says on a page. Of others than these, requests that no page sends, the sentence of the interface. */
function sentenceOf(error: HttpError, texts: PageTexts): string {
  if (error instanceof TooManyTries) return texts.tooMany[error.kind](error.seconds)
  if (error instanceof AccountDisabled) return texts.disabled
  if (error instanceof PageFault) return error.message
  return error.status === 429 ? texts.later : error.status === 503 ? texts.busy : error.message
}
