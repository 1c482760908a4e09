import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const OBSERVATORY = { latitude: 51.4778, longitude: -0.0014 }

let hunt: ChildProcess
let output = ''
let browser: Browser
const foldersLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith('treasure-hunt-'))
const before = foldersLeft()
beforeAll(async () => {
  // The README's one command. In a group of its own: npm passes no signal on.
  const env = { ...process.env, HUNT_PORT: '0' }
  hunt = spawn('npm', ['start'], { cwd: import.meta.dirname, env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(hunt, 'exit')
  const ready = new Promise<void>((resolve) => {
    hunt.stdout!.on('data', (chunk) => {
      output += chunk
      if (/Grace +\d{6}/.test(output)) resolve()
    })
  })
  await Promise.race([
    ready,
    ended.then(() => {
      throw new Error(`It did not start:\n${output}`)
    }),
  ])
  const args = [
    '--no-sandbox',
    '--disable-background-networking',
    // What is no canvas is drawn by the processor anyway: straight, not by way of a graphics card's language.
    '--use-angle=swiftshader-webgl',
    '--enable-unsafe-swiftshader',
  ]
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
})
afterAll(async () => {
  await browser?.close()
  process.kill(-hunt.pid!, 'SIGTERM')
  // It leaves nothing behind.
  await vi.waitFor(() => expect(foldersLeft()).toEqual(before), { timeout: 60_000 })
})

const address = () => /http:\S+/.exec(output.slice(output.indexOf('The hunt is at')))![0]
const codeOf = (name: string) => new RegExp(`${name} +(\\d{6})`).exec(output)![1]!

/** The hunt in a browser of one's own, and what it complained of or fetched from other machines. */
async function open(options: BrowserContextOptions) {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(120_000)
  const complaints: string[] = []
  const sources: Promise<string>[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|blob:|data:)/.test(request.url())) complaints.push(`fetched ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.url().startsWith(address())) sources.push(response.text().catch(() => ''))
  })
  await page.goto(address())
  await page.getByRole('heading', { name: 'Join the hunt' }).waitFor()
  return { page, complaints, sources }
}

async function enter(page: Page, field: 'Code' | 'Name', value: string) {
  await page.getByLabel(field, { exact: true }).fill(value)
  await page.keyboard.press('Enter')
}

const board = (page: Page) => page.locator('#board li').allInnerTexts()
const scoresOn = (page: Page) => async () => (await board(page)).map((row) => row.replaceAll(/\s+/g, ' ').trim())

/** With CAIRN_TEST_SHOTS=<folder> pages are kept as pictures, to be looked at. */
async function shoot(page: Page, name: string) {
  const folder = process.env.CAIRN_TEST_SHOTS
  if (folder) await page.screenshot({ path: `${folder}/hunt-${name}.png` })
  const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(wide, 'the page does not scroll sideways').toBe(0)
}

/** At the observatory, with a device that is certain of it to some metres. */
const at = (accuracy: number) => ({ geolocation: { ...OBSERVATORY, accuracy }, permissions: ['geolocation'] })
const phone = { viewport: { width: 375, height: 700 }, colorScheme: 'light' as const }
const desk = { viewport: { width: 1200, height: 800 }, colorScheme: 'dark' as const }

test('two players sign in by code and walk; the service judges what they find, and moves the other’s board at once', async () => {
  const ada = await open({ ...phone, ...at(10) })
  const grace = await open({ ...desk, ...at(400) })

  const wrong = ['000000', '111111', '222222'].find((code) => ![codeOf('Ada'), codeOf('Grace')].includes(code))!
  await enter(grace.page, 'Code', '12')
  await grace.page.getByRole('alert').getByText('A code has six digits').waitFor()
  await enter(grace.page, 'Code', wrong)
  await grace.page.getByRole('alert').getByText('No such code').waitFor()
  await shoot(grace.page, 'wrong-code')

  await enter(ada.page, 'Code', codeOf('Ada'))
  await enter(ada.page, 'Name', 'Ada')
  await enter(grace.page, 'Code', codeOf('Grace'))
  await enter(grace.page, 'Name', 'ada')
  await grace.page.getByRole('alert').getByText('Somebody is called ada already').waitFor()
  await enter(grace.page, 'Name', 'Grace')
  await grace.page.evaluate('window.isFirstLoad = true')
  expect(await board(grace.page)).toEqual([])

  // Ada stands at the observatory, on its treasure.
  await ada.page.locator('#nearest-title').getByText('The Astronomer’s Button').waitFor()
  // The sentence is hidden again after some seconds.
  const said = () => ada.page.locator('#said').textContent()
  await expect.poll(said, { timeout: 60_000 }).toBe('The Astronomer’s Button is here: dig!')
  await shoot(ada.page, 'before-digging')
  await ada.page.getByRole('button', { name: 'Dig' }).click()
  await expect.poll(scoresOn(grace.page)).toEqual(['1 Ada 100'])

  // Grace is there too, but her device is not certain of it.
  const dig = grace.page.getByRole('button', { name: 'Dig' })
  await dig.click()
  await expect
    .poll(() => grace.page.locator('#said').textContent(), { timeout: 60_000 })
    .toContain('The position is not accurate enough')
  await grace.page.context().setGeolocation({ ...OBSERVATORY, accuracy: 12 })
  await grace.page.locator('#nearest-distance').getByText('± 12 m').waitFor()
  await dig.click()
  const both = ['1 Ada 100', '1 Grace 100']
  await expect.poll(async () => (await scoresOn(grace.page)()).toSorted()).toEqual(both)
  await ada.page.getByRole('button', { name: 'Board' }).click()
  await expect.poll(async () => (await scoresOn(ada.page)()).toSorted()).toEqual(both)
  expect(await grace.page.evaluate('window.isFirstLoad')).toBe(true)
  await shoot(ada.page, 'board')
  await shoot(grace.page, 'board-desk')

  // The browser keeps the session, and the service the score and what was found.
  await grace.page.reload()
  await grace.page.locator('#my-score').getByText('100').waitFor()
  await grace.page.locator('#nearest-title').getByText(/\w/).waitFor()
  expect(await grace.page.locator('#nearest-title').textContent()).not.toContain('Astronomer')

  expect([...ada.complaints, ...grace.complaints]).toEqual([])
  const everything = (await Promise.all(grace.sources)).join('\n')
  expect(everything).toContain('Treasure hunt')
  expect(everything, 'the page has a client key').toMatch(/cairn_client_/)
  expect(everything, 'the page has no server key').not.toMatch(/cairn_(?!client_)[0-9A-Za-z]{8,}/)
})

test('without leave to ask for the place a player walks on the map, on a second device that knows what was found', async () => {
  const ada = await open(desk)
  hunt.stdin!.write('\n') // new codes
  const used = codeOf('Ada')
  await expect.poll(() => output.match(/Ada +\d{6}/g)!.length).toBe(2)
  output = output.slice(output.indexOf('The hunt is at')).replace(`Ada    ${used}`, '')
  await enter(ada.page, 'Code', codeOf('Ada'))
  await enter(ada.page, 'Name', 'Ada')
  await ada.page.getByText('Your place is not known: tap the map').waitFor()
  await ada.page.locator('#my-score').getByText('100').waitFor()
  expect(await ada.page.locator('#dig').isDisabled()).toBe(true)

  await ada.page.getByRole('button', { name: 'The Meridian Thread' }).click()
  await ada.page.locator('#nearest-title').getByText('The Meridian Thread').waitFor()
  await ada.page.locator('#dig:enabled').waitFor()
  await ada.page.getByRole('button', { name: 'Dig' }).click()
  await ada.page.locator('#my-score').getByText('180').waitFor()
  expect(ada.complaints).toEqual([])
})

test('the web server of the page survives any request and serves only the page', async () => {
  expect((await fetch(`${address()}/../package.json`)).status).toBe(404)
  expect((await fetch(`${address()}/%2e%2e%2fpackage.json`)).status).toBe(404)
  /** Asks for exactly these characters, which no client would send. */
  const asked = async (target: string) => {
    const socket = connect(Number(new URL(address()).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET ${target} HTTP/1.1\r\nhost: game\r\nconnection: close\r\n\r\n`)
    return text(socket)
  }
  const broken = ['//@:x', '/%00', '/%', `/${'a'.repeat(5000)}`, '/assets', 'http://', 'http://x/../../../README.md']
  for (const target of [...broken, '/../package.json', '/..%2fpackage.json', '/__proto__'])
    expect(await asked(target), target).toMatch(/^HTTP\/1.1 404 /)
  for (const target of ['//', '/']) expect(await asked(target), target).toMatch(/^HTTP\/1.1 200 /)
})
