/** A page: its size in millimetres, and what is drawn on it, by the operators of PDF in millimetres from its lower left corner. */
export type Page = { width: number; height: number; content: string }

/** PDF counts in points: 72 an inch. */
const POINTS = 72 / 25.4

/**
 * A PDF (ISO 32000-1) of pages with lines, areas and text in Helvetica, which every viewer has. Viewers that keep its preference
 * print it at its true size.
 */
export function pdfOf(pages: readonly Page[]): Buffer {
  const [catalog, tree, font, first] = [1, 2, 3, 4]
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ')
  const objects = [
    `<< /Type /Catalog /Pages ${tree} 0 R /ViewerPreferences << /PrintScaling /None >> >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap(({ width, height, content }, at) => {
      const stream = `${number(POINTS)} 0 0 ${number(POINTS)} 0 0 cm\n${content}`
      const box = `[0 0 ${number(width * POINTS)} ${number(height * POINTS)}]`
      return [
        `<< /Type /Page /Parent ${tree} 0 R /MediaBox ${box} /Resources << /Font << /F ${font} 0 R >> >> /Contents ${first + 2 * at + 1} 0 R >>`,
        `<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root ${catalog} 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

const number = (value: number): string => String(Math.round(value * 1e5) / 1e5)

/** Areas that are filled together, so that no seams appear between them. */
export const filled = (areas: readonly { x: number; y: number; width: number; height: number }[]): string =>
  `${areas.map(({ x, y, width, height }) => `${[x, y, width, height].map(number).join(' ')} re`).join('\n')}\nf`

export const line = (from: readonly [number, number], to: readonly [number, number]): string =>
  `0.15 w ${from.map(number).join(' ')} m ${to.map(number).join(' ')} l S`

/** A line of ASCII text. @param size its height in millimetres */
export const written = (text: string, [x, y]: readonly [number, number], size: number): string =>
  `BT /F ${number(size)} Tf ${number(x)} ${number(y)} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`
