import { cellsOf } from '../detector/detector.ts'
import { filled, line, type Page, pdfOf, written } from './pdf.ts'
import type { Paper } from './schema.ts'

/** Millimetres: width, height. */
const papers: Record<Paper, readonly [number, number]> = { a4: [210, 297], a3: [297, 420], letter: [215.9, 279.4] }

export type SheetOrder = {
  ids: readonly number[]
  /** Millimetres of a side of the black border. */
  size: number
  paper: Paper
}

/** The tags cannot be printed as ordered. The message is a sentence for the caller. */
export class SheetFault extends Error {}

/** The tag has 8 cells between the outer edges of its border, and one of white around. */
const [CELLS, BORDER] = [10, 8]
/** Millimetres: at the edges of the paper, where printers do not print; between tags; of the label below; of the scale. */
const [MARGIN, GAP, LABEL, SCALE] = [4, 10, 8, 16]
const [MARK, APART] = [3, 1]
const BAR = 100

/** A PDF of tags in their true size, with their IDs, marks to cut along, and a bar to measure on each page. @throws SheetFault */
export function sheetOf({ ids, size, paper }: SheetOrder): Buffer {
  const [width, height] = papers[paper]
  const side = (size * CELLS) / BORDER
  const [wide, high] = [width - 2 * MARGIN, height - 2 * MARGIN - SCALE]
  if (side > wide || side + LABEL > high) {
    const most = Math.floor((Math.min(wide, high - LABEL) * BORDER) / CELLS)
    throw new SheetFault(
      `A tag of ${size} mm is ${side} mm wide with its white edge, which does not fit on ${paper}: at most ${most} mm do`,
    )
  }
  const columns = Math.floor((wide + GAP) / (side + GAP))
  const rows = Math.floor((high + GAP) / (side + LABEL + GAP))
  const used = columns * side + (columns - 1) * GAP
  const pages = Array.from({ length: Math.ceil(ids.length / (columns * rows)) }, (_, page): Page => {
    const drawn = ids.slice(page * columns * rows, (page + 1) * columns * rows).map((id, at) => {
      const left = (width - used) / 2 + (at % columns) * (side + GAP)
      const top = height - MARGIN - Math.floor(at / columns) * (side + LABEL + GAP)
      return tagAt(id, size, [left, top])
    })
    return { width, height, content: [...drawn, scaleAt([(width - BAR) / 2, MARGIN + 7])].join('\n') }
  })
  return pdfOf(pages)
}

/** @param corner the top left one of its white edge */
function tagAt(id: number, size: number, [left, top]: readonly [number, number]): string {
  const cells = cellsOf(id)
  const cell = size / BORDER
  const side = cell * CELLS
  const black = Array.from({ length: CELLS * CELLS }, (_, at) => at).filter((at) => cells[at] === 0)
  const areas = black.map((at) => ({
    x: left + (at % CELLS) * cell,
    y: top - (Math.floor(at / CELLS) + 1) * cell,
    width: cell,
    height: cell,
  }))
  const text = Math.min(3.5, side / 14)
  const label = `tag36h11   ID ${id}   ${size} mm   this is the bottom edge`
  return [
    filled(areas),
    ...[left, left + side].flatMap((x) =>
      [top, top - side].flatMap((y) => {
        const [out, up] = [x === left ? -1 : 1, y === top ? 1 : -1]
        return [
          line([x + out * APART, y], [x + out * (APART + MARK), y]),
          line([x, y + up * APART], [x, y + up * (APART + MARK)]),
        ]
      }),
    ),
    written(label, [left + 2, top - side - APART - text], text),
  ].join('\n')
}

function scaleAt([x, y]: readonly [number, number]): string {
  const ticks = Array.from({ length: BAR / 10 + 1 }, (_, at) => line([x + 10 * at, y], [x + 10 * at, y + 2]))
  const text = `${BAR} mm. Print at 100 %, not fitted to the page, and measure this bar and the tags.`
  return [line([x, y], [x + BAR, y]), ...ticks, written(text, [x, y - 4.5], 3)].join('\n')
}
