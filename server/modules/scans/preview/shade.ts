import { HEIGHT, WIDTH } from './camera.ts'
import { type Canvas, encoded } from './canvas.ts'

/** Background in sRGB: a grey that contrasts with white and black things, on light and dark pages. */
const MIDDLE = 0.66
const CORNER = 0.47

/** Distance in samples between compared depths. */
const REACH = 3

/**
 * The final picture, r g b in sRGB, on a neutral background. Samples are darkened by how much nearer their neighbours are
 * (eye-dome lighting, Boucheny 2009), which gives depth to points and to unlit shapes.
 * @param depth strength of the darkening
 */
export function shade(canvas: Canvas, depth: number): Uint8Array {
  const out = new Uint8Array(WIDTH * HEIGHT * 3)
  const scale = canvas.width / WIDTH
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      let [r, g, b, a] = [0, 0, 0, 0]
      for (let row = y * scale; row < (y + 1) * scale; row++) {
        for (let column = x * scale; column < (x + 1) * scale; column++) {
          const at = row * canvas.width + column
          if (canvas.cover[at] === 0) continue
          const shade = depth > 0 ? Math.exp(-depth * hollowness(canvas, row, column)) : 1
          r += toned(canvas.color[at * 3]! * shade)
          g += toned(canvas.color[at * 3 + 1]! * shade)
          b += toned(canvas.color[at * 3 + 2]! * shade)
          a += canvas.cover[at]!
        }
      }
      const count = scale * scale
      const ground = groundAt(x, y) * (1 - a / count)
      const to = (y * WIDTH + x) * 3
      out[to] = byte(r / count + ground * 0.97)
      out[to + 1] = byte(g / count + ground)
      out[to + 2] = byte(b / count + ground * 1.04)
    }
  }
  return out
}

/** Compresses highlights toward white and keeps their differences. */
const toned = (value: number) => (value < 0.8 ? value : 1 - 0.04 / (value - 0.6))

const byte = (linear: number) => Math.round(255 * Math.min(1, encoded(linear)))

function groundAt(x: number, y: number): number {
  const away = Math.hypot((x - WIDTH / 2) / (WIDTH / 2), (y - HEIGHT * 0.45) / (HEIGHT / 2))
  const value = MIDDLE + (CORNER - MIDDLE) * Math.min(1, away * away * 0.6)
  return ((value + 0.055) / 1.055) ** 2.4
}

/** How much nearer the neighbours of a sample are, in powers of two. Empty neighbours count as not nearer. */
function hollowness({ nearness, width, height }: Canvas, row: number, column: number): number {
  const here = nearness[row * width + column]!
  if (here === 0) return 0
  let total = 0
  for (let dy = -REACH; dy <= REACH; dy += REACH) {
    for (let dx = -REACH; dx <= REACH; dx += REACH) {
      const [r, c] = [row + dy, column + dx]
      if (r < 0 || c < 0 || r >= height || c >= width) continue
      const ratio = nearness[r * width + c]! / here
      if (ratio > 1) total += ratio < 1.2 ? ratio - 1 : 0.2
    }
  }
  return total / 8
}
