import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { buildersOn } from '../../../server/test/builders.ts'
import { type Service, startService } from '../../../server/test/service.ts'
import { SOFTWARE_WEBGL } from '../../../usdz/browser/software-webgl.ts'

/** The console in a real browser, on a real service. */
export type OpenConsole = Awaited<ReturnType<typeof startConsole>>

type OpenOptions = BrowserContextOptions & { token?: string; script?: string; isSharp?: boolean }

/** Without a graphics card, the processor draws each pixel: a map or a model has a quarter of those of its page, and the light that a model reflects is sampled less often. */
const CHEAPER_DRAWING = `{
  Object.defineProperty(window, 'devicePixelRatio', { value: 0.5 })
  const { shaderSource } = WebGL2RenderingContext.prototype
  WebGL2RenderingContext.prototype.shaderSource = function (shader, text) {
    shaderSource.call(this, shader, text.replace(/#define GGX_SAMPLES \\d+/, '#define GGX_SAMPLES 4'))
  }
}`

const ARGS = ['--no-sandbox', '--disable-background-networking', ...SOFTWARE_WEBGL]

/** Builds the console if it is stale, and starts a service and a browser. @param args more of the browser */
export async function startConsole(settings: Record<string, string> = {}, args: string[] = []) {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../build.ts', import.meta.url))], { stdio: 'inherit' })
  // Faults of the service are reported with the test that failed.
  const service: Service = await startService({ CAIRN_LOG_LEVEL: process.env.CAIRN_TEST_LOG ?? 'error', ...settings })
  const browser: Browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: [...ARGS, ...args] })
  const given = buildersOn(service)

  /** A person with a session, as their API caller and their token. */
  const person = async (options: { name?: string; roles?: string[] } = {}) => {
    const user = await service.app.localUser(options.name ?? 'keeper', options.roles ?? ['admin'])
    const { token } = await service.app.identity.openFor(user)
    return { ...service.as({ authorization: `Bearer ${token}` }), id: user.id, token }
  }

  /** A page of the console, and what it complained of: errors, refused content, requests to elsewhere. Signed in when a token is given. @param script runs before the page's own @param isSharp maps and models are drawn as for users */
  const open = async (path: string, { token, script, isSharp = false, ...context }: OpenOptions = {}) => {
    const opened = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context })
    if (!isSharp) await opened.addInitScript(CHEAPER_DRAWING)
    if (token) await opened.addInitScript(`localStorage.setItem('cairn-session', ${JSON.stringify(token)})`)
    if (script) await opened.addInitScript(script)
    const page = await opened.newPage()
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') console.log(`What the page shows at ${page.url()}:\n${await readingOf(page)}`)
      // A page that is no longer visible keeps drawing.
      await opened.close()
    })
    // For what hangs, not for what is slow.
    page.setDefaultTimeout(120_000)
    const complaints = watch(page, service.url)
    await page.goto(`${service.url}/console${path}`)
    return { page, complaints }
  }

  return {
    service,
    given,
    person,
    open,
    stop: async () => {
      await browser.close()
      await service.stop()
    },
  }
}

/** The text of a page, shortened. */
const readingOf = async (page: Page): Promise<string> =>
  (
    await page
      .locator('body')
      .ariaSnapshot({ timeout: 10_000 })
      .catch((error: Error) => error.message)
  ).slice(0, 6000)

function watch(page: Page, origin: string): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refused request is the page's to explain; a broken policy never is.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(blob|data):/.test(request.url()))
      complaints.push(`fetched ${request.url()}`)
  })
  return complaints
}

/** What axe finds against WCAG 2.2 AA: nothing, or the test fails with each fault and where it is. */
export async function expectAccessible(page: Page) {
  // The page's own policy refuses scripts that are added to it: this one comes from the browser's side.
  const client = await page.context().newCDPSession(page)
  await client.send('Page.setBypassCSP', { enabled: true })
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    // @ts-expect-error put there by the line above
    const { violations } = await window.axe.run(document, { runOnly: { type: 'tag', values: tags } })
    return violations.map(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} – ${failureSummary}`).join('\n')}`,
    )
  })
  expect(found).toEqual([])
}

/** The page fits its width: nothing scrolls sideways but what is made to. */
export async function expectNoSidewaysScroll(page: Page) {
  const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(wide, 'the page does not scroll sideways').toBeLessThanOrEqual(0)
}

const SHAPES = [
  { name: 'light-1600', viewport: { width: 1600, height: 1000 }, colorScheme: 'light' },
  { name: 'dark-1600', viewport: { width: 1600, height: 1000 }, colorScheme: 'dark' },
  { name: 'light-375', viewport: { width: 375, height: 812 }, colorScheme: 'light' },
  { name: 'dark-375', viewport: { width: 375, height: 812 }, colorScheme: 'dark' },
] as const

/** Looks at a page in both themes and both widths: axe finds nothing, nothing scrolls sideways. Two of the four shapes stand for all; with CAIRN_TEST_SHOTS=<folder> it is all four, and pictures are kept there. @param ready resolves once the page shows what it is about */
export async function inAllShapes(page: Page, name: string, ready: () => Promise<unknown>) {
  const folder = process.env.CAIRN_TEST_SHOTS
  const shapes = folder ? SHAPES : SHAPES.filter(({ name }) => name === 'light-1600' || name === 'dark-375')
  for (const { name: shape, viewport, colorScheme } of shapes) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await ready()
    if (folder) await page.screenshot({ path: `${folder}/${name}-${shape}.png`, fullPage: viewport.width < 800 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  }
}
