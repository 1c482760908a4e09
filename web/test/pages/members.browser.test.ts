import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { inPage } from '../support/in-page.ts'

let opened: OpenConsole
let owner: Awaited<ReturnType<OpenConsole['person']>>
let appId: string
beforeAll(async () => {
  opened = await startConsole()
  owner = await opened.person({ name: 'owner', roles: [] })
  appId = (await opened.given.app({ owner, name: 'Harbour Hunt' })).id
})
afterAll(() => opened.stop())

const membersOf = async () => (await owner.get(`/api/v1/apps/${appId}/members`)).body.members

test('an invitation leads its reader into the app, with the role that was chosen', async () => {
  const { open, person } = opened
  const { page, complaints } = await open(`/apps/${appId}/members`, { token: owner.token })
  await page.getByText('No pending invitations').waitFor()
  await page.getByRole('button', { name: 'Invite a member' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite someone to Harbour Hunt' })
  await inAllShapes(page, 'members-invite', () => dialog.getByLabel('Moderator').waitFor())
  await dialog.getByLabel('Moderator').check()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = (await dialog.getByText(/\/console\/invitation#/).textContent())!
  await dialog.getByRole('button', { name: 'Done' }).click()
  await inAllShapes(page, 'members', () => page.getByRole('button', { name: 'Revoke' }).waitFor())

  const mate = await person({ name: 'mate', roles: [] })
  const invited = await open(new URL(link).pathname.replace('/console', '') + new URL(link).hash, { token: mate.token })
  await inAllShapes(invited.page, 'invitation', () =>
    invited.page.getByRole('button', { name: 'Accept invitation' }).waitFor(),
  )
  await invited.page.getByRole('button', { name: 'Accept invitation' }).click()
  await invited.page.getByRole('heading', { name: 'Harbour Hunt' }).waitFor()
  expect(await membersOf()).toMatchObject([
    { userId: owner.id, role: 'owner' },
    { userId: mate.id, role: 'moderator' },
  ])
  expect([...complaints, ...invited.complaints]).toEqual([])
})

test('a moderator sees players and no keys, webhooks and invitations', async () => {
  const { open, person } = opened
  const mate = await person({ name: 'moderator', roles: [] })
  await owner.post(`/api/v1/apps/${appId}/members`, { userId: mate.id, role: 'moderator' })
  const { page, complaints } = await open(`/apps/${appId}/players`, { token: mate.token })
  await page.getByRole('region', { name: 'All players' }).getByRole('button', { name: 'New player' }).waitFor()
  await page.goto(`${opened.service.url}/console/apps/${appId}/members`)
  await page.getByText('You', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  expect(await page.getByRole('heading', { name: 'Invitations' }).count()).toBe(0)
  await page.goto(`${opened.service.url}/console/apps/${appId}/webhooks`)
  await page.getByText('Your role in this app does not include this page.').waitFor()
  expect(complaints).toEqual([])
})

test('an owner changes the role of a member, and removes it after a question', async () => {
  const { open, person } = opened
  const mate = await person({ name: 'gone', roles: [] })
  await owner.post(`/api/v1/apps/${appId}/members`, { userId: mate.id, role: 'viewer' })
  const roleOf = async () =>
    (await membersOf()).find(({ userId }: { userId: string }) => userId === mate.id)?.role as string | undefined
  const { page, complaints } = await open(`/apps/${appId}/members`, { token: owner.token })
  await page.getByRole('combobox', { name: `Role of ${mate.id}` }).click()
  await page.getByRole('option', { name: 'Developer' }).click()
  await expect.poll(roleOf).toBe('developer')
  await page.locator('tr', { hasText: mate.id }).getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click()
  await expect.poll(roleOf).toBe(undefined)
  expect(complaints).toEqual([])
})

test('on a phone, in German, no word of a member’s name is broken beside the role and the button', async () => {
  const { open, person, given } = opened
  const admin = await person({ name: 'Wilhelmine von Habsburg-Lothringen' })
  const app = await given.app({ owner: admin, name: 'Hafenrunde' })
  const mate = await person({ name: 'Maximilian.Oberlechner' })
  await admin.post(`/api/v1/apps/${app.id}/members`, { userId: mate.id, role: 'moderator' })
  const { page } = await open(`/apps/${app.id}/members`, {
    ...{ token: admin.token, locale: 'de-DE' },
    viewport: { width: 375, height: 812 },
  })
  await page.getByRole('link', { name: 'Maximilian.Oberlechner' }).waitFor()
  await page.getByRole('combobox').first().waitFor()
  expect(await inPage<string[]>(page, 'cramped')).toEqual([])
})
