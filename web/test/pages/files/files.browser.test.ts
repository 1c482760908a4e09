import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxGlb, png } from '../../../../server/test/content/glb.ts'
import { formOf } from '../../../../server/test/multipart.ts'
import { compressed } from '../../../../usdz/test/content/compressed.ts'
import { expectAccessible, inAllShapes, type OpenConsole, startConsole } from '../../support/console.ts'
import { arePainted, cameraOf, coloursOf, cylinder, drawn, suzanne } from '../../support/models.ts'

type Person = Awaited<ReturnType<OpenConsole['person']>>

/** A page with a model takes long where there is no graphics card and the machine is busy. */
const LONG = 300_000

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
const sent = async (person: Person, name: string, bytes: Uint8Array | string) =>
  (await person.post('/api/upload', formOf({ name, bytes }))).body.results[0] as { fileId: number; url: string }

/** Sends a model and has it converted. */
async function converted(person: Person, name: string, bytes: Uint8Array): Promise<number> {
  const { fileId } = await sent(person, name, bytes)
  expect((await person.post(`/api/upload/${fileId}/converted_file`)).status).toBe(200)
  return fileId
}

test(
  'a model is shown with its size, what its conversion kept and lost, and the code of its AR page; keys and buttons move the camera',
  async () => {
    const keeper = await opened.person({ name: 'keeper' })
    const fileId = await converted(keeper, 'suzanne.glb', await suzanne())
    const { page, complaints } = await openAs(keeper, `/files/${fileId}`)
    await drawn(page)
    await page.getByText('2.67 m × 1.92 m × 1.63 m').waitFor()
    await page.getByRole('row', { name: /Left out Empty nodes/ }).waitFor()
    await page.getByRole('row', { name: /Kept Geometry .* 3,936 triangles/ }).waitFor()
    await page.getByRole('img', { name: 'QR code of the AR page' }).waitFor()
    expect(await page.getByRole('link', { name: 'Open the AR page' }).getAttribute('href')).toBe(`/ar/${fileId}`)

    const theta = async () => (await cameraOf(page)).theta
    const radius = async () => (await cameraOf(page)).radius
    const [before, distance] = [await theta(), await radius()]
    await page.getByRole('button', { name: 'Turn right' }).click()
    await expect.poll(theta, { timeout: LONG }).toBeCloseTo(before + Math.PI / 4)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await expect.poll(radius, { timeout: LONG }).toBeLessThan(distance)
    await page.getByRole('button', { name: 'Reset view' }).click()
    await expect.poll(theta, { timeout: LONG }).toBeCloseTo(before)
    await page.locator('model-viewer .userInput').focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => Math.abs((await theta()) - before), { timeout: LONG }).toBeGreaterThan(0.05)
    await page.getByRole('button', { name: 'Reset view' }).click()

    await inAllShapes(page, 'file-model', () => drawn(page))
    expect(complaints).toEqual([])
  },
  LONG,
)

test(
  'the USDZ that was made of a model is shown beside it, and its animation can be chosen',
  async () => {
    const keeper = await opened.person({ name: 'maker' })
    const fileId = await converted(keeper, 'cylinder.glb', await cylinder())
    const { page, complaints } = await openAs(keeper, `/files/${fileId}`)
    await drawn(page)
    await page.getByLabel('Animation', { exact: true }).first().waitFor()
    // With reduced motion nothing moves by itself.
    await page.getByRole('button', { name: 'Play animation' }).waitFor()
    await page.getByRole('radiogroup', { name: 'Displayed file' }).getByText('Side by side').click()
    await page
      .getByRole('region', { name: '3D view of cylinder.glb (USDZ)' })
      .getByText('USDZ', { exact: true })
      .waitFor()
    expect(await page.getByRole('radiogroup', { name: 'Displayed file' }).count(), 'one choice for both').toBe(1)
    await inAllShapes(page, 'file-side-by-side', () => drawn(page, 2))
    expect(complaints).toEqual([])
  },
  LONG,
)

test(
  'a USDZ with textures is drawn beside its model',
  async () => {
    const keeper = await opened.person({ name: 'painter' })
    const fileId = await converted(keeper, 'suzanne.glb', await suzanne())
    const { page, complaints } = await openAs(keeper, `/files/${fileId}`)
    await drawn(page)
    await page.getByRole('radiogroup', { name: 'Displayed file' }).getByText('Side by side').click()
    await drawn(page, 2)
    expect(await arePainted(page)).toEqual([true, true])
    expect(complaints).toEqual([])
  },
  LONG,
)

test(
  'a USDZ without textures has the colours of its model',
  async () => {
    const keeper = await opened.person({ name: 'dyer' })
    const fileId = await converted(keeper, 'red.glb', boxGlb({ colour: [0.6, 0.2, 0.1, 1] }))
    const { page } = await openAs(keeper, `/files/${fileId}`)
    await drawn(page)
    await page.getByRole('radiogroup', { name: 'Displayed file' }).getByText('Side by side').click()
    await drawn(page, 2)
    const [glb, usdz] = await coloursOf(page)
    expect(glb!.map((part) => part.toFixed(3))).toEqual(['0.600', '0.200', '0.100', '1.000'])
    expect(usdz!.map((part) => part.toFixed(3))).toEqual(glb!.map((part) => part.toFixed(3)))
  },
  LONG,
)

test.each(['draco', 'meshopt', 'ktx2'] as const)(
  'a model compressed by %s is unpacked by what this service brings: nothing is fetched from elsewhere',
  async (by) => {
    const keeper = await opened.person({ name: `by-${by}` })
    const { fileId } = await sent(keeper, `${by}.glb`, await compressed(by))
    const { page, complaints } = await openAs(keeper, `/files/${fileId}`)
    await drawn(page)
    await page.getByText('1.00 m × 1.00 m × 0.00 m').waitFor()
    expect(complaints).toEqual([])
  },
  LONG,
)

test(
  'an unconverted model is converted by a click, and the page shows when it is done',
  async () => {
    const keeper = await opened.person({ name: 'presser' })
    const { fileId } = await sent(keeper, 'box.glb', boxGlb())
    const { page, complaints } = await openAs(keeper, `/files/${fileId}`)
    await page.getByText('Not converted').waitFor()
    await page.getByRole('button', { name: 'Convert to USDZ' }).click()
    await page.getByText('Converted', { exact: true }).waitFor()
    const download = page.getByRole('link', { name: 'USDZ', exact: true })
    expect(await download.getAttribute('download')).toBe('box.usdz')
    expect(complaints).toEqual([])
  },
  LONG,
)

test(
  'a model is converted with options in a form, and the page lists the result with its report',
  async () => {
    const keeper = await opened.person({ name: 'chooser' })
    const { fileId } = await sent(keeper, 'box.glb', boxGlb())
    const { page, complaints } = await openAs(keeper, `/files/${fileId}`)
    await page.getByRole('button', { name: 'Convert with options' }).click()
    const form = page.getByRole('dialog', { name: 'Convert with options' })
    await form.getByLabel('Scale').fill('0.5')
    await form.getByLabel('Repeat the animations').check()
    await form.getByRole('button', { name: 'Convert', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    const set = page.getByRole('listitem').filter({ hasText: 'Loop, Scale 0.5' })
    await set.getByText('Converted', { exact: true }).waitFor()
    await set.getByRole('link', { name: /^Download USDZ/ }).waitFor()
    await set.getByRole('button', { name: /^Report/ }).click()
    await page.getByRole('row', { name: /Kept Geometry .* 12 triangles/ }).waitFor()
    const { conversionsWithOptions } = (await keeper.get(`/api/v1/user/files/${fileId}`)).body
    expect(conversionsWithOptions).toMatchObject([{ options: { loop: true, scale: 0.5 }, status: 'COMPLETED' }])
    await expectAccessible(page)
    expect(complaints).toEqual([])
  },
  LONG,
)

test('files are found by a part of their name and by kind, as the address says; ops see everybody’s', async () => {
  const [ada, ops] = [
    await opened.person({ name: 'ada', roles: [] }),
    await opened.person({ name: 'ops', roles: ['ops'] }),
  ]
  await converted(ada, 'old-harbour-wall-with-a-rather-long-name-of-its-own-2026-11-21.glb', boxGlb())
  await sent(ada, 'roof.png', png)
  await sent(ada, 'notes.txt', 'north of the quay')
  const { page, complaints } = await openAs(ada, '/files')
  await inAllShapes(page, 'files', () => page.getByRole('link', { name: 'notes.txt' }).waitFor())
  await page.getByText('Images', { exact: true }).click()
  await page.getByRole('link', { name: 'notes.txt' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'roof.png' }).waitFor()
  await page.getByLabel('Search by name').fill('wall')
  await page.getByText('No files match “wall”.').waitFor()
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ search: 'wall', kind: 'image' })
  await page.getByText('All', { exact: true }).click()
  await page.getByRole('link', { name: /old-harbour-wall/ }).waitFor()
  expect(await page.getByLabel('All users’ files').count()).toBe(0)
  expect(complaints).toEqual([])

  const theirs = await openAs(ops, '/files')
  await theirs.page.getByText('No files yet').waitFor()
  await inAllShapes(theirs.page, 'files-empty', () => theirs.page.getByText('No files yet').waitFor())
  await theirs.page.getByLabel('All users’ files').check()
  await theirs.page.getByRole('link', { name: 'notes.txt' }).waitFor()
  expect(theirs.complaints).toEqual([])
})

test('several files are sent at once; a model among them is converted, a broken one says why not', async () => {
  const keeper = await opened.person({ name: 'sender' })
  const { page, complaints } = await openAs(keeper, '/files')
  const file = (name: string, bytes: Uint8Array) => ({ name, mimeType: '', buffer: Buffer.from(bytes) })
  await page
    .locator('input[type="file"]')
    .setInputFiles([file('box.glb', boxGlb()), file('roof.png', png), file('broken.glb', boxGlb().slice(0, 300))])
  const queue = page.getByRole('list', { name: 'Uploads' })
  await queue.getByText('Uploaded, but the conversion to USDZ failed').waitFor()
  await expect.poll(() => queue.getByText('Uploaded', { exact: true }).count()).toBe(3)
  await inAllShapes(page, 'files-sent', () => page.getByRole('table').getByText('Converted', { exact: true }).waitFor())
  const { files } = (await keeper.get('/api/v1/user/files')).body
  expect(files.map(({ fileName }: { fileName: string }) => fileName).sort()).toEqual([
    'box.glb',
    'broken.glb',
    'roof.png',
  ])
  await queue.getByRole('button', { name: 'Remove roof.png from this list' }).click()
  expect(await queue.getByRole('listitem').count()).toBe(2)
  expect(complaints).toEqual([])
})

test('a paused upload resumes after a reload, with the same file, at its offset', async () => {
  const keeper = await opened.person({ name: 'pauser' })
  const { page, complaints } = await openAs(keeper, '/files')
  const buffer = Buffer.alloc(1_500_000, 'stone')
  const choose = () => page.locator('input[type="file"]').setInputFiles({ name: 'quay.bin', mimeType: '', buffer })

  // The second piece is held: the upload stands still in the middle.
  const offsets: number[] = []
  let isHeld = true
  await page.route('**/api/upload/tus/*', async (route) => {
    const request = route.request()
    if (request.method() !== 'PATCH') return route.continue()
    offsets.push(Number(request.headers()['upload-offset']))
    if (!isHeld || offsets.length < 2) return route.continue()
  })
  await choose()
  await expect.poll(() => offsets.length).toBe(2)
  await page.getByRole('button', { name: 'Pause quay.bin' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Choose the same file again').waitFor()
  await inAllShapes(page, 'files-paused', () => page.getByRole('button', { name: 'Choose quay.bin again' }).waitFor())

  isHeld = false
  await choose()
  await page.getByRole('list', { name: 'Uploads' }).getByText('Uploaded', { exact: true }).waitFor()
  expect(offsets[1]).toBeGreaterThan(0)
  expect(offsets[2]).toBe(offsets[1])
  const [file] = (await keeper.get('/api/v1/user/files')).body.files
  expect(Buffer.from(await (await fetch(file.url)).arrayBuffer()).equals(buffer)).toBe(true)
  await page.reload()
  await page.getByRole('link', { name: 'quay.bin' }).waitFor()
  expect(await page.getByText('Choose the same file again').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a file is deleted after a question; one that a scan shows stays, and the dialog names the scan', async () => {
  const keeper = await opened.person({ name: 'remover' })
  const { fileId } = await sent(keeper, 'shown.txt', 'shown by a scan')
  await keeper.post('/api/v1/user/scans', { fileId, title: 'Quay stairs' })
  const { page, complaints } = await openAs(keeper, `/files/${fileId}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText(/still used by scan \S+ "Quay stairs"/).waitFor()
  await inAllShapes(page, 'file-delete', () => dialog.getByText('Quay stairs').waitFor())

  const { fileId: free } = await sent(keeper, 'free.txt', 'shown by nothing')
  await page.goto(`${opened.service.url}/console/files/${free}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('free.txt was deleted').waitFor()
  expect((await keeper.get(`/api/v1/user/files/${free}`)).status).toBe(404)
  expect(complaints).toEqual([])
})
