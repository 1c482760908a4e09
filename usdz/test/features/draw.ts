import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { openStudio } from '../pictures/browser.ts'
import { type Comparison, compare } from '../pictures/compare.ts'
import { onGrey } from '../pictures/sheet.ts'
import { type Likeness, rows } from './table.ts'

const side = 96

/** Draws source and result of each feature beside each other into a folder. @returns how alike they are. */
export async function drawFeatures(folder: URL): Promise<Likeness> {
  const studio = await openStudio()
  const likeness: Likeness = {}
  try {
    for (const { feature, picture } of rows) {
      const glb = await feature.glb()
      for (const profile of ['quicklook', 'spec'] as const) {
        const { worst, comparisons } = await compare(studio, feature.name, glb, {
          profile,
          views: [0, 2, 4],
          moments: 2,
        })
        likeness[picture] = { ...likeness[picture], ...(worst !== undefined && { [profile]: rounded(worst) }) }
        if (profile === 'quicklook') await draw(shown(comparisons), fileURLToPath(new URL(picture, folder)))
      }
    }
  } finally {
    await studio.close()
  }
  return likeness
}

/** The last moment, from the first side. */
const shown = (comparisons: readonly Comparison[]): Comparison => comparisons.at(-3) ?? comparisons[0]!

/** So many digits are the same with any graphics library. */
const rounded = (value: number) => Math.floor(value * 1000) / 1000

async function draw({ pictures }: Comparison, file: string): Promise<void> {
  const halves = await Promise.all(
    [pictures.glb, pictures.usd].map((picture) => onGrey(picture).resize(side, side).png().toBuffer()),
  )
  const both = halves.map((input, i) => ({ input, left: i * side, top: 0 }))
  await sharp({ create: { width: 2 * side, height: side, channels: 3, background: '#808080' } })
    .composite(both)
    .webp({ quality: 85 })
    .toFile(file)
}
