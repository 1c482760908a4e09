import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT, listenAsProvider } from '../../../server/test/foreign-provider.ts'
import { type OpenConsole, startConsole } from '../support/console.ts'

describe.each([
  ['says where sessions end', true],
  ['does not say where sessions end', false],
])('with a provider elsewhere that %s', (_what, endsSessions) => {
  let provider: Awaited<ReturnType<typeof listenAsProvider>>
  let opened: OpenConsole
  beforeAll(async () => {
    provider = await listenAsProvider()
    opened = await startConsole({ CAIRN_OIDC: JSON.stringify([{ issuer: provider.issuer, audience: CLIENT }]) })
    provider.serve(`${opened.service.url}/console/`, { endsSessions })
  })
  afterAll(async () => {
    await opened.stop()
    await provider.stop()
  })

  async function signIn(page: Page) {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('input[name=login]').fill('ada')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: /^Account/ }).waitFor()
  }

  test('signing out of the console ends its session, and that at the provider where it can be', async () => {
    const { page } = await opened.open('/apps')
    await signIn(page)
    const token = await page.evaluate<string>(`localStorage.getItem('cairn-session')`)
    const session = opened.service.as({ authorization: `Bearer ${token}` })
    expect((await session.get('/api/v1/user')).status).toBe(200)

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    if (endsSessions) {
      await page.waitForURL((url) => url.href.startsWith(`${provider.issuer}/session/end`))
      await page.getByRole('button', { name: /yes/i }).click()
    }
    await page.waitForURL((url) => url.href.startsWith(`${opened.service.url}/console/`))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(
      await page.evaluate(`[localStorage.getItem('cairn-session'), localStorage.getItem('cairn-identity')]`),
    ).toEqual([null, null])
    await expect.poll(async () => (await session.get('/api/v1/user')).status).toBe(401)

    await page.getByRole('button', { name: 'Sign in' }).click()
    // A user who is still signed in at the provider is not asked for the password.
    if (endsSessions) await page.locator('input[name=login]').waitFor()
    else await page.getByRole('button', { name: 'Continue' }).waitFor()
  })
})
