import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { unavailable } from '../../../platform/errors.ts'
import { languageOf } from '../../../platform/html/languages.ts'
import { answerWithNotices } from '../../../platform/html/notices.ts'
import { type ConsoleOptions, mapHostsOf } from '../../../platform/http/console/console.ts'
import { consolePolicy } from '../../../platform/http/console/console-policy.ts'
import { projectFile } from '../../../platform/process/project-files.ts'
import { pathId } from '../../../platform/schema.ts'
import type { SharedMapService } from '../service.ts'
import { pageContent, pageData, pageHead } from './page.ts'
import { noMap } from './texts.ts'

type Deps = {
  service: Pick<SharedMapService, 'view'>
  publicUrl: () => string
} & Pick<ConsoleOptions, 'basemap' | 'mapHosts'>

const LANGUAGE = '<html lang="en">'
/** A page of the console's build, with places for what the map says. */
const TEMPLATE = projectFile('web/dist/shared-map.html')

/** The page of a shared map, which other sites may show in a frame. It sets no cookie. Mounted under /m. */
export const sharedMapPageRoutes =
  ({ service, publicUrl, basemap, mapHosts }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    answerWithNotices(app, noMap, { isFramed: true })

    app.get(
      '/:id',
      { schema: { hide: true, params: z.object({ id: pathId('Shared map') }) } },
      async (request, reply) => {
        const map = await service.view(request.params.id)
        const [template, { styleUrl }] = await Promise.all([readFile(TEMPLATE, 'utf8').catch(notBuilt), basemap()])
        const language = languageOf(request)
        const nonce = randomBytes(16).toString('base64')
        const filled: Record<string, string> = {
          __NONCE__: nonce,
          __HEAD__: pageHead(map, `${publicUrl()}/m/${map.id}`).html,
          [LANGUAGE]: LANGUAGE.replace('en', language),
          __CONTENT__: pageContent(map, language).html,
          '"__VIEW__"': pageData(map).html,
        }
        return reply
          .headers({
            'content-type': 'text/html; charset=utf-8',
            'content-language': language,
            'content-security-policy': consolePolicy({
              nonce,
              mapHosts: mapHostsOf(mapHosts, styleUrl),
              isFramed: true,
            }),
            'cache-control': 'no-store',
            'referrer-policy': 'strict-origin-when-cross-origin',
            'x-content-type-options': 'nosniff',
          })
          .send(
            template.replaceAll(/"__VIEW__"|<html lang="en">|__(?:NONCE|HEAD|CONTENT)__/g, (place) => filled[place]!),
          )
      },
    )
  }

function notBuilt(): never {
  throw unavailable('The console is not built: run npm run build --workspace web', 60)
}
