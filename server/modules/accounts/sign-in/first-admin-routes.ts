import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HttpError } from '../../../platform/errors.ts'
import { html } from '../../../platform/html/html.ts'
import { errorBox, field, noticePage, type Page } from '../../../platform/html/page.ts'
import { commandName } from '../../../platform/process/command-name.ts'
import { FirstAdminForm, FirstAdminQuery } from '../schema.ts'
import type { AccountService } from '../service.ts'
import type { LinkState } from '../store.ts'
import { registerPageErrors, sendPage, toHttpError } from './page-responses.ts'

type Deps = {
  accounts: AccountService
  publicUrl: () => string
  /** Where the new admin continues. */
  goOnAt: () => string
}

/**
 * The page behind the one-time link that a new installation prints. The link alone authorizes the creation of the first admin.
 */
export const firstAdminRoutes =
  ({ accounts, publicUrl, goOnAt }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const signIn = () => `${publicUrl()}/sign-in`
    await registerPageErrors(app, signIn)
    const ended = (state: LinkState) =>
      noticePage('This link is not valid', SENTENCES[state], { href: signIn(), text: 'Sign in' })
    const schema = { hide: true, querystring: FirstAdminQuery }

    app.get('/first-admin', { schema }, async (request, reply) => {
      const state = await accounts.firstAdminLink(request.query.code)
      return state === 'live' ? sendPage(reply, formPage('')) : sendPage(reply, ended(state), STATUSES[state])
    })

    app.post(
      '/first-admin',
      { config: { needsDiskSpace: false, holdsSecret: true }, schema: { ...schema, body: FirstAdminForm } },
      async (request, reply) => {
        const { code } = request.query
        const { login, password, again } = request.body
        const state = await accounts.firstAdminLink(code)
        if (state !== 'live') return sendPage(reply, ended(state), STATUSES[state])
        if (password !== again) return sendPage(reply, formPage(login, 'The two passwords differ', 'password'), 400)
        try {
          await accounts.makeFirstAdmin(code, { login, password }, request.ip)
          return reply.header('cache-control', 'no-store').redirect(goOnAt(), 303)
        } catch (error) {
          if (error instanceof HttpError && error.status === 409) return sendPage(reply, ended('used'), STATUSES.used)
          const { status, message, headers } = toHttpError(error)
          return sendPage(reply.headers(headers), formPage(login, message, memberOf(error)), status)
        }
      },
    )
  }

const SENTENCES: Record<LinkState, string> = {
  live: '',
  used: 'It was used: the first admin exists.',
  ended: 'A later start printed a newer link, or an account or admin has been created.',
  unknown: 'This Cairn did not create it. Copy the whole link from the output of the service.',
}
const STATUSES: Record<LinkState, number> = { live: 200, used: 410, ended: 410, unknown: 404 }

const memberOf = (error: unknown) =>
  error instanceof HttpError && typeof error.error !== 'string' ? String(error.error[0]?.path[0]) : undefined

const formPage = (login: string, error?: string, wrong?: string): Page => ({
  title: error ? 'Error: create the first admin' : 'Create the first admin',
  body: html`<h1>Create the first admin</h1>
<p class="note">This account administers the box. Add others with <code>${commandName()} user add</code>.</p>
${errorBox(error)}
<form method="post">
${field({ name: 'login', label: 'Login', type: 'text', autocomplete: 'username', value: login, isWrong: wrong === 'login', hasFocus: wrong !== 'password' })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'At least 8 characters. Longer is better than more complex.', isWrong: wrong === 'password', hasFocus: wrong === 'password' })}
${field({ name: 'again', label: 'Password again', type: 'password', autocomplete: 'new-password', isWrong: wrong === 'password' })}
<button type="submit">Create account</button>
</form>`,
})
