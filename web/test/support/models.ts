import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** A model with a texture, free to copy (scripts/tour/files). */
export const suzanne = () => readFile(new URL('../../../scripts/tour/files/suzanne.glb', import.meta.url))

/** A model that moves. */
export const cylinder = () =>
  readFile(new URL('../../../usdz/test/models/geometry/bio_03_skinned_cylinder.glb', import.meta.url))

/** Resolves when that many models are on the screen: reading the picture back waits for the renderer, which may be software. */
export async function drawn(page: Page, count = 1): Promise<void> {
  await page
    .locator('[data-state="drawn"]')
    .nth(count - 1)
    .waitFor()
  await page.evaluate(
    `Promise.all([...document.querySelectorAll('model-viewer')].map((viewer) => viewer.toBlob())).then(() => {})`,
  )
}

/** Where the camera is going to: around, above and away from what it looks at. Without the frames on the way, which take long where there is no graphics card. */
export const cameraOf = (page: Page): Promise<{ theta: number; phi: number; radius: number }> =>
  page.evaluate(`(async () => {
    const viewer = document.querySelector('model-viewer')
    await viewer.updateComplete
    viewer.jumpCameraToGoal()
    await viewer.updateComplete
    const { theta, phi, radius } = viewer.getCameraOrbit()
    return { theta, phi, radius }
  })()`)

/** Whether the first material of each model on the page is painted with a texture. */
export const arePainted = (page: Page): Promise<boolean[]> =>
  page.evaluate(
    `[...document.querySelectorAll('model-viewer')].map(({ model }) => Boolean(model.materials[0].pbrMetallicRoughness.baseColorTexture.texture))`,
  )

/** The base colour of the first material of each model on the page: red, green, blue and opacity, linear. */
export const coloursOf = (page: Page): Promise<number[][]> =>
  page.evaluate(
    `[...document.querySelectorAll('model-viewer')].map(({ model }) => [...model.materials[0].pbrMetallicRoughness.baseColorFactor])`,
  )

/** Resolves once a picture of the page is there. */
export async function pictured(page: Page): Promise<void> {
  const isThere = () =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('main img')].some(({ complete, naturalWidth }) => complete && naturalWidth > 0)`,
    )
  await expect.poll(isThere, { timeout: 120_000 }).toBe(true)
}
