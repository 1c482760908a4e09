import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startConsole } from '../support/console.ts'
import { AROUND, idle } from '../support/harbour.ts'

describe('a style with streets', () => {
  test('is drawn in the place of the bundled one; one that fails to load is reported and leaves that', async () => {
    const style = { version: 8, sources: {}, layers: [{ id: 'ground', type: 'background' }] }
    const host = createServer((request, response) => {
      const isThere = request.url === '/style.json'
      response.writeHead(isThere ? 200 : 404, {
        'access-control-allow-origin': '*',
        'content-type': 'application/json',
      })
      response.end(JSON.stringify(isThere ? style : {}))
    })
    await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
    const base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    for (const [path, isBundled] of [
      ['/style.json', false],
      ['/gone.json', true],
    ] as const) {
      const other = await startConsole({ CAIRN_MAP_STYLE_URL: base + path, CAIRN_MAP_HOSTS: base })
      const { token } = await other.person()
      const { page, complaints } = await other.open(`/map?${AROUND}`, { token })
      await idle(page)
      await page.getByRole('button', { name: 'Change the radius' }).waitFor()
      expect(await page.getByText('The bundled map has no streets.').count()).toBe(0)
      expect(await page.getByText('Natural Earth').count()).toBe(isBundled ? 1 : 0)
      expect(await page.getByText(`The map style on ${new URL(base).host} is not available.`).count()).toBe(
        isBundled ? 1 : 0,
      )
      expect(complaints).toEqual([`fetched ${base}${path}`])
      await other.stop()
    }
    host.close()
  })
})
