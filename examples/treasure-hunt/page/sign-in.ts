import { CairnError, createCairn, keepSession } from '@cairn/sdk'
import { element } from './dom.ts'
import { join, Refused, type Standing, standingOf } from './game.ts'

const KEPT = 'treasure-hunt-session'

type SignedIn = { session: () => Promise<string | null>; standing: Standing }

/** Signs the player in with the stored session or a six-digit code, and asks for a name the first time. */
export async function signIn(baseUrl: string): Promise<SignedIn> {
  const kept = localStorage.getItem(KEPT)
  if (kept) {
    const session = sessionFrom(baseUrl, kept)
    const standing = await standingOf(await session()).catch(() => null)
    if (standing?.player) return { session, standing }
  }
  const dialog = element<HTMLDialogElement>('sign-in')
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  dialog.showModal()
  const token = await filled('code', async (code) => {
    if (!/^[0-9]{6}$/.test(code)) throw new Refused('A code has six digits.')
    return exchange(baseUrl, code)
  })
  localStorage.setItem(KEPT, token)
  const session = sessionFrom(baseUrl, token)
  let standing = await standingOf(await session())
  if (!standing.player) {
    element('code-form').hidden = true
    element('name-form').hidden = false
    element('name').focus()
    standing = await filled('name', async (name) => join(await session(), name.trim()))
  }
  dialog.close()
  return { session, standing }
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
