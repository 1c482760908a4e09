import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { badRequest } from '../../../platform/errors.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { errorBox, field, type Page } from '../../../platform/html/page.ts'
import { commandName } from '../../../platform/process/command-name.ts'
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

/**
 * The pages of the built-in issuer: sign-in and, for a program on the device, consent. They need the cookie that the
 * issuer set for this sign-in, so no other site can submit them (SameSite=Lax).
 */
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
            const error = 'Wrong login or password'
            return sendPage(reply, await signInPage(interaction, { login, error }), 401)
          }
          // A user who has just typed the password is not asked for consent too.
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
        throw badRequest('This sign-in has expired, or was started in another browser or without cookies')
      return { provider, interaction }
    }

    async function signInPage(interaction: Interaction, { login, error }: { login?: string; error?: string }) {
      const isWrong = error !== undefined
      const body = html`<h1>Sign in</h1>
<p class="note">${introduction(interaction)}</p>
${errorBox(error)}
${(await accounts.isEmpty()) ? nobodyYet() : undefined}
<form method="post">
${field({ name: 'login', label: 'Login', type: 'text', autocomplete: 'username', value: login ?? '', isWrong, hasFocus: !login })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isWrong, hasFocus: !!login })}
<button type="submit">Sign in</button>
</form>`
      return { title: isWrong ? 'Error: sign in' : 'Sign in', body, formLeadsTo: returnOf(interaction) } satisfies Page
    }
  }

const nobodyYet = (): Html =>
  html`<p>There are no accounts yet. To create the first admin, use the one-time link that Cairn prints at each start until it is used. You can also create accounts on the command line with <code>${commandName()} user add</code>.</p>`

const isForProgram = ({ params }: Interaction) => params.client_id === COMMAND_LINE_CLIENT

const introduction = (interaction: Interaction) =>
  isForProgram(interaction) ? 'A program on this device asks you to sign in.' : 'With your account on this Cairn.'

const hintOf = ({ params }: Interaction) =>
  typeof params.login_hint === 'string' && params.login_hint.length <= 100 ? params.login_hint : ''

/** Browsers apply the form's policy to its redirects too. The address was checked when the sign-in started. */
const returnOf = ({ params }: Interaction) => [new URL(String(params.redirect_uri)).origin]

/**
 * The user is signed in and a program asks for access. It cannot prove which program it is (RFC 8252 §8.6), so the user
 * decides.
 */
const confirmPage = (interaction: Interaction): Page => ({
  title: 'Allow a program to sign in',
  formLeadsTo: returnOf(interaction),
  body: html`<h1>Allow a program to sign in as ${interaction.session?.accountId}?</h1>
<p>A program on this device asks for your session. Continue only if you have just started it; otherwise close this page.</p>
<form method="post"><button type="submit">Allow</button></form>`,
})
