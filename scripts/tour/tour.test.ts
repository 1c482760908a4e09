// @module-tag long
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cleanUp, newFolder, ROOT, type ServiceProcess, startProcess } from '../../server/test/process.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'

let folder: string
let service: ServiceProcess | undefined
beforeEach(async () => {
  folder = await newFolder()
})
afterEach(() => cleanUp(folder, service))

function tour(settings: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join('scripts', 'tour', 'tour.ts')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...settings },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve({ code, output })))
}

test('the tour plays its whole path against a running service, twice alike, and ends with addresses that answer', async () => {
  service = await startProcess(folder)
  const { code, output } = await tour({ CAIRN_TOUR_URL: service.url, CAIRN_DATA_DIR: folder })
  expect(output).toContain('Grace is number 3')
  expect(output).toMatch(/\d{6} is VALID; to the headset the key of "Greenwich trail" reads cairn_\w{8}_…/)
  expect(output).toContain('10 of 11 rows applied, 10 points in the zone')
  expect(output).toMatch(/126\.\d{3} m: Suzanne at the observatory \(USDZ\)/)
  expect(code).toBe(0)

  const again = await tour({ CAIRN_TOUR_URL: service.url, CAIRN_DATA_DIR: folder })
  expect(again.output).toContain('10 points in the zone')
  expect(again.output.match(/Suzanne at the observatory \(USDZ\)/g)).toHaveLength(1)
  expect(again.code).toBe(0)

  const addresses = output.slice(output.indexOf('Open these')).match(/http:\/\/\S+/g)!
  expect(addresses).toHaveLength(4)
  for (const address of addresses) expect((await fetch(address)).status, address).toBe(200)
})

test('without a service it says how to start one, and fails', async () => {
  service = await startProcess(folder, { settings: { CAIRN_PORT: String(await steadyPort()) } })
  const { url } = service
  service.child.kill('SIGTERM')
  await service.ended
  const { code, output } = await tour({ CAIRN_TOUR_URL: url, CAIRN_TOUR_TOKEN: 'any' })
  expect(code).toBe(1)
  expect(output).toContain(`No Cairn answers at ${url}: start it with npm start`)
})
