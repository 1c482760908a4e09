import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from './console.ts'

let opened: OpenConsole
let admin: Awaited<ReturnType<OpenConsole['person']>>
beforeAll(async () => {
  opened = await startConsole()
  admin = await opened.person({ name: 'keeper' })
})
afterAll(() => opened.stop())

test('an admin finds a user, gives a role, and it counts at the service; the audit log of that user tells', async () => {
  const { open, person } = opened
  const ben = await person({ name: 'ben', roles: [] })
  const { page, complaints } = await open('/users?q=be', { token: admin.token })
  await inAllShapes(page, 'users', () => page.getByRole('link', { name: 'ben' }).waitFor())
  await page.getByRole('link', { name: 'ben' }).click()
  await page.getByRole('checkbox', { name: 'Ops' }).check()
  await page.getByRole('button', { name: 'Save roles' }).click()
  await page.getByText('ben has ops now').waitFor()
  expect((await admin.get(`/api/v1/users/${ben.id}`)).body.roles).toEqual(['ops'])
  await inAllShapes(page, 'user', () => page.getByRole('heading', { name: 'ben' }).waitFor())
  expect(complaints).toEqual([])
})

test('the audit log is filtered by what is in the address, and the address follows the filters', async () => {
  const { id } = await opened.person({ name: 'cleo', roles: [] })
  expect((await admin.put(`/api/v1/users/${id}/roles`, { roles: ['ops'] })).status).toBe(200)
  const { page, complaints } = await opened.open('/audit', { token: admin.token })
  await inAllShapes(page, 'audit', () => page.getByText('user.roles_changed').first().waitFor())
  await page.getByLabel('What', { exact: true }).fill('no.such')
  await page.getByText('Nothing fits these filters').waitFor()
  expect(page.url()).toContain('action=no.such')
  expect(complaints).toEqual([])
})

test('health shows every part, what limits are set, and that no job has failed', async () => {
  const { page, complaints } = await opened.open('/health', { token: admin.token })
  await inAllShapes(page, 'health', () =>
    page.getByText('CAIRN_LIMIT_KEY_PER_MINUTE').first().waitFor({ state: 'attached' }),
  )
  await page.getByText('No job has failed').waitFor()
  expect(await page.getByRole('region', { name: 'Parts' }).first().textContent()).toMatch(/Database[\s\S]*Good/)
  expect(complaints).toEqual([])
})

test('without a role the pages of the box are absent from the navigation, and their addresses say what is needed', async () => {
  const { open, person } = opened
  const guest = await person({ name: 'guest', roles: [] })
  const { page, complaints } = await open('/health', { token: guest.token })
  await page.getByText('Not allowed').waitFor()
  expect(await page.getByRole('link', { name: 'Health' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Map' }).count()).toBeGreaterThan(0)
  await inAllShapes(page, 'not-allowed', () => page.getByText('Not allowed').waitFor())
  expect(complaints).toEqual([])
})
