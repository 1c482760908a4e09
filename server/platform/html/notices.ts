import type { FastifyInstance } from 'fastify'
import { HttpError } from '../errors.ts'
import { languageOf, type Translated } from './languages.ts'
import { noticePage, renderPage } from './page.ts'

/** Phones at one place often share an address and its rate limit. */
const LATER: Translated<Notice> = {
  en: { title: 'One moment', sentence: 'Too many requests from this network. Open this page again in a minute.' },
  de: {
    title: 'Einen Moment',
    sentence: 'Zu viele Anfragen aus diesem Netz. Öffnen Sie diese Seite in einer Minute noch einmal.',
  },
  es: {
    title: 'Un momento',
    sentence: 'Demasiadas solicitudes desde esta red. Vuelva a abrir esta página dentro de un minuto.',
  },
}

type Notice = { title: string; sentence: string }

/** Answers 4xx errors of public pages with a page for people: 429 with *One moment*, others with this title and sentence. */
export function answerWithNotices(
  pages: FastifyInstance,
  missing: Translated<Notice>,
  { isFramed = false } = {},
): void {
  pages.setErrorHandler((error, request, reply) => {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    const language = languageOf(request)
    const { title, sentence } = (error.status === 429 ? LATER : missing)[language]
    const { text, headers } = renderPage({ ...noticePage(title, sentence), isFramed, language })
    return reply
      .code(error.status)
      .headers({ ...error.headers, ...headers })
      .send(text)
  })
}
