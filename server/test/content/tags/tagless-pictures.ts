import type { GrayImage } from '../../../modules/tags/detector/detector.ts'
import { randomOf } from '../../attack/random.ts'
import { drawScene } from './tag-scene.ts'

const [WIDTH, HEIGHT] = [160, 120]

type Draw = (seed: number) => GrayImage

const picture = (level: (x: number, y: number) => number): GrayImage => ({
  width: WIDTH,
  height: HEIGHT,
  pixels: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => level(at % WIDTH, Math.floor(at / WIDTH))),
})

const ground: Draw = (seed) => drawScene({ width: WIDTH, height: HEIGHT, tags: [], noise: 12, seed }).image

const noise: Draw = (seed) => {
  const { fraction } = randomOf(seed)
  return picture(() => fraction() * 255)
}

/** Squares of random levels: as blocks of a compressed picture, or bits without a border. */
const blocks: Draw = (seed) => {
  const { fraction, below } = randomOf(seed)
  const block = 2 + below(9)
  const levels = Array.from({ length: WIDTH * HEIGHT }, () => fraction() * 255)
  return picture((x, y) => levels[Math.floor(y / block) * WIDTH + Math.floor(x / block)]!)
}

/** Tiles, windows and chessboards, turned. */
const grid: Draw = (seed) => {
  const { fraction, below } = randomOf(seed)
  const [cell, line, turn] = [8 + below(40), fraction(), fraction() * Math.PI]
  const [c, s] = [Math.cos(turn), Math.sin(turn)]
  return picture((x, y) => {
    const [u, v] = [(c * x - s * y) / cell + 100, (s * x + c * y) / cell + 100]
    const isDark = line < 0.5 ? (Math.floor(u) + Math.floor(v)) % 2 === 0 : u % 1 < line / 3 || v % 1 < line / 3
    return isDark ? 30 : 210
  })
}

/** Dark rectangles in each other: windows, doors, and shelves of books. */
const rectangles: Draw = (seed) => {
  const { fraction, below } = randomOf(seed)
  const drawn = Array.from({ length: 60 }, () => {
    const [left, top] = [below(WIDTH), below(HEIGHT)]
    return { left, top, right: left + 4 + below(60), bottom: top + 4 + below(60), level: fraction() * 255 }
  })
  return picture(
    (x, y) =>
      drawn.findLast(({ left, top, right, bottom }) => x >= left && x < right && y >= top && y < bottom)?.level ?? 128,
  )
}

/** What is most like a tag: the black border, and within it random bits. One in 780,000 would be a tag with a wrong bit. */
const framesOfRandomBits: Draw = (seed) => {
  const { fraction, below } = randomOf(seed)
  const cell = 3 + below(4)
  const side = cell * 8
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(200)
  for (let top = cell; top + side < HEIGHT; top += side + 3 * cell)
    for (let left = cell; left + side < WIDTH; left += side + 3 * cell) {
      const bits = Array.from({ length: 36 }, () => fraction() < 0.5)
      for (let y = 0; y < side; y++)
        for (let x = 0; x < side; x++) {
          const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)]
          const isBorder = column % 7 === 0 || row % 7 === 0
          pixels[(top + y) * WIDTH + left + x] = isBorder || !bits[(row - 1) * 6 + column - 1] ? 30 : 200
        }
    }
  return { width: WIDTH, height: HEIGHT, pixels }
}

const KINDS = { ground, noise, blocks, grid, rectangles, framesOfRandomBits }

/** A picture that shows no tag, each seed another one; the kinds take turns. */
export function taglessPicture(seed: number): { kind: string; image: GrayImage } {
  const [kind, draw] = Object.entries(KINDS)[seed % Object.keys(KINDS).length]!
  return { kind, image: draw(seed) }
}
