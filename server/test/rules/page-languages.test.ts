import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxGlb } from '../content/glb.ts'
import { uploadOf } from '../content/scans.ts'
import { beginFlow } from '../network/box-sign-in.ts'
import { visitor } from '../scriptless-browser.ts'
import { type Service, startService } from '../service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const inLanguage = (languages: string) => service.as({ 'accept-language': languages })
const languageOf = (page: string) => /<html lang="([^"]*)">/.exec(page)?.[1]

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fi-FI, es-MX;q=0.5, en;q=0.1', 'es'],
  ['en;q=0.3, DE;q=0.7', 'de'],
  ['de;q=0, es;q=0.1', 'es'],
  ['fi, *;q=0.5', 'en'],
  ['', 'en'],
  ['de;q=high', 'en'],
])('a page for people is in the first language of the browser that it has: %s', async (languages, language) => {
  const { status, body, headers } = await inLanguage(languages).get('/ar/999999')
  expect({ status, language: languageOf(body) }).toEqual({ status: 404, language })
  expect(headers.get('content-language')).toBe(language)
})

test('the page that shows a model in AR is in the language of the browser', async () => {
  const { fileId } = await uploadOf(service.anonymous, { name: 'fox.glb', bytes: boxGlb() })
  const { body } = await inLanguage('es').get(`/ar/${fileId}`)
  expect(languageOf(body)).toBe('es')
  expect(body).toContain('Escanee este código con la cámara de un teléfono o una tableta.')
  expect((await inLanguage('de').get(`/ar/${fileId}?on=android`)).body).toContain('In AR zeigen')
})

test('sign-in is in the language of the browser, with its errors and the page after it', async () => {
  const [login, password] = ['grete', 'correct horse battery']
  await service.app.operator.accounts.add({ login, password }, { actor: 'operator', address: null })
  const who = visitor({ headers: { 'accept-language': 'de' } })
  const first = await who.open(`${service.url}/sign-in`)
  expect(languageOf(first.html)).toBe('de')
  expect(first.html).toContain('<h1>Anmelden</h1>')
  expect((await who.submit({ login, password: 'falsch' })).html).toContain('Anmeldename oder Passwort ist falsch')
  expect((await who.submit({ login, password })).html).toContain('Angemeldet als grete')
})

test('what a program asks for, and a sign-in that has expired, are in the language of the browser', async () => {
  const who = visitor({ headers: { 'accept-language': 'es' } })
  const { start } = await beginFlow(service.url)
  expect((await who.open(start)).html).toContain('Un programa de este dispositivo le pide que inicie sesión.')
  const expired = await who.open(`${service.url}/oidc/interaction/invented`)
  expect(expired).toMatchObject({ status: 400, html: expect.stringContaining('Este inicio de sesión ha caducado') })
})

test('the page of the first admin is in the language of the browser, and says there what is wrong with a password', async () => {
  const other = await startService()
  try {
    const who = visitor({ headers: { 'accept-language': 'de' } })
    const page = await who.open((await other.app.box.firstAdminLink())!)
    expect(page.html).toContain('<h1>Den ersten Admin anlegen</h1>')
    const refused = await who.submit({ login: 'ada', password: 'kurz', again: 'kurz' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Das Passwort muss mindestens 8 Zeichen haben')
  } finally {
    await other.stop()
  }
})
