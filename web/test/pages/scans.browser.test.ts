import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxGlb } from '../../../server/test/content/glb.ts'
import { plyFile } from '../../../server/test/content/scan-files.ts'
import { sendScan, settledScan, uploadOf } from '../../../server/test/content/scans.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { drawn, pictured, suzanne } from '../support/models.ts'

type Person = Awaited<ReturnType<OpenConsole['person']>>

/** A page with a model takes long where there is no graphics card and the machine is busy. */
const LONG = 300_000
const STAIRS = { title: 'Quay stairs', lat: 54.323917, long: 10.139402 }

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

const openAs = async (person: Person, path: string) => {
  // A model that moves is drawn without end, which a machine without a graphics card is slow at.
  const { page, complaints } = await opened.open(path, { token: person.token, reducedMotion: 'reduce' })
  page.setDefaultTimeout(120_000)
  return { page, complaints }
}
async function scanned(person: Person, name: string, bytes: Uint8Array, texts: Record<string, string | number> = {}) {
  const { body } = await sendScan(person, { name, bytes }, texts)
  return settledScan(person, body.id)
}

test('the gallery shows one’s own scans with pictures and places, and the public ones of others; a scan of another opens', async () => {
  const [ada, ben] = [await opened.person({ name: 'ada', roles: [] }), await opened.person({ name: 'ben', roles: [] })]
  await opened.given.app({ owner: ben })
  await scanned(ada, 'stairs.glb', await suzanne(), { ...STAIRS, visibility: 'public' })
  await scanned(ada, 'wall.ply', plyFile())
  const { page, complaints } = await openAs(ada, '/scans')
  await inAllShapes(page, 'scans', () => pictured(page))
  await page.getByText('Kiel', { exact: false }).first().waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'wall.ply' }).getByText('Private').count()).toBe(1)
  expect(complaints).toEqual([])

  const theirs = await openAs(ben, '/scans')
  await theirs.page.getByText('No scans yet').waitFor()
  await theirs.page.getByRole('radiogroup', { name: 'Owner' }).getByText('Public').click()
  await theirs.page.getByRole('link', { name: 'Quay stairs' }).click()
  await theirs.page.getByRole('heading', { name: 'Quay stairs' }).waitFor()
  expect(await theirs.page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
  expect(theirs.complaints).toEqual([])
})

test('a scan of a type that is not recognised is unreadable, in the gallery and on its page, not ready', async () => {
  const dan = await opened.person({ name: 'dan', roles: [] })
  const { id } = await scanned(dan, 'notes.bin', new TextEncoder().encode('nothing that is known'))
  const { page, complaints } = await openAs(dan, '/scans')
  await page.getByRole('listitem').filter({ hasText: 'notes.bin' }).getByText('Unreadable').waitFor()
  await page.getByRole('link', { name: 'notes.bin' }).click()
  await page.waitForURL(new RegExp(id))
  await page.getByText('Unreadable', { exact: true }).waitFor()
  await page.getByText('The type of this file could not be recognised.').waitFor()
  expect(await page.getByText('Ready', { exact: true }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the gallery is a map too: rings where scans were taken, with a list beside it that counts those without a place', async () => {
  const eve = await opened.person({ name: 'eve', roles: [] })
  await scanned(eve, 'stairs.ply', plyFile(), STAIRS)
  await scanned(eve, 'wall.ply', plyFile())
  const { page, complaints } = await openAs(eve, '/scans')
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Map').click()
  const list = page.getByRole('list', { name: 'Scans on the map' })
  await list.getByText('1 scan has no location').waitFor()
  const map = page.locator('[data-map="idle"]')
  await inAllShapes(page, 'scans-map', () => map.waitFor())
  const row = list.getByRole('listitem').filter({ hasText: 'Quay stairs' })
  expect(await row.getAttribute('aria-current')).toBe('false')
  // The only ring is in the middle.
  await map.click()
  await expect.poll(() => row.getAttribute('aria-current')).toBe('true')
  expect(new URL(page.url()).searchParams.get('view')).toBe('map')
  expect(complaints).toEqual([])
})

test(
  'a scan is shown in 3D with everything found in it, and leads to its place on the map',
  async () => {
    const keeper = await opened.person({ name: 'keeper' })
    const timestamp = '2026-06-21T10:00:00Z'
    const { id, fileId } = await scanned(keeper, 'stairs.glb', await suzanne(), { ...STAIRS, timestamp })
    const { page, complaints } = await openAs(keeper, `/scans/${id}`)
    await inAllShapes(page, 'scan', () => drawn(page))
    const facts = page.getByRole('region', { name: 'Details' })
    for (const fact of ['GLB', '2.67 m × 1.92 m × 1.63 m', '3,936', 'morning'])
      await facts.getByText(fact, { exact: true }).waitFor()
    const onMap = await page.getByRole('link', { name: 'Show on the map' }).getAttribute('href')
    const search = new URL(onMap!, opened.service.url).searchParams
    expect([Number(search.get('lat')), Number(search.get('lon')), search.get('select')]).toEqual([
      STAIRS.lat,
      STAIRS.long,
      `scan:${id}`,
    ])
    expect(await page.getByRole('link', { name: 'AR code and conversion report' }).getAttribute('href')).toBe(
      `/console/files/${fileId}`,
    )
    expect(complaints).toEqual([])
  },
  LONG,
)

test('a new scan is made of a file that is chosen, and its page shows what is found as soon as it is', async () => {
  const keeper = await opened.person({ name: 'maker' })
  const { page, complaints } = await openAs(keeper, '/scans')
  await page.getByText('No scans yet').waitFor()
  await page.getByRole('button', { name: 'New scan' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Pyramid')
  await page.locator('input[type="file"]').setInputFiles({ name: 'p.ply', mimeType: '', buffer: plyFile() })
  await inAllShapes(page, 'scan-new', () => dialog.getByText(/^p\.ply, /).waitFor())
  await dialog.getByRole('button', { name: 'Create scan' }).click()
  await page.getByRole('heading', { name: 'Pyramid' }).waitFor()
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByRole('img', { name: 'Preview of Pyramid' }).waitFor()
  await page.getByText('2.00 m × 2.00 m × 1.50 m').waitFor()
  await inAllShapes(page, 'scan-picture', () => pictured(page))
  expect(complaints).toEqual([])
})

test('a scan that failed says why and can be tried again; it is renamed, placed, made public and deleted', async () => {
  const keeper = await opened.person({ name: 'mender' })
  const { fileId } = await uploadOf(keeper, { name: 'broken.bin', bytes: boxGlb().slice(0, 300) })
  const { id } = (await keeper.post('/api/v1/user/scans', { fileId })).body
  const { error } = await settledScan(keeper, id)
  const { page, complaints } = await openAs(keeper, `/scans/${id}`)
  await page.getByRole('alert').getByText(error).waitFor()
  await inAllShapes(page, 'scan-failed', () => page.getByRole('alert').getByText(error).waitFor())
  const retried = page.waitForResponse((response) => response.url().endsWith(`/scans/${id}/retry`))
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  expect((await retried).status()).toBe(200)
  await page.getByRole('alert').getByText(error).waitFor()

  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Quay stairs')
  await dialog.getByLabel('Latitude').fill('99')
  await dialog.getByLabel('Longitude').fill('10.139402')
  await dialog.getByText('Public', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => dialog.getByLabel('Latitude').getAttribute('aria-invalid')).toBe('true')
  await inAllShapes(page, 'scan-edit', () => dialog.getByLabel('Latitude').waitFor())
  await dialog.getByLabel('Latitude').fill('54.323917')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Quay stairs' }).waitFor()
  expect((await keeper.get(`/api/v1/user/scans/${id}`)).body).toMatchObject({ ...STAIRS, visibility: 'public' })

  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Quay stairs was deleted').waitFor()
  expect((await keeper.get(`/api/v1/user/scans/${id}`)).status).toBe(404)
  expect(complaints).toEqual([])
})
