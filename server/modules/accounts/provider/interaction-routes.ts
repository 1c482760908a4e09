import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { badRequest } from '../../../platform/errors.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { errorBox, field, type Page } from '../../../platform/html/page.ts'
import { SignInForm } from '../schema.ts'
import type { AccountService } from '../service.ts'
import { registerPageErrors, sendPage, toHttpError } from '../sign-in/page-responses.ts'
import { type BuiltInProvider, COMMAND_LINE_CLIENT } from './provider.ts'

type Deps = {
  accounts: AccountService
  box: () => Promise<BuiltInProvider>
  publicUrl: () => string
}
type Interaction = Awaited<ReturnType<BuiltInProvider['provider']['interactionDetails']>>

/** The pages that the box's issuer shows on the way: who are you, and, for a program on the device, is it you who wants this. They need the cookie that the issuer gave the browser for this very sign-in, so that no other site can fill them in (SameSite=Lax). */
export const interactionRoutes =
  ({ accounts, box, publicUrl }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    await registerPageErrors(app, () => `${publicUrl()}/sign-in`)
    const path = '/oidc/interaction/:uid'

    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const { interaction } = await interactionOf(request, reply)
      if (interaction.prompt.name === 'consent') return sendPage(reply, confirmPage(interaction))
      return sendPage(reply, await signInPage(interaction, { login: hintOf(interaction) }))
    })

    app.post(
      path,
      { config: { needsDiskSpace: false, holdsSecret: true }, schema: { hide: true, body: SignInForm } },
      async (request, reply) => {
        const { provider, interaction } = await interactionOf(request, reply)
        const goOn = async (result: Parameters<typeof provider.interactionResult>[2]) =>
          reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303)
        if (interaction.prompt.name === 'consent') return goOn({ consent: {} })

        const { login, password } = request.body
        try {
          const account = await accounts.signIn(login, password, request.ip)
          if (!account) {
            const error = 'This login and password do not belong together'
            return sendPage(reply, await signInPage(interaction, { login, error }), 401)
          }
          // Whoever just typed the password is not asked once more whether a program may go on.
          return goOn({ login: { accountId: account.login, remember: false }, consent: {} })
        } catch (error) {
          const { status, message, headers } = toHttpError(error)
          return sendPage(reply.headers(headers), await signInPage(interaction, { login, error: message }), status)
        }
      },
    )

    async function interactionOf(request: FastifyRequest<{ Params: unknown }>, reply: FastifyReply) {
      const { provider } = await box()
      const interaction = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
        if ((error as Error).name === 'SessionNotFound') return undefined
        throw error
      })
      const { uid } = request.params as { uid: string }
      if (interaction?.uid !== uid)
        throw badRequest('This sign-in has ended, or was begun in another browser or without cookies')
      return { provider, interaction }
    }

    async function signInPage(interaction: Interaction, { login, error }: { login?: string; error?: string }) {
      const isWrong = error !== undefined
      const body = html`<h1>Sign in</h1>
<p class="note">${introduction(interaction)}</p>
${errorBox(error)}
${(await accounts.isEmpty()) ? NOBODY_YET : undefined}
<form method="post">
${field({ name: 'login', label: 'Login', type: 'text', autocomplete: 'username', value: login ?? '', isWrong, hasFocus: !login })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isWrong, hasFocus: !!login })}
<button type="submit">Sign in</button>
</form>`
      return { title: isWrong ? 'Error: sign in' : 'Sign in', body, formLeadsTo: returnOf(interaction) } satisfies Page
    }
  }

const NOBODY_YET: Html = html`<p>Nobody has an account here yet. The one-time link that makes the first admin is where this Cairn was started: it is printed at each start until it is used. <code>cairn user add</code> on the command line makes accounts too.</p>`

const isForProgram = ({ params }: Interaction) => params.client_id === COMMAND_LINE_CLIENT

const introduction = (interaction: Interaction) =>
  isForProgram(interaction) ? 'A program on this device asks you to sign in.' : 'With your account on this Cairn.'

const hintOf = ({ params }: Interaction) =>
  typeof params.login_hint === 'string' && params.login_hint.length <= 100 ? params.login_hint : ''

/** Browsers hold a form's redirects to its policy too. The address was checked when the sign-in began. */
const returnOf = ({ params }: Interaction) => [new URL(String(params.redirect_uri)).origin]

/** Somebody is signed in, and a program asks: it cannot prove which one it is (RFC 8252 §8.6), so the person decides. */
const confirmPage = (interaction: Interaction): Page => ({
  title: 'Let a program sign in',
  formLeadsTo: returnOf(interaction),
  body: html`<h1>Let a program sign in as ${interaction.session?.accountId}?</h1>
<p>A program on this device asks for your session. Go on only if you started it just now; else close this page.</p>
<form method="post"><button type="submit">Let it sign in</button></form>`,
})
