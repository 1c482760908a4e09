import { join } from 'node:path'
import sharp, { type OverlayOptions } from 'sharp'
import type { Side } from './browser.ts'
import type { Compared } from './compare.ts'
import type { Picture } from './ssim.ts'

const cell = 160
const label = 18

/** All shots of one model: a column a shot; source, package by USDLoader and completed package below each other. */
export async function modelSheet({ name, comparisons }: Compared, folder: string): Promise<string> {
  const file = `${fileName(name)}.png`
  const parts: OverlayOptions[] = []
  for (const [column, { pictures, label: text, score }] of comparisons.entries()) {
    const left = column * cell
    parts.push({ input: await words(`${text} ${score?.toFixed(4) ?? 'empty'}`), left, top: 0 })
    for (const [row, side] of sidesOf(pictures).entries()) {
      parts.push({ input: await small(pictures[side]!), left, top: label + row * cell })
    }
  }
  await paper(cell * comparisons.length, label + 3 * cell, parts).toFile(join(folder, file))
  return file
}

/** A model from its worst side: source, package by USDLoader and completed package beside each other. */
export async function modelCard({ name, worst, comparisons }: Compared, folder: string): Promise<string | undefined> {
  const shown = comparisons.find(({ score }) => score === worst) ?? comparisons[0]
  if (!shown) return undefined
  const file = `${fileName(name)}.card.webp`
  const inputs = await Promise.all(sidesOf(shown.pictures).map((side) => small(shown.pictures[side]!)))
  const parts = inputs.map((input, column) => ({ input, left: column * cell, top: 0 }))
  await paper(cell * inputs.length, cell, parts)
    .webp({ quality: 85 })
    .toFile(join(folder, file))
  return file
}

const fileName = (name: string) => name.replace(/[^\w.-]/g, '_')

const sidesOf = (pictures: Partial<Record<Side, Picture>>): Side[] =>
  (['glb', 'loader', 'usd'] as const).filter((side) => pictures[side])

const paper = (width: number, height: number, parts: OverlayOptions[]) =>
  sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite(parts)
    .png()

/** A picture over mid grey, scaled to a cell. */
const small = ({ size, pixels }: Picture): Promise<Buffer> =>
  onGrey({ size, pixels }).resize(cell, cell).png().toBuffer()

export const onGrey = ({ size, pixels }: Picture) =>
  sharp(
    Uint8Array.from({ length: size * size * 3 }, (_, i) => {
      const at = Math.floor(i / 3) * 4
      return Math.min(255, pixels[at + (i % 3)]! + 128 * (1 - pixels[at + 3]! / 255))
    }),
    { raw: { width: size, height: size, channels: 3 } },
  )

/** A line of text, truncated to its cells. */
async function words(text: string, cells = 1): Promise<Buffer> {
  const safe = text.replace(/[&<>]/g, ' ').slice(0, cells * 26)
  const drawn = await sharp({ text: { text: safe, font: 'sans 8', dpi: 96 } })
    .png()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = drawn.info
  const fits = { width: Math.min(width, cell * cells), height: Math.min(height, label) }
  return await sharp(drawn.data)
    .extract({ left: 0, top: 0, ...fits })
    .negate()
    .png()
    .toBuffer()
}
