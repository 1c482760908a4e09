import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Page, renderPage } from '../../../platform/html/page.ts'

/** Whether a request is for a page: `f=html`, or a browser's `Accept`. */
export function wantsHtml(request: FastifyRequest): boolean {
  const { f } = request.query as { f?: 'json' | 'html' }
  if (f !== undefined) return f === 'html'
  const accept = request.headers.accept ?? ''
  return accept.includes('text/html') && !accept.includes('json')
}

/** Sends a page for people; a browser keeps it no longer than the data. */
export function sendPage(reply: FastifyReply, page: Page): never {
  const { text, headers } = renderPage({ wide: true, ...page })
  return reply.headers({ ...headers, vary: 'Accept' }).send(text) as never
}
