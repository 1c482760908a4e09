import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { cachedDocument } from './cached-document.ts'

/** Examples are in curl, TypeScript and C#: of other languages, all clients are hidden. */
const HIDDEN = [
  ...['c', 'clojure', 'dart', 'fsharp', 'go', 'http', 'java', 'julia', 'kotlin', 'node', 'objc', 'ocaml', 'php'],
  ...['powershell', 'python', 'r', 'ruby', 'rust', 'swift'],
]
const HIDDEN_CLIENTS = {
  ...Object.fromEntries(HIDDEN.map((language) => [language, true])),
  shell: ['httpie', 'wget'],
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  csharp: ['restsharp'],
}

/** The colours of the console. */
const COLOURS = `
  .light-mode { --scalar-color-accent: #0a6b70; --scalar-background-1: #ffffff; --scalar-background-2: #f5f5f1; --scalar-background-3: #efefea; --scalar-border-color: #e2e1db; --scalar-color-1: #1b1d1b; --scalar-color-2: #4e514b; --scalar-color-3: #676a62; }
  .dark-mode { --scalar-color-accent: #57c7c4; --scalar-background-1: #171b1a; --scalar-background-2: #101312; --scalar-background-3: #1f2423; --scalar-border-color: #2a302e; --scalar-color-1: #e8ebe9; --scalar-color-2: #b4bbb8; --scalar-color-3: #8f9794; }
`

/** Serves the OpenAPI document and its interactive page, which loads nothing from other origins. */
export async function serveApiDocs(app: FastifyInstance, publicUrl: () => string) {
  const answer = cachedDocument(() => ({ ...app.swagger(), servers: [{ url: publicUrl() }] }))
  app.get('/openapi.json', { schema: { hide: true } as object }, answer)
  app.get('/', { schema: { hide: true } as object }, async (_request, reply) => reply.redirect('/docs/'))
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply) => {
      reply.header(
        'content-security-policy',
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; frame-ancestors 'none'",
      )
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Cairn API reference',
        withDefaultFonts: false,
        telemetry: false,
        showDeveloperTools: 'never',
        defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
        hiddenClients: HIDDEN_CLIENTS,
        customCss: COLOURS,
        agent: { disabled: true },
        mcp: { disabled: true },
      } as object,
    })
  })
}
