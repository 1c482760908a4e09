import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

const PASSWORD = 'correct horse battery'
const OPERATOR = { actor: 'operator', address: null }

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test('an admin creates an account; its owner sets a password by the link, in another browser, is signed in, and signs in again with it', async () => {
  const { open, person, service } = opened
  const { page, complaints } = await open('/accounts', { token: (await person()).token })
  await page.getByText('No accounts yet').waitFor()
  await page.getByRole('button', { name: 'New account' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Create account' }).click()
  await form.getByText('This field is required').waitFor()
  await form.getByLabel('Login').fill('grace')
  await form.getByLabel('Email').fill('nowhere')
  await form.getByRole('button', { name: 'Create account' }).click()
  await form.locator('[aria-invalid="true"]').waitFor()
  await form.getByLabel('Email').fill('grace@example.com')
  await form.getByLabel('Ops').check()
  await inAllShapes(page, 'new-account', () => form.getByLabel('Ops').waitFor())
  await form.getByRole('button', { name: 'Create account' }).click()
  const made = page.getByRole('dialog', { name: 'Account grace created' })
  await inAllShapes(page, 'account-link', () => made.getByText('/set-password?code=').waitFor())
  const link = (await made.locator('pre').textContent())!
  await made.getByRole('button', { name: 'Done' }).click()
  await inAllShapes(page, 'accounts', () => page.getByText('No password yet').waitFor())
  expect(await page.getByText(link).count(), 'it is shown once').toBe(0)

  const guest = await open('/')
  await guest.page.goto(link)
  await inAllShapes(guest.page, 'set-password', () =>
    guest.page.getByRole('heading', { name: 'Choose a password' }).waitFor(),
  )
  await guest.page.getByLabel('Password', { exact: true }).fill('short')
  await guest.page.getByLabel('Password again').fill('short')
  await guest.page.getByRole('button', { name: 'Set password' }).click()
  await guest.page.getByText('The password must have at least 8 characters').waitFor()
  await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await guest.page.getByLabel('Password again').fill(PASSWORD)
  await guest.page.getByRole('button', { name: 'Set password' }).click()
  await guest.page.waitForURL(/\/console\/welcome\//)
  await guest.page.goto(`${service.url}/console/accounts`)
  await guest.page.getByRole('button', { name: 'Account: grace' }).click()
  await guest.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await guest.page.getByRole('button', { name: 'Sign in' }).click()
  await guest.page.getByLabel('Login').fill('grace')
  await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await guest.page.keyboard.press('Enter')
  await guest.page.waitForURL(/\/console\/welcome\//)
  await guest.page.goto(link)
  await guest.page.getByText('This link is not valid').first().waitFor()
  expect([...complaints, ...guest.complaints]).toEqual([])
  expect((await service.app.operator.accounts.find('grace'))?.hasPassword).toBe(true)
})

test('an account gets another email address, is disabled, enabled, gets another password link and is deleted, and ops cannot change an admin', async () => {
  const { open, person, service } = opened
  await service.app.operator.accounts.add({ login: 'bob', password: PASSWORD }, OPERATOR)
  await service.app.operator.accounts.add({ login: 'root', password: PASSWORD, roles: ['admin'] }, OPERATOR)
  const ops = await person({ name: 'olga', roles: ['ops'] })
  const { page, complaints } = await open('/accounts?q=bob', { token: ops.token })
  const act = async (login: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${login}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await act('bob', 'Change email…')
  const form = page.getByRole('dialog', { name: 'Email of bob' })
  await form.getByLabel('Email').fill('nowhere')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.locator('[aria-invalid="true"]').waitFor()
  await form.getByLabel('Email').fill('bob@example.com')
  await inAllShapes(page, 'account-email', () => form.getByLabel('Email').waitFor())
  await form.getByRole('button', { name: 'Save' }).click()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('cell', { name: 'bob@example.com' }).waitFor()
  await act('bob', 'Disable…')
  await page.getByRole('button', { name: 'Disable account' }).click()
  await page.getByRole('cell', { name: 'Disabled' }).waitFor()
  await act('bob', 'Enable')
  await page.getByRole('cell', { name: 'Active' }).waitFor()
  await act('bob', 'New password link…')
  await page.getByRole('button', { name: 'Create link' }).click()
  const made = page.getByRole('dialog', { name: 'Password link for bob' })
  await made.getByText('/set-password?code=').waitFor()
  await made.getByRole('button', { name: 'Done' }).click()
  await act('bob', 'Delete…')
  await page.getByLabel('Type bob to confirm').fill('bob')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByText('No accounts match “bob”').waitFor()

  await page.getByPlaceholder('Search by login or email').fill('root')
  await page.getByRole('button', { name: 'Actions for root' }).click()
  await page.getByRole('menuitem', { name: 'Roles and activity' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Disable…' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New account' }).click()
  await page.getByRole('dialog').getByLabel('Login').waitFor()
  expect(await page.getByRole('radio').count(), 'only admins grant roles').toBe(0)
  expect(complaints).toEqual([])
})

test('the account menu leads to the own password, which is changed with the present one', async () => {
  const { open, service } = opened
  const { user } = await service.app.operator.accounts.add({ login: 'hedy', password: PASSWORD }, OPERATOR)
  const { token } = await service.app.identity.openFor(user)
  const { page, complaints } = await open('/apps', { token })
  await page.getByRole('button', { name: 'Account: hedy' }).click()
  await page.getByRole('menuitem', { name: 'Change password' }).click()
  await inAllShapes(page, 'password', () => page.getByRole('heading', { name: 'Change password', level: 1 }).waitFor())
  const fill = async (current: string, next: string, again = next) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill(next)
    await page.getByLabel('New password again').fill(again)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await fill(PASSWORD, 'better horse battery', 'other horse battery')
  await page.getByText('The two passwords differ').waitFor()
  await fill('wrong one', 'better horse battery')
  await page.getByText('This is not your current password').waitFor()
  await fill(PASSWORD, 'password1')
  await page.getByText('one of the most common passwords').waitFor()
  await fill(PASSWORD, 'better horse battery')
  await page.getByText('Password changed').waitFor()
  expect((await service.as({ authorization: `Bearer ${token}` }).get('/api/v1/user')).status).toBe(200)
  expect(await service.app.operator.accounts.signIn('hedy', 'better horse battery', '127.0.0.1')).toBeDefined()
  expect(complaints).toEqual([])
})

test('with an identity provider instead of local accounts, the console offers neither', async () => {
  const settings = { CAIRN_OIDC: JSON.stringify([{ issuer: 'https://login.example', audience: 'cairn' }]) }
  const elsewhere = await startConsole(settings)
  const { page } = await elsewhere.open('/accounts', { token: (await elsewhere.person()).token })
  await page.getByText('No local accounts').waitFor()
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).count()).toBe(0)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Personal tokens' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Change password' }).count()).toBe(0)
  await elsewhere.stop()
})
