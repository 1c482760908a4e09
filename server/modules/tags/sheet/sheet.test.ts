import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../../../test/service.ts'
import { detectTags } from '../detector/detector.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const sheet = (query: string) => service.anonymous.get(`/api/v1/tags/sheet?${query}`)
/** Pixels of a millimetre. */
const SCALE = 3

/** The pages of a sheet as pictures of their filled areas. */
function picturesOf(pdf: string) {
  const sizes = [...pdf.matchAll(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  return pdf
    .split('\nstream\n')
    .slice(1)
    .map((content, page) => {
      const inPixels = (at: number) => Math.round(((Number(sizes[page]![at]) * 25.4) / 72) * SCALE)
      const [width, height] = [inPixels(1), inPixels(2)]
      const pixels = new Uint8Array(width * height).fill(255)
      for (const [, ...numbers] of content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)) {
        const [x, y, wide, high] = numbers.map(Number) as [number, number, number, number]
        const [top, bottom] = [height - (y + high) * SCALE, height - y * SCALE].map(Math.round) as [number, number]
        for (let row = top; row < bottom; row++)
          pixels.fill(0, row * width + Math.round(x * SCALE), row * width + Math.round((x + wide) * SCALE))
      }
      return { width, height, pixels }
    })
}

const sideOf = (corners: [number, number][]) =>
  Math.hypot(corners[1]![0] - corners[0]![0], corners[1]![1] - corners[0]![1]) / SCALE

describe('a sheet of tags', () => {
  test.each([
    ['ids=0-5&size=160', 6, [0, 1, 2, 3, 4, 5], 160],
    ['ids=9,3,20-22&size=50&paper=a3', 1, [9, 3, 20, 21, 22], 50],
    ['ids=0-50&size=20.5&paper=letter', 2, Array.from({ length: 51 }, (_, id) => id), 20.5],
  ])('%s has all tags upright in their size', { tags: ['long'] }, async (query, pages, ids, size) => {
    const { status, headers, body } = await sheet(query)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const pictures = picturesOf(body)
    expect(pictures).toHaveLength(pages)
    const found = pictures.flatMap(detectTags)
    expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
    for (const { corners } of found) {
      expect(Math.abs(sideOf(corners) - size)).toBeLessThan(0.5)
      expect(corners[0][1]).toBeGreaterThan(corners[3][1])
    }
  })

  test('has a bar of 100 mm, and asks viewers to print it in its size', async () => {
    const { body } = await sheet('ids=7&size=100')
    expect(body).toMatch(/^%PDF-1\.7\n/)
    expect(body).toContain('/PrintScaling /None')
    expect(body).toMatch(/55 11 m 155 11 l S/)
    expect(body).toContain('(tag36h11   ID 7   100 mm')
  })

  test.each([
    ['ids=0-5&size=170', 'size', /at most 161 mm/],
    ['ids=0-5&size=5', 'size', /10/],
    ['ids=51&size=100', 'ids', /0 to 50/],
    ['ids=5-1&size=100', 'ids', /lower one first/],
    ['ids=a&size=100', 'ids', /such as/],
    ['ids=1&size=100&paper=a9', 'paper', /a4/],
  ])('%s is refused', async (query, member, message) => {
    const { status, body } = await sheet(query)
    expect([status, body.error[0].path]).toEqual([400, [member]])
    expect(body.error[0].message).toMatch(message)
  })
})
