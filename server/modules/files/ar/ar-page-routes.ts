import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { languageOf } from '../../../platform/html/languages.ts'
import { answerWithNotices } from '../../../platform/html/notices.ts'
import { renderPage } from '../../../platform/html/page.ts'
import { projectFile } from '../../../platform/process/project-files.ts'
import { FileParams } from '../schema.ts'
import type { ArModels } from './ar-models.ts'
import { type ArModel, arPage, DEVICES, deviceOf } from './ar-page.ts'
import { noModel } from './ar-texts.ts'

/** The page that shows a model in AR, for phones without a session. Mounted under /ar. */
export const arPageRoutes =
  ({ models }: { models: ArModels }): FastifyPluginAsyncZod =>
  async (app) => {
    answerWithNotices(app, noModel)

    app.get('/:fileId', { schema: { hide: true, params: FileParams, querystring: Query } }, async (request, reply) => {
      const model: ArModel = await models.get(request.params.fileId)
      const device = request.query.on ?? deviceOf(request.headers['user-agent'] ?? '')
      const isPhone = device === 'apple' || device === 'android'
      const viewer = isPhone ? undefined : await viewerScript()
      const page = arPage(model, device, { language: languageOf(request), viewer })
      const { text, headers } = renderPage(page)
      return reply.headers(headers).send(text)
    })
  }

const MANIFEST = projectFile('web/dist/manifest.json')

/** The address of the script that draws a model, by the manifest of the console's build; undefined where it is not built. */
async function viewerScript(): Promise<string | undefined> {
  const text = await readFile(MANIFEST, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const script = (JSON.parse(text) as Record<string, { file: string }>)['src/model-page/main.ts']
  return script && `/console/${script.file}`
}

/** The device, for one that does not say it. */
const Query = z.object({ on: z.enum(DEVICES).optional() })
