import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { restrictToAppAdmins } from '../../platform/credentials/full-session.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { assertHasOps } from '../../platform/credentials/service-roles.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../platform/schema.ts'
import { AlertList, AlertSettings, AlertSettingsAnswer, BoxAlertList, MAX_ADDRESSES, TestMails } from './schema.ts'
import type { AlertService } from './service.ts'

type Deps = { service: AlertService; guards: Guards }

const tags = ['Alerts']
const security = needs.user
const params = z.object({ id: pathId('App') })
const errors = { 403: ErrorBody, 404: ErrorBody }

/** The alerts of an app. Mounted under /api/v1/apps. */
export const alertRoutes =
  ({ service, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/:id/alerts',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security,
          operationId: 'listAlerts',
          summary: 'List the alerts of an app',
          description:
            "Newest first, for 90 days after they ended. An alert opens when its condition has lasted for two minutes, and ends when it has been gone for ten. Alerts are kept while the app's alerts are mailed to someone or sent to a webhook. Available to the app's members, ops and admins. Other callers get 404, or 403 if the app is PUBLIC.",
          params,
          querystring: PageQuery,
          response: { 200: AlertList, ...errors },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const { id } = request.params
        return { alerts: pageRows(request, reply, await service.page(id, guards.appUserOf(request), request.query)) }
      },
    )
  }

/** The alerts of the installation. Mounted under /api/v1. */
export const boxAlertRoutes =
  ({ service, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/box/alerts',
      {
        onRequest: guards.user,
        schema: {
          tags: ['Administration'],
          security,
          operationId: 'listBoxAlerts',
          summary: 'List the alerts of this installation',
          description:
            'Requires ops or admin. Newest first, for 90 days after they ended. An alert opens when its condition has lasted for two minutes, and ends when it has been gone for ten.',
          querystring: PageQuery,
          response: { 200: BoxAlertList, 403: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        assertHasOps(guards.userOf(request))
        return { alerts: pageRows(request, reply, await service.boxPage(request.query)) }
      },
    )
  }

/** Whom the alerts of an app are mailed to. Mounted under /api/v1/apps. */
export const alertSettingsRoutes =
  ({ service, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const contextOf = restrictToAppAdmins(app, guards)

    app.get(
      '/:id/alert-settings',
      {
        schema: {
          tags,
          security,
          operationId: 'getAlertSettings',
          summary: 'Get the alert settings of an app',
          description: `Before the first change, \`addresses\` is empty, and \`kinds\` has all of them. Returns 404 for an app of others, or 403 if it is PUBLIC. ${FULL_SESSION_ONLY}`,
          params,
          response: { 200: AlertSettingsAnswer, ...errors },
        },
      },
      async (request) => service.settings(contextOf(request)),
    )

    app.put(
      '/:id/alert-settings',
      {
        schema: {
          tags,
          security,
          operationId: 'setAlertSettings',
          summary: 'Set the alert settings of an app',
          description: `Replaces them. An app can have at most ${MAX_ADDRESSES} addresses. To send alerts to a webhook, subscribe it to \`alert.opened\` and \`alert.ended\`. ${FULL_SESSION_ONLY}`,
          params,
          body: AlertSettings,
          response: { 200: AlertSettingsAnswer, ...errors },
        },
      },
      async (request) => service.change(contextOf(request), request.body),
    )

    app.post(
      '/:id/alert-settings/test',
      {
        schema: {
          tags,
          security,
          operationId: 'sendTestMails',
          summary: 'Send a test mail to each address of an app',
          description: `At most five times an hour for a user, over all apps: mails go to addresses that nobody has confirmed. The response says for each address whether the mail server accepted the mail. ${FULL_SESSION_ONLY}`,
          params,
          response: { 200: TestMails, ...errors, 429: ErrorBody },
        },
      },
      async (request) => service.test(contextOf(request)),
    )
  }
