import { afterAll, beforeAll, expect, test } from 'vitest'
import { formOf } from '../../../../server/test/multipart.ts'
import { expectAccessible, expectNoSidewaysScroll, type OpenConsole, startConsole } from '../../support/console.ts'
import { suzanne } from '../../support/models.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

async function model() {
  const placer = await opened.person({ name: 'placer' })
  const { body } = await placer.post('/api/upload', formOf({ name: 'suzanne.glb', bytes: await suzanne() }))
  const { fileId, url } = body.results[0] as { fileId: number; url: string }
  expect((await placer.post(`/api/upload/${fileId}/converted_file`)).status).toBe(200)
  return { fileId, url }
}

test.each(['', '?on=screen'])(
  'the AR page runs one script of the service on a desktop%s, which loads the model alone',
  async (on) => {
    const { fileId, url } = await model()
    const answer = await fetch(`${opened.service.url}/ar/${fileId}${on}`)
    const policy = answer.headers.get('content-security-policy')!.split('; ')
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'")
    expect(policy).toContain(`connect-src 'self' data: blob: ${new URL(url).origin}`)
    const page = await answer.text()
    const [, script] = /<script type="module" src="(\/console\/assets\/[^"]+)">/.exec(page)!
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).toContain(`id="model" data-glb="${url}"`)
    expect((await fetch(opened.service.url + script)).status).toBe(200)
  },
)

test('the AR page is clear at every width and in both themes, without a session, and draws the model on a desktop', async () => {
  const { fileId } = await model()
  const { page, complaints } = await opened.open('/', { javaScriptEnabled: true })
  page.setDefaultTimeout(120_000)
  const folder = process.env.CAIRN_TEST_SHOTS
  for (const on of ['', '?on=apple', '?on=android'])
    for (const [width, colorScheme] of Object.entries({ 320: 'light', 375: 'dark', 1600: 'light' } as const)) {
      await page.setViewportSize({ width: Number(width), height: 812 })
      await page.emulateMedia({ colorScheme })
      await page.goto(`${opened.service.url}/ar/${fileId}${on}`)
      await page.getByRole('heading', { name: 'suzanne', exact: true }).waitFor()
      if (on === '') {
        await page.getByRole('img', { name: 'QR code of this page' }).waitFor()
        await page.locator('#model[data-state=drawn]').waitFor()
      }
      if (folder) await page.screenshot({ path: `${folder}/ar${on.slice(4)}-${colorScheme}-${width}.png` })
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    }
  expect(complaints).toEqual([])
}, 300_000)
