import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxGlb, png } from '../../../../server/test/content/glb.ts'
import { formOf } from '../../../../server/test/multipart.ts'
import { ply } from '../../../../usdz/test/content/mesh-files.ts'
import { square, textPackage } from '../../../../usdz/test/content/text-package.ts'
import { expectAccessible, type OpenConsole, startConsole } from '../../support/console.ts'
import { drawn } from '../../support/models.ts'

/** A page with a model takes long where there is no graphics card and the machine is busy. */
const LONG = 300_000

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

/** A page of a file of a new user, who has sent these files; the first is shown. */
async function pageOf(name: string, ...files: { name: string; bytes: Uint8Array }[]) {
  const person = await opened.person({ name })
  const { results } = (await person.post('/api/upload', formOf(...files))).body
  const fileId: number = results[0].fileId
  const { page, complaints } = await opened.open(`/files/${fileId}`, { token: person.token, reducedMotion: 'reduce' })
  page.setDefaultTimeout(120_000)
  const sets = async () => (await person.get(`/api/v1/user/files/${fileId}`)).body.conversionsWithOptions
  return { page, complaints, sets, results }
}

test(
  'a PLY says that it has no unit, is converted by a click, and is then drawn from its USDZ',
  async () => {
    const { page, complaints } = await pageOf('caster', { name: 'thing.ply', bytes: ply({ colors: true }) })
    await page.getByText('Its format has no unit of length').waitFor()
    await page.getByRole('button', { name: 'Convert to USDZ' }).click()
    await drawn(page)
    await page.getByText('2.00 m × 3.00 m × 4.00 m').waitFor()
    await page.getByRole('row', { name: /Kept Geometry .* One unit of the file is 1 m\./ }).waitFor()
    await page.getByText('Scan this with an iPhone or iPad.').waitFor()
    const download = page.getByRole('link', { name: 'USDZ', exact: true })
    expect(await download.getAttribute('download')).toBe('thing.usdz')
    await expectAccessible(page)
    expect(complaints).toEqual([])
  },
  LONG,
)

test(
  'a USDZ is converted to GLB by a click, with what is left out, and the GLB is then shown beside it',
  async () => {
    const usdz = textPackage(`${square('Seat')} def SphereLight "Lamp" { }`)
    const { page, complaints, sets } = await pageOf('carver', { name: 'chair.usdz', bytes: usdz })
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Convert to GLB' }).click()
    const download = page.getByRole('link', { name: 'GLB', exact: true })
    await download.waitFor()
    expect(await download.getAttribute('download')).toBe('chair.glb')
    await page.getByRole('row', { name: /Left out .* Lights are left out\./ }).waitFor()
    expect(await sets()).toMatchObject([{ options: { format: 'glb' }, status: 'COMPLETED' }])
    await page.getByRole('radiogroup', { name: 'Displayed file' }).getByText('Side by side').click()
    await page.getByRole('region', { name: '3D view of chair.usdz (GLB)' }).waitFor()
    await drawn(page, 2)
    await expectAccessible(page)
    expect(complaints).toEqual([])
  },
  LONG,
)

test(
  'a model is anchored on an image that its owner chooses; the form names what is missing',
  async () => {
    const { page, complaints, sets, results } = await pageOf(
      'hanger',
      { name: 'box.glb', bytes: boxGlb() },
      { name: 'poster.png', bytes: png },
    )
    await page.getByRole('button', { name: 'Convert with options' }).click()
    const form = page.getByRole('dialog', { name: 'Convert with options' })
    const convert = form.getByRole('button', { name: 'Convert', exact: true })
    await form.getByLabel('Place on').click()
    await page.getByRole('option', { name: 'An image' }).click()
    await form.getByRole('combobox', { name: 'Image', exact: true }).click()
    await page.getByRole('option', { name: 'poster.png' }).click()
    await convert.click()
    await form.getByText('is required with anchor=image').waitFor()
    await form.getByLabel('Width of the image').fill('0.3')
    await convert.click()
    await form.waitFor({ state: 'detached' })
    const options = { anchor: 'image', anchorImageId: results[1].fileId, anchorWidth: 0.3 }
    expect(await sets()).toMatchObject([{ options, status: 'COMPLETED' }])
    const set = page.getByRole('listitem').filter({ hasText: 'Placed on image' })
    await set.getByText('Converted', { exact: true }).waitFor()
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  },
  LONG,
)
