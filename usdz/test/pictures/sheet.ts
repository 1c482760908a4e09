import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type OverlayOptions } from 'sharp'
import type { Side } from './browser.ts'
import type { Compared } from './compare.ts'
import type { Picture } from './ssim.ts'

const cell = 160
const label = 18

/** All shots of one model: a column a shot; source, package by USDLoader and completed package below each other. */
export async function modelSheet({ name, comparisons }: Compared, folder: string): Promise<string> {
  const file = `${name.replace(/[^\w.-]/g, '_')}.png`
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

const sidesOf = (pictures: Partial<Record<Side, Picture>>): Side[] =>
  (['glb', 'loader', 'usd'] as const).filter((side) => pictures[side])

/** Many models on one page: source, package by USDLoader and completed package, each from its worst side. */
export async function contactSheets(models: readonly Compared[], folder: string, columns = 4): Promise<string[]> {
  const rows = 8
  const files: string[] = []
  for (let page = 0; page * columns * rows < models.length; page++) {
    const parts: OverlayOptions[] = []
    const here = models.slice(page * columns * rows, (page + 1) * columns * rows)
    for (const [index, { name, worst, comparisons }] of here.entries()) {
      const left = (index % columns) * cell * 3
      const top = Math.floor(index / columns) * (cell + label)
      const shown = comparisons.find(({ score }) => score === worst) ?? comparisons[0]
      if (!shown) continue
      parts.push({ input: await words(`${worst?.toFixed(4) ?? 'empty'} ${name} ${shown.label}`, 3), left, top })
      for (const [k, side] of sidesOf(shown.pictures).entries()) {
        parts.push({ input: await small(shown.pictures[side]!), left: left + k * cell, top: top + label })
      }
    }
    files.push(`contact-sheet-${page + 1}.png`)
    await paper(columns * cell * 3, Math.ceil(here.length / columns) * (cell + label), parts).toFile(
      join(folder, files.at(-1)!),
    )
  }
  return files
}

/** A page that links the sheets and lists every model with its scores. */
export async function writeIndex(rows: readonly string[], sheets: readonly string[], folder: string): Promise<void> {
  const images = sheets.map((file) => `<p><img src="${file}" width="960"></p>`).join('\n')
  const html = `<!doctype html><meta charset="utf-8"><title>GLB and USDZ</title>
<p>Each model from its worst side: the GLB, the USDZ as USDLoader shows it, the USDZ completed.</p>
${images}
<table>${rows.join('\n')}</table>`
  await writeFile(join(folder, 'index.html'), html)
}

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
