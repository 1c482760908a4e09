import { afterAll, beforeAll, expect, test } from 'vitest'
import { formOf } from '../../../../server/test/multipart.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../../support/console.ts'
import { cylinder, drawn, suzanne } from '../../support/models.ts'

/** A page with a model takes long where there is no graphics card and the machine is busy. */
const LONG = 300_000

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test(
  'a model that was looked at has its picture in the list, until the user signs out',
  async () => {
    const person = await opened.person({ name: 'looker' })
    const sent = async (name: string, bytes: Uint8Array) =>
      (await person.post('/api/upload', formOf({ name, bytes }))).body.results[0].fileId as number
    const fileId = await sent('suzanne.glb', await suzanne())
    await sent('cylinder.glb', await cylinder())
    const { page, complaints } = await opened.open(`/files/${fileId}`, { token: person.token, reducedMotion: 'reduce' })
    page.setDefaultTimeout(120_000)
    await drawn(page)
    const kept = () => page.evaluate(`localStorage.getItem('cairn-model-pictures')`)
    await expect.poll(kept, { timeout: LONG }).toContain('data:image/')
    await page.goto(`${opened.service.url}/console/files`)
    const image = page.getByRole('row', { name: 'suzanne.glb' }).locator('img')
    await expect.poll(() => image.evaluate((one: { naturalWidth: number }) => one.naturalWidth)).toBe(52)
    await inAllShapes(page, 'files-pictures', () => image.waitFor())
    expect(await page.getByRole('row', { name: 'cylinder.glb' }).locator('img').count()).toBe(0)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect.poll(kept).toBe(null)
    expect(complaints).toEqual([])
  },
  LONG,
)
