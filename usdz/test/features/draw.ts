import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { convert } from '../../index.ts'
import { openStudio } from '../pictures/browser.ts'
import { type Comparison, compare } from '../pictures/compare.ts'
import { onGrey } from '../pictures/sheet.ts'
import { type Likeness, rows } from './table.ts'

const side = 96

/** Draws source and result of each feature side by side into a folder, optionally only those with one of the file prefixes. @returns their similarity. */
export async function drawFeatures(folder: URL, prefixes: readonly string[] = []): Promise<Likeness> {
  const studio = await openStudio()
  const likeness: Likeness = {}
  try {
    for (const { feature, picture } of rows) {
      if (prefixes.length > 0 && !prefixes.some((prefix) => picture.startsWith(prefix))) continue
      const glb = await feature.glb()
      const options = { views: [0, 4], moments: 2 }
      const { worst, usdz, comparisons } = await compare(studio, feature.name, glb, options)
      await draw(shown(comparisons), fileURLToPath(new URL(picture, folder)))
      // Most features look the same in both profiles.
      const spec = await convert(glb, { profile: 'spec' })
      const isSame = Buffer.from(spec.usdz).equals(usdz)
      const other = isSame ? { worst } : await compare(studio, feature.name, glb, { ...options, profile: 'spec' })
      if (worst !== undefined) likeness[picture] = { quicklook: rounded(worst), spec: rounded(other.worst!) }
    }
  } finally {
    await studio.close()
  }
  return likeness
}

/** The last moment, from the first side. */
const shown = (comparisons: readonly Comparison[]): Comparison => comparisons.at(-2) ?? comparisons[0]!

/** This many digits are the same with any graphics library. */
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
