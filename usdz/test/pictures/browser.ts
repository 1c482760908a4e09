import { chromium } from 'playwright-core'
import { SOFTWARE_WEBGL } from '../../browser/software-webgl.ts'
import type { Studio } from './page/main.ts'
import { servePictures } from './serve.ts'
import type { Picture } from './ssim.ts'

/** The source by three's GLTFLoader, the package by its USDLoader, and the completed package (see page/usdz.ts). */
export type Side = 'glb' | 'loader' | 'usd'
export type Shot = { size: number; view: number; clips?: number[]; seconds: number; timeCode: number }

/** One headless Chromium with software rendering, shared by all models. */
export async function openStudio() {
  const server = await servePictures()
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    timeout: 180_000,
    args: ['--no-sandbox', '--disable-background-networking', ...SOFTWARE_WEBGL],
  })
  const page = await browser.newPage()
  // Software rendering is slow on a busy machine.
  page.setDefaultTimeout(180_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(server.url)
  await page.waitForFunction('globalThis.studio').catch(() => {
    throw new Error(`The page does not start: ${faults.join(' ')}`)
  })
  return {
    /** Loads a source and its package. @returns the clips of the source. */
    async open(glb: Uint8Array, usdz: Uint8Array): Promise<{ name: string; duration: number }[]> {
      server.offer(glb, usdz)
      return await page.evaluate(() => (globalThis as unknown as { studio: Studio }).studio.open())
    },
    async draw(side: Side, shot: Shot): Promise<Picture> {
      const drawn = await page.evaluate(
        ({ side, shot }) => (globalThis as unknown as { studio: Studio }).studio.draw(side, shot),
        { side, shot },
      )
      return { size: shot.size, pixels: topDown(Buffer.from(drawn, 'base64'), shot.size) }
    },
    async close(): Promise<void> {
      await browser.close()
      server.stop()
    },
  }
}
export type PictureStudio = Awaited<ReturnType<typeof openStudio>>

function topDown(pixels: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(pixels.length)
  const row = size * 4
  for (let y = 0; y < size; y++) out.set(pixels.subarray(y * row, (y + 1) * row), (size - 1 - y) * row)
  return out
}
