import type { FastifyInstance } from 'fastify'
import { HttpError } from '../errors.ts'
import { noticePage, renderPage } from './page.ts'

/** Phones at one place often share an address and its rate limit. */
const LATER = noticePage('One moment', 'Too many requests from this network. Open this page again in a minute.')

type Missing = { title: string; sentence: string; isFramed?: boolean }

/** Answers 4xx errors of public pages with a page for people: 429 with *One moment*, others with this title and sentence. */
export function answerWithNotices(pages: FastifyInstance, { title, sentence, isFramed = false }: Missing): void {
  pages.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    const notice = error.status === 429 ? LATER : noticePage(title, sentence)
    const { text, headers } = renderPage({ ...notice, isFramed })
    return reply
      .code(error.status)
      .headers({ ...error.headers, ...headers })
      .send(text)
  })
}
