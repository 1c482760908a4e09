import { type Cairn, CairnError, createCairn, keepSession, type Player } from '@cairn/sdk'
import { element } from './dom.ts'
import type { Settings } from './settings.ts'

const KEPT = 'treasure-hunt-session'

/** An error with a message for the player. */
class Refused extends Error {}

/** The player, and the client that acts for it: a client key and the player's token. */
export type SignedIn = { player: Player; cairn: Cairn }

/** Signs the player in with the stored session or a six-digit code, and asks for a name the first time. */
export async function signIn(settings: Settings): Promise<SignedIn> {
  const { baseUrl } = settings
  const kept = localStorage.getItem(KEPT)
  const known = kept ? await playerOf(settings, sessionFrom(baseUrl, kept)).catch(() => null) : null
  if (known) return known
  const dialog = element<HTMLDialogElement>('sign-in')
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  dialog.showModal()
  const [token, signedIn] = await filled('code', async (code) => {
    if (!/^[0-9]{6}$/.test(code)) throw new Refused('A code has six digits.')
    const session = await exchange(baseUrl, code)
    return [session, await playerOf(settings, sessionFrom(baseUrl, session))] as const
  })
  localStorage.setItem(KEPT, token)
  element('code-form').hidden = true
  element('name-form').hidden = false
  element<HTMLInputElement>('name').value = signedIn.player.displayName
  element('name').focus()
  const player = await filled('name', (name) => rename(signedIn, name.trim()))
  dialog.close()
  return { ...signedIn, player }
}

/** The player that is linked to the user of a session. @throws Refused if the host has added none */
async function playerOf({ baseUrl, clientKey }: Settings, session: () => Promise<string | null>): Promise<SignedIn> {
  const own = createCairn({ baseUrl, session })
  const { id } = await own.user.get()
  for await (const player of createCairn({ baseUrl, appKey: clientKey }).players.list())
    if (player.userId === id)
      return { player, cairn: createCairn({ baseUrl, appKey: clientKey, session: tokensOf(own, player.id) }) }
  throw new Refused('You are not in this hunt: ask the host to add you.')
}

/** Tokens of a player, each requested with the session before the one before ends. */
function tokensOf(own: Cairn, playerId: string): () => Promise<string> {
  let token: Promise<string> | undefined
  let dueAt = 0
  const request = async () => {
    const { playerToken, expiryTime } = await own.auth.createPlayerToken({ playerId })
    dueAt = Date.now() + ((Date.parse(expiryTime) - Date.now()) * 2) / 3
    return playerToken
  }
  return () => {
    if (!token || Date.now() >= dueAt) {
      dueAt = Number.POSITIVE_INFINITY
      token = request().catch((error) => {
        token = undefined
        throw error
      })
    }
    return token
  }
}

async function rename({ cairn, player }: SignedIn, displayName: string): Promise<Player> {
  try {
    await cairn.players.update(player.id, { displayName })
    return { ...player, displayName }
  } catch (error) {
    if (error instanceof CairnError && error.status === 409)
      throw new Refused(`Somebody is called ${displayName} already: choose another name`)
    if (error instanceof CairnError && error.status === 400) throw new Refused('Choose a name')
    throw error
  }
}

const sessionFrom = (baseUrl: string, token: string) =>
  keepSession({
    baseUrl,
    token,
    onRenewed: (fresh) => localStorage.setItem(KEPT, fresh),
    onEnded: () => {
      localStorage.removeItem(KEPT)
      location.reload()
    },
  })

/** @throws Refused with a message if the code is not valid */
async function exchange(baseUrl: string, code: string): Promise<string> {
  const { status, sessionToken } = await createCairn({ baseUrl }).auth.exchangeCode(code)
  if (sessionToken) return sessionToken
  if (status === 'EXPIRED') throw new Refused('This code is too old: ask the host for a new one.')
  if (status === 'VALID') throw new Refused('This code is not for a player: ask the host for yours.')
  throw new Refused('No such code: look at the digits again, or ask the host for a new one.')
}

/** Resolves when the form `<field>-form` is submitted with a value that `use` accepts. Errors appear at the field. */
function filled<Result>(field: string, use: (value: string) => Promise<Result>): Promise<Result> {
  const form = element<HTMLFormElement>(`${field}-form`)
  const input = element<HTMLInputElement>(field)
  const fault = element(`${field}-error`)
  const button = form.querySelector('button')!
  return new Promise((resolve) => {
    form.onsubmit = async (event) => {
      event.preventDefault()
      button.disabled = true
      try {
        resolve(await use(input.value))
      } catch (error) {
        fault.textContent = inWords(error)
        input.setAttribute('aria-invalid', 'true')
        input.select()
      } finally {
        button.disabled = false
      }
    }
  })
}

/** Any error as a message for the player. */
export function inWords(error: unknown): string {
  if (error instanceof Refused) return error.message
  if (error instanceof CairnError && error.status === 429) return 'Too many tries: wait a few minutes.'
  if (error instanceof CairnError && error.status === 0) return 'The service does not respond: are you online?'
  console.error(error)
  return 'Something went wrong: try again in a moment.'
}
