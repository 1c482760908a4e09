import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { startService } from '../service.ts'

test('the interactive documentation works in a browser and loads nothing from other hosts', async () => {
  const service = await startService()
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage()
    const elsewhere: string[] = []
    const errors: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(service.url) && !/^(data|blob):/.test(url)) elsewhere.push(url)
    })
    page.on('pageerror', (error) => errors.push(error.message))
    page.setDefaultTimeout(120_000)
    await page.goto(`${service.url}/docs/`)
    const { body: description } = await service.anonymous.get('/openapi.json')
    await page.getByText(description.paths['/auth/sync'].post.summary).first().waitFor()
    await page.waitForTimeout(1000)
    expect(await page.getByText(/Ask AI|Generate MCP/).count()).toBe(0)
    expect(elsewhere).toEqual([])
    expect(errors).toEqual([])
  } finally {
    await browser.close()
    await service.stop()
  }
})

test('an example names this service, and is shown in curl, TypeScript or C#', async () => {
  const service = await startService()
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
    page.setDefaultTimeout(120_000)
    await page.goto(`${service.url}/docs/#tag/pins/GET/api/location/pins`)
    await page.waitForFunction('document.title.includes("Cairn")')
    await page.getByText(`${service.url}/api/location/pins`).first().waitFor()
    await page.getByText('curl', { exact: false }).first().waitFor()
    for (const language of ['Python', 'PHP', 'Ruby'])
      expect(await page.getByText(language, { exact: true }).count(), language).toBe(0)
  } finally {
    await browser.close()
    await service.stop()
  }
})
